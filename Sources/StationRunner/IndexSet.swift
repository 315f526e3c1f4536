/// A set of small numbers from 0 on, one bit each.
struct IndexSet: Sendable {
  private var words: [UInt64] = []
  /// How many there are.
  private(set) var count = 0

  func contains(_ index: Int) -> Bool {
    index / 64 < words.count && words[index / 64] & 1 << UInt64(index % 64) != 0
  }

  mutating func insert(_ index: Int) {
    if contains(index) { return }
    while words.count <= index / 64 { words.append(0) }
    words[index / 64] |= 1 << UInt64(index % 64)
    count += 1
  }
}
