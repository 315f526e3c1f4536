import Readers
import Testing

@testable import TagFormats

/// Reading near the end, through limits and around what a password hides.
@Suite struct ReadingTests {
  @Test func `the roll-over of READ near the end is not taken for memory`() throws {
    // 46 bytes: the message fills the Ultralight's data area to page 15.
    let message = (0..<46).map { UInt8($0) }
    let link = MemoryTag(
      16, container: bytes("E1100600"), data: [3, 46] + message, hasFastRead: false)
    let tag = Type2Tag(link, chip: .ultralight)
    #expect(try tag.survey().content == .message(message))
    #expect(throws: TagError.unsupported("Ultralight has 16 pages")) {
      _ = try tag.bytes(at: 15, count: 2)
    }
    #expect(try tag.bytes(at: 15, count: 1) == Array(message.suffix(4)))
  }

  @Test func `a chip of unknown size is read no further than it goes`() throws {
    // The capability container claims 2040 bytes of a chip with 44 pages that rolls over.
    let link = MemoryTag(
      44, container: bytes("E110FF00"), data: bytes("03FF0300") + [UInt8](repeating: 7, count: 156),
      hasFastRead: false)
    let tag = Type2Tag(link, chip: .unknown)
    #expect(throws: TagError.link(.noAnswer)) { _ = try tag.survey() }
  }

  @Test func `a claim beyond what READ can name ends too`() throws {
    let link = MemoryTag(
      256, container: bytes("E110FF00"), data: bytes("03FF0700"), hasFastRead: false)
    let tag = Type2Tag(link, chip: .unknown)
    let survey = try tag.survey()
    #expect(
      survey.content == .broken("the message's length, 1792, is more than the data area holds"))
    #expect(throws: TagError.self) { _ = try tag.bytes(at: 250, count: 300) }
    #expect(throws: TagError.self) { _ = try tag.bytes(at: .max, count: .max) }
  }

  @Test func `FAST_READ takes at most 65 pages`() throws {
    let message = [UInt8](repeating: 0x31, count: 868)
    let link = MemoryTag(
      231, container: bytes("E1106D00"), data: bytes("03FF0364") + message)
    link.pages[0xE3] = bytes("000000FF")
    let tag = Type2Tag(link, chip: .ntag216)
    #expect(try tag.survey().content == .message(message))
    let reads = link.commands.filter { $0.first == 0x3A }
    // Pages 6 to 221: pages 2 to 5 came with the capability container.
    #expect(reads.allSatisfy { Int($0[2]) - Int($0[1]) < 65 })
    #expect(reads.count == 4)
  }

  @Test func `memory that only a password opens is said to be guarded`() throws {
    let link = MemoryTag(45, container: bytes("E1101200"), data: bytes("0103A00C340300FE"))
    link.pages[0x29] = bytes("04000004")
    // AUTH0 is 4: nothing behind page 3 may be read, and READ rolls over there.
    link.readableEnd = 4
    let tag = Type2Tag(link, chip: .ntag213)
    do throws(TagError) {
      _ = try tag.survey()
      Issue.record("the survey should fail")
    } catch {
      guard case .password = error else {
        Issue.record("\(error)")
        return
      }
    }
    // What rolled over is not taken for page 4.
    #expect(tag.pages[4] == nil)
  }

  @Test func `a password that guards user pages stands in the way of writing`() throws {
    let link = MemoryTag(45, container: bytes("E1101200"), data: bytes("0300FE"))
    link.pages[0x29] = bytes("04000010")
    let survey = try Type2Tag(link, chip: .ntag213).survey()
    #expect(survey.obstacle == .password("a password guards pages from 16 on"))
    #expect(survey.isProtected == true)
    link.pages[0x29] = bytes("040000FF")
    let open = try Type2Tag(link, chip: .ntag213).survey()
    #expect(open.obstacle == nil)
    #expect(open.isProtected == false)
  }

  /// GET_VERSION answers from the data sheets.
  ///
  /// Tables (NTAG21x rev. 3.2 table 28, MF0ULx1 rev. 3.3 table 15).
  @Test(arguments: [
    ("0004040201000F03", Chip.ntag213), ("0004040201001103", .ntag215),
    ("0004040201001303", .ntag216), ("0004030101000B03", .ultralightEV1Small),
    ("0004030101000E03", .ultralightEV1Large), ("0053040201000F03", .unknown),
    ("0004040201000F", .unknown),
  ])
  func `a chip is known by its version`(_ version: String, _ chip: Chip) throws {
    let link = MemoryTag(45, container: bytes("E1101200"))
    link.version = bytes(version)
    #expect(try TagFormats.identify(link).chip == chip)
    #expect(link.commands.count == 1)
  }

  @Test func `a chip without a version is an Ultralight`() throws {
    let link = MemoryTag(16, container: bytes("E1100600"), hasFastRead: false)
    #expect(try TagFormats.identify(link).chip == .ultralight)
  }
}
