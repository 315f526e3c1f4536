import Readers
import Testing

@testable import TagFormats

/// Tags as the factory made them, and those that are not to be formatted.
@Suite struct FormattingTests {
  @Test(arguments: [
    (Chip.ultralight, 16, "E1100600"), (.ultralightEV1Small, 20, "E1100600"),
    (.ultralightEV1Large, 41, "E1101000"), (.ntag213, 45, "E1101200"), (.ntag215, 135, "E1103E00"),
    (.ntag216, 231, "E1106D00"),
  ])
  func `a blank tag gets its chip's capability container with its first message`(
    _ chip: Chip, _ pages: Int, _ container: String
  ) throws {
    let link = MemoryTag(pages, container: bytes("00000000"), hasFastRead: chip != .ultralight)
    if let configuration = Type2Chip.facts(chip)?.configuration {
      link.pages[configuration] = bytes("000000FF")
    }
    let tag = Type2Tag(link, chip: chip)
    let survey = try tag.survey()
    #expect(survey.content == .blank)
    #expect(survey.obstacle == nil)
    let plan = try tag.plan(bytes("D00000"))
    try tag.perform(plan.body + [plan.commit].compactMap { $0 })
    #expect(link.pages[3] == bytes(container))
    #expect(link.pages[4] == bytes("0303D000"))
    tag.forget()
    #expect(try tag.survey().content == .message(bytes("D00000")))
  }

  /// Page 3 is one-time programmable: a write to it sets bits (MF0ULx1 data sheet 8.5.4).
  @Test(arguments: ["E1100000", "00000600", "E1100400", "01000000"])
  func `a capability container that a torn write left half is completed`(_ half: String) throws {
    let link = MemoryTag(20, container: bytes(half), hasFastRead: true)
    link.pages[16] = bytes("000000FF")
    let tag = Type2Tag(link, chip: .ultralightEV1Small)
    #expect(try tag.survey().content == .blank)
    let plan = try tag.plan(bytes("D00000"))
    #expect(plan.body.first == MemoryWrite(3, bytes("E1100600")))
  }

  @Test(arguments: ["E1100600", "E2100000", "E110000F"])
  func `a container that the chip's own cannot come of is left alone`(_ other: String) throws {
    let link = MemoryTag(20, container: bytes(other), hasFastRead: true)
    link.pages[16] = bytes("000000FF")
    let tag = Type2Tag(link, chip: .ultralightEV1Small)
    #expect(try tag.survey().content != .blank)
  }

  @Test func `a smaller container with a message is no half one`() throws {
    let link = MemoryTag(20, container: bytes("E1100400"), hasFastRead: true)
    link.pages[16] = bytes("000000FF")
    link.pages[4] = bytes("0303D000")
    link.pages[5] = bytes("00FE0000")
    let survey = try Type2Tag(link, chip: .ultralightEV1Small).survey()
    #expect(survey.content == .message(bytes("D00000")))
  }

  @Test func `memory that holds something is not blank`() throws {
    let link = MemoryTag(16, container: bytes("00000000"), hasFastRead: false)
    link.pages[15] = [0, 0, 0, 1]
    let tag = Type2Tag(link, chip: .ultralight)
    #expect(try tag.survey().content == .unformatted("no NDEF capability container: 00000000"))
    #expect(throws: TagError.self) { _ = try tag.plan([]) }
  }

  @Test func `a blank tag whose page 3 is locked is not written`() throws {
    let link = MemoryTag(16, container: bytes("00000000"), hasFastRead: false)
    link.pages[2][2] = 0x08
    let survey = try Type2Tag(link, chip: .ultralight).survey()
    #expect(survey.obstacle == .locked("static lock bytes 0800"))
  }
}
