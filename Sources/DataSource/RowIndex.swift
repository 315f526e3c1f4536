/// Finds the row that has a key, at sixteen bytes a row: the keys themselves stay in the rows.
///
/// An open-addressing table, at most half full, of row numbers and parts of hashes. The hash is
/// seeded anew in every process (`Hasher`), so that no file can be made to collide.
package struct RowIndex: Sendable {
  /// 0 is free; else the upper half of the hash above the row's number plus one.
  private var slots: [UInt64]
  private var count = 0

  /// An empty index with room for `rows` keys; it grows no further than that.
  package init(rows: Int) {
    var size = 16
    while size < rows * 2 { size *= 2 }
    slots = Array(repeating: 0, count: size)
  }

  /// Notes that `row` has `key`, unless an earlier row has it: then that row is the answer, and
  /// nothing is noted.
  ///
  /// `keyOf` gives the key of an earlier row. A full index notes nothing more.
  @discardableResult
  package mutating func insert(
    _ key: String, row: Int, keyOf: (Int) -> String?
  ) -> Int? {
    let hash = Self.hash(key)
    let (slot, earlier) = search(key, hash: hash, keyOf: keyOf)
    if let earlier { return earlier }
    guard count < slots.count / 2 else { return nil }
    count += 1
    slots[slot] = hash & ~0xFFFF_FFFF | UInt64(UInt32(truncatingIfNeeded: row + 1))
    return nil
  }

  /// The row that has `key`.
  package func row(of key: String, keyOf: (Int) -> String?) -> Int? {
    search(key, hash: Self.hash(key), keyOf: keyOf).row
  }

  /// The slot of `key`, or the free one where it belongs.
  private func search(
    _ key: String, hash: UInt64, keyOf: (Int) -> String?
  ) -> (slot: Int, row: Int?) {
    let mask = slots.count - 1
    var slot = Int(truncatingIfNeeded: hash) & mask
    while slots[slot] != 0 {
      if slots[slot] ^ hash <= 0xFFFF_FFFF {
        let row = Int(slots[slot] & 0xFFFF_FFFF) - 1
        if keyOf(row) == key { return (slot, row) }
      }
      slot = (slot + 1) & mask
    }
    return (slot, nil)
  }

  private static func hash(_ key: String) -> UInt64 {
    var hasher = Hasher()
    hasher.combine(key)
    return UInt64(bitPattern: Int64(hasher.finalize()))
  }
}
