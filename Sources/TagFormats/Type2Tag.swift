package import Readers
internal import Secrets

/// A type 2 tag behind a link: NTAG21x, MIFARE Ultralight and its kin.
package final class Type2Tag: TagFormat {
  package let link: any TagLink
  package let chip: Chip
  let facts: Type2Chip?
  /// Pages as they were read or written since the last selection.
  var pages: [Int: [UInt8]] = [:]
  /// Where the message lies, since the last survey.
  var layout: Type2Layout?
  /// What a survey found blank.
  var isBlank = false
  /// The password that opened the tag in this selection.
  var authenticated: Secret?
  /// The password that the tag took last.
  var proven: Secret?
  /// Passwords that it refused, which are not sent again.
  var refused: [Secret] = []
  /// Settings of the chip as they were before this program changed them, which a torn write may have spoilt.
  var settingsBefore: [Int: [UInt8]] = [:]
  /// Whether a password is being taken off, whatever interrupts it.
  var isTakingOff = false

  /// A tag of a known chip, for tests and for callers that identified it themselves.
  package init(_ link: any TagLink, chip: Chip) {
    self.link = link
    self.chip = chip
    facts = Type2Chip.facts(chip)
  }

  /// Asks the tag for its version; a chip without the command halts on it and is selected again.
  static func identify(_ link: any TagLink) throws(TagError) -> Type2Tag {
    for _ in 0..<2 {
      do throws(ReaderError) {
        let version = try link.exchange([0x60], framing: .raw)
        return Type2Tag(link, chip: Type2Chip.named(byVersion: version))
      } catch {
        guard error == .noAnswer else { throw .link(error) }
      }
      do throws(ReaderError) { try link.reselect() } catch { throw .link(error) }
    }
    return try identifyWithoutVersion(link)
  }

  /// Tells Ultralight C (answers AUTHENTICATE) and NTAG203 (has a page 29h) from Ultralight.
  private static func identifyWithoutVersion(_ link: any TagLink) throws(TagError) -> Type2Tag {
    if let answer = try probe(link, [0x1A, 0x00], .raw), answer.first == 0xAF {
      do throws(ReaderError) { try link.reselect() } catch { throw .link(error) }
      return Type2Tag(link, chip: .ultralightC)
    }
    if try probe(link, [0x30, 0x29], .managed)?.count == 16 {
      return Type2Tag(link, chip: .ntag203)
    }
    return Type2Tag(link, chip: .ultralight)
  }

  /// The answer, or `nil` after a refusal, with the tag selected again.
  private static func probe(
    _ link: any TagLink, _ command: [UInt8], _ framing: Framing
  ) throws(TagError) -> [UInt8]? {
    do throws(ReaderError) {
      return try link.exchange(command, framing: framing)
    } catch {
      guard error == .noAnswer else { throw .link(error) }
    }
    do throws(ReaderError) { try link.reselect() } catch { throw .link(error) }
    return nil
  }

  package func forget() {
    pages = [:]
    layout = nil
    isBlank = false
    authenticated = nil
  }

  package func forgetMessage() {
    let kept = facts.map { facts in pages.filter { $0.key >= facts.userEnd } }
    forget()
    pages = kept ?? [:]
  }

  // MARK: Commands

  func send(_ command: [UInt8], _ framing: Framing) throws(TagError) -> [UInt8] {
    do throws(ReaderError) {
      return try link.exchange(command, framing: framing)
    } catch {
      throw .link(error)
    }
  }

  /// READ: four pages, rolling over to page 0 behind the last one that may be read.
  func read(_ page: Int) throws(TagError) {
    guard (0..<(facts?.pages ?? 256)).contains(page) else {
      throw .refused("page \(page) does not exist")
    }
    let answer = try send([0x30, UInt8(page)], .managed)
    guard answer.count == 16 else { throw .refused("READ answered \(answer.count) bytes") }
    for index in 0..<4 where page + index < facts?.pages ?? 256 {
      let bytes = Array(answer[index * 4..<index * 4 + 4])
      // Where a chip's end is not known, or a password guards what follows, page 0 comes in its place.
      if index > 0, bytes == firstPage { return }
      pages[page + index] = bytes
    }
  }

  /// Page 0 as the UID makes it: three bytes of it and their check byte (ISO/IEC 14443-3, 6.5.3).
  private var firstPage: [UInt8] {
    let uid = link.target.uid
    guard uid.count == 7 else { return [] }
    return [uid[0], uid[1], uid[2], 0x88 ^ uid[0] ^ uid[1] ^ uid[2]]
  }

  /// Reads the pages of `range` that are not known yet, with as few commands as the chip allows.
  func load(_ range: Range<Int>) throws(TagError) {
    var next = range.lowerBound
    while next < range.upperBound {
      guard pages[next] == nil else {
        next += 1
        continue
      }
      var end = next
      while end < range.upperBound && pages[end] == nil { end += 1 }
      guard facts?.hasFastRead == true else {
        try read(next)
        continue
      }
      // The PN532 carries 262 bytes of answer: 65 pages.
      end = min(end, next + 65)
      let answer = try send(
        [0x3A, UInt8(truncatingIfNeeded: next), UInt8(truncatingIfNeeded: end - 1)], .raw)
      guard answer.count == (end - next) * 4 else {
        throw .refused("FAST_READ answered \(answer.count) bytes")
      }
      for page in next..<end {
        pages[page] = Array(answer[(page - next) * 4..<(page - next) * 4 + 4])
      }
    }
  }

  func byte(_ address: Int) throws(TagError) -> UInt8 {
    if let page = pages[address / 4] { return page[address % 4] }
    try read(address / 4)
    guard let page = pages[address / 4] else {
      throw .refused("page \(address / 4) does not exist")
    }
    return page[address % 4]
  }

  /// WRITE one page.
  func write(_ page: Int, _ bytes: [UInt8]) throws(TagError) {
    pages[page] = nil
    _ = try send([0xA2, UInt8(truncatingIfNeeded: page)] + bytes, .managed)
    pages[page] = bytes
  }

  package func perform(_ writes: [MemoryWrite]) throws(TagError) {
    for one in writes { try write(one.address, one.bytes) }
  }

  package func bytes(at page: Int, count: Int) throws(TagError) -> [UInt8] {
    let total = facts?.pages ?? 256
    guard page >= 0, count >= 0, page <= total, count <= total - page else {
      throw .unsupported("\(chip.rawValue) has \(total) pages")
    }
    try load(page..<page + count)
    var bytes: [UInt8] = []
    for index in page..<page + count { bytes += pages[index] ?? [] }
    return bytes
  }

  package func counter() throws(TagError) -> Int? {
    guard let number = facts?.tapCounter, let configuration = facts?.configuration else {
      return nil
    }
    // NFC_CNT_EN in bit 4 and NFC_CNT_PWD_PROT in bit 3 of ACCESS (NTAG213/215/216 data sheet, section
    // 8.5.7): where it is off or guarded, READ_CNT is refused, and the tag halts.
    guard let access = try bytes(at: configuration + 1, count: 1).first, access & 0x18 == 0x10
    else { return nil }
    let answer = try send([0x39, number], .raw)
    guard answer.count == 3 else { return nil }
    return Int(answer[0]) | Int(answer[1]) << 8 | Int(answer[2]) << 16
  }
}
