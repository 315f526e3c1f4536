/// A message's TLV as it lies in a type 2 tag's pages.
struct Type2Frame: Sendable, Equatable {
  /// What one page must hold.
  struct Page: Sendable, Equatable {
    var number: Int
    /// Bytes of the TLV and its terminator; `nil` where the page's byte is none of theirs.
    var content: [UInt8?] = [nil, nil, nil, nil]
    /// Bytes behind the terminator, which mean nothing.
    var isFree = [false, false, false, false]

    /// Whether bytes that mean something else must stay.
    var keepsOldBytes: Bool { (0..<4).contains { content[$0] == nil && !isFree[$0] } }

    /// Whether a page that holds `old` holds the TLV's bytes.
    func isHeld(by old: [UInt8]?) -> Bool {
      guard let old else { return false }
      return (0..<4).allSatisfy { content[$0] == nil || content[$0] == old[$0] }
    }

    /// The page's bytes, where it held `old` before.
    func bytes(over old: [UInt8]?) -> [UInt8] {
      (0..<4).map { content[$0] ?? (isFree[$0] ? 0 : old?[$0] ?? 0) }
    }
  }

  /// In the order of their numbers.
  var pages: [Page]
  /// The page with the first length byte, which is written last.
  var commitPage: Int

  /// The frame of `message` at the place that `layout` names.
  init(_ message: [UInt8], in layout: Type2Layout) throws(TagError) {
    guard message.count <= layout.capacity, layout.position + 1 < layout.addresses.count else {
      throw .tooSmall(needed: message.count, capacity: layout.capacity)
    }
    var bytes: [UInt8] = [0x03]
    bytes +=
      message.count < 255
      ? [UInt8(message.count)]
      : [0xFF, UInt8(message.count >> 8), UInt8(message.count & 0xFF)]
    bytes += message
    if layout.position + bytes.count < layout.addresses.count { bytes.append(0xFE) }
    commitPage = layout.addresses[layout.position + 1] / 4
    pages = []
    for (address, byte) in zip(layout.addresses[layout.position...], bytes) {
      if pages.last?.number != address / 4 { pages.append(Page(number: address / 4)) }
      pages[pages.count - 1].content[address % 4] = byte
    }
    guard let last = pages.last else { return }
    for address in layout.addresses[(layout.position + bytes.count)...] {
      guard address / 4 == last.number else { break }
      pages[pages.count - 1].isFree[address % 4] = true
    }
  }
}
