import Bytes
import Platform
import Readers

/// A type 2 tag that is nothing but a page array, with losses and refusals at the commands a test names.
final class MemoryTag: TagLink {
  let target: Target
  let clock: any StationClock = WallClock()
  let longestCommand = 252
  var pages: [[UInt8]]
  /// Pages in which bits are only ever set.
  var oneWayPages: Set<Int> = [2, 3]
  /// The answer to GET_VERSION; empty where the chip has none.
  var version: [UInt8] = []
  var hasFastRead: Bool
  /// From this page on nothing may be read, and READ rolls over there.
  var readableEnd: Int
  /// Asked before each command, counted from 1: what goes wrong with it.
  var script: (Int, [UInt8]) -> Mishap? = { _, _ in nil }
  /// The page of CFG0, from which on the chip has a password; `nil` for none.
  var configuration: Int?
  /// Wrong passwords so far, where the chip counts them.
  fileprivate(set) var wrongPasswords = 0
  fileprivate(set) var isOpen = false
  private(set) var commands: [[UInt8]] = []
  /// The memory after each write that was done.
  private(set) var history: [[[UInt8]]] = []

  enum Mishap {
    /// Nothing is done.
    case refuse(ReaderError)
    /// The tag does it, its answer is lost.
    case loseAnswer
    /// A write is torn: its page holds this afterwards, and the tag is gone.
    case tear([UInt8])
  }

  init(pages: [[UInt8]], uid: [UInt8]? = nil, hasFastRead: Bool = true) {
    let own = Array(pages[0][0..<3] + pages[1])
    target = Target(.typeA(atqa: 0x0044, sak: 0, ats: []), uid: uid ?? own)
    self.pages = pages
    self.hasFastRead = hasFastRead
    readableEnd = pages.count
  }

  /// A tag of `count` pages with this capability container and data from page 4 on.
  convenience init(
    _ count: Int, container: [UInt8], data: [UInt8] = [], hasFastRead: Bool = true
  ) {
    var pages = Array(repeating: [UInt8](repeating: 0, count: 4), count: count)
    // 04 51 52 53 54 55 56 with its check bytes (ISO/IEC 14443-3, 6.5.3).
    pages[0] = [0x04, 0x51, 0x52, 0x88 ^ 0x04 ^ 0x51 ^ 0x52]
    pages[1] = [0x53, 0x54, 0x55, 0x56]
    pages[2] = [0x53 ^ 0x54 ^ 0x55 ^ 0x56, 0x48, 0, 0]
    pages[3] = container
    self.init(pages: pages, hasFastRead: hasFastRead)
    for (offset, byte) in data.enumerated() { self.pages[4 + offset / 4][offset % 4] = byte }
  }

  var writes: [[UInt8]] { commands.filter { $0.first == 0xA2 } }

  func exchange(
    _ command: [UInt8], framing: Framing, timeout: Duration
  ) throws(ReaderError) -> [UInt8] {
    commands.append(command)
    let mishap = script(commands.count, command)
    if case .refuse(let error) = mishap { throw error }
    if case .tear(let bytes) = mishap {
      pages[Int(command[1])] = bytes
      throw .tagGone
    }
    let answer = try answer(command)
    if case .loseAnswer = mishap { throw .tagGone }
    return answer
  }

  private func answer(_ command: [UInt8]) throws(ReaderError) -> [UInt8] {
    switch (command.first, command.count) {
    case (0x60, 1) where !version.isEmpty: return version
    case (0x1B, 5): return try authenticate(Array(command[1...]))
    case (0x30, 2):
      let first = Int(command[1])
      let end = guardsReading && !isOpen ? min(firstGuarded, readableEnd) : readableEnd
      guard first < end else { throw refusal }
      return (0..<4).flatMap { shown((first + $0) % end) }
    case (0x3A, 3) where hasFastRead:
      let (first, last) = (Int(command[1]), Int(command[2]))
      guard first <= last, last < readableEnd else { throw .noAnswer }
      return pages[first...last].flatMap { $0 }
    case (0xA2, 6):
      let page = Int(command[1])
      guard (2..<pages.count).contains(page), isOpen || page < firstGuarded else { throw refusal }
      let bytes = Array(command[2...])
      pages[page] =
        oneWayPages.contains(page) ? zip(pages[page], bytes).map { $0.0 | $0.1 } : bytes
      history.append(pages)
      return []
    default: throw .noAnswer
    }
  }

  func reselect() throws(ReaderError) { isOpen = false }
  func dropField() throws(ReaderError) { isOpen = false }
}

/// Passwords as the data sheet has them (NTAG21x rev. 3.2, 8.5.7 and 8.8): AUTH0, ACCESS, PWD, PACK.
extension MemoryTag {
  private var firstGuarded: Int { configuration.map { Int(pages[$0][3]) } ?? 256 }
  private var guardsReading: Bool { configuration.map { pages[$0 + 1][0] & 0x80 != 0 } ?? false }

  /// A refusal ends the selection.
  private var refusal: ReaderError {
    isOpen = false
    return .noAnswer
  }

  private func shown(_ page: Int) -> [UInt8] {
    guard let configuration, page >= configuration + 2 else { return pages[page] }
    return [0, 0, 0, 0]
  }

  private func authenticate(_ password: [UInt8]) throws(ReaderError) -> [UInt8] {
    guard let configuration else { throw .noAnswer }
    let limit = Int(pages[configuration + 1][0] & 7)
    if limit > 0, wrongPasswords >= limit { throw refusal }
    guard password == pages[configuration + 2] else {
      if limit > 0 { wrongPasswords += 1 }
      throw refusal
    }
    wrongPasswords = 0
    isOpen = true
    return Array(pages[configuration + 3][0..<2])
  }
}

/// What a plain reader finds, which knows nothing but the TLV rules (NFC Forum Type 2 Tag 1.2, 2.4).
enum PlainContent: Equatable {
  case none
  case empty
  case message([UInt8])
  case broken

  /// The first NDEF TLV in pages 4 on of a data area of `size` bytes, without `reserved` addresses.
  static func read(
    _ pages: [[UInt8]], size: Int, reserved: Range<Int> = 0..<0
  ) -> PlainContent {
    let memory = pages.flatMap { $0 }
    let area = (16..<min(16 + size, memory.count)).filter { !reserved.contains($0) }
      .map { memory[$0] }
    var rest = area[...]
    while let type = rest.popFirst() {
      if type == 0 { continue }
      if type == 0xFE { return .none }
      guard let short = rest.popFirst() else { return .broken }
      var length = Int(short)
      if short == 0xFF {
        guard let high = rest.popFirst(), let low = rest.popFirst() else { return .broken }
        length = Int(high) * 256 + Int(low)
      }
      guard length <= rest.count else { return .broken }
      if type == 3 { return length == 0 ? .empty : .message(Array(rest.prefix(length))) }
      rest = rest.dropFirst(length)
    }
    return .none
  }
}

/// The bytes of hexadecimal text, spaces aside.
func bytes(_ text: String) -> [UInt8] { Array(hex: text.filter { $0 != " " }) ?? [] }
