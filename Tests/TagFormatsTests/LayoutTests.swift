import Bytes
import Testing

@testable import TagFormats

/// Where a message lies, with control, proprietary and NULL TLVs before it.
@Suite struct LayoutTests {
  struct Row: Sendable, CustomTestStringConvertible {
    let testDescription: String
    var container = "E1101200"
    var data: String
    var content: TagContent
    var capacity: Int
  }

  /// Text record of linux_libnfc-nci issue 94.
  static let text = "D1010E5402656E6B697373202D20636F6C64"
  static let textBytes: [UInt8] = bytes(text)

  static let rows = [
    Row(
      testDescription: "the factory's lock control TLV of NTAG213, and an empty message",
      data: "0103A00C34 0300FE", content: .empty, capacity: 137),
    Row(
      testDescription: "the NDEF TLV in the first block", data: "0312 \(text) FE",
      content: .message(textBytes), capacity: 142),
    Row(
      testDescription: "the NDEF TLV in the second block", data: "0103A00C34 0312 \(text) FE",
      content: .message(textBytes), capacity: 137),
    Row(
      testDescription: "the NDEF TLV in the third block, behind lock and memory control",
      data: "0103A00C34 0203A00834 0312 \(text) FE", content: .message(textBytes), capacity: 132),
    Row(
      testDescription: "NULL TLVs before the NDEF TLV", data: "0000000000 0312 \(text) FE",
      content: .message(textBytes), capacity: 137),
    Row(
      testDescription: "a proprietary TLV before the NDEF TLV", data: "FD03AABBCC 0312 \(text) FE",
      content: .message(textBytes), capacity: 137),
    Row(
      testDescription: "a terminator first", data: "FE 0312 \(text)", content: .empty, capacity: 142
    ),
    Row(testDescription: "nothing but zeros", data: "", content: .empty, capacity: 142),
    Row(
      testDescription: "a length of three bytes for a short message", data: "03FF0012 \(text) FE",
      content: .message(textBytes), capacity: 142),
    Row(
      testDescription: "a message that ends past the data area", data: "0390D1",
      content: .broken("the message's length, 144, is more than the data area holds"),
      capacity: 142),
    Row(
      testDescription: "a proprietary TLV that ends past the data area", data: "FDFF0100AA",
      content: .broken("a TLV's value lies past the end of the data area"), capacity: 142),
    Row(
      testDescription: "a size byte of 2 means 16 bytes", container: "E1100200",
      data: "0103A00C34 0300FE", content: .empty, capacity: 9),
    Row(
      testDescription: "a capability container that claims more than the chip has",
      container: "E110FF00", data: "0300FE", content: .empty, capacity: 142),
  ]

  @Test(arguments: rows)
  func `a layout is walked as it is`(_ row: Row) throws {
    let link = MemoryTag(45, container: bytes(row.container), data: bytes(row.data))
    let survey = try Type2Tag(link, chip: .ntag213).survey()
    #expect(survey.content == row.content)
    #expect(survey.capacity == row.capacity)
  }

  @Test func `reserved bytes inside the data area are skipped, and kept by writing`() throws {
    // Memory control TLV: page address 2, offset 8 of 16 bytes a page: address 40; 6 bytes.
    let written = bytes("0203280604 0312 \(Self.text)")
    let reserved = 40..<46
    // Address 16 + 24 = 40: the reserved bytes fall behind the message's seventeenth byte.
    let cut = 40 - 16
    let kept: [UInt8] = [0xB0, 0xB1, 0xB2, 0xB3, 0xB4, 0xB5]
    let data = Array(written[..<cut]) + kept + Array(written[cut...]) + [0xFE]
    let link = MemoryTag(45, container: [0xE1, 0x10, 0x12, 0], data: data)
    let tag = Type2Tag(link, chip: .ntag213)
    let survey = try tag.survey()
    #expect(survey.content == .message(Self.textBytes))
    #expect(survey.capacity == 144 - 6 - 5 - 2)
    for count in [0, 15, 16, 17, 18, 19, 20, 100, survey.capacity] {
      let message = [UInt8](repeating: 0x5A, count: count)
      tag.forget()
      _ = try tag.survey()
      let plan = try tag.plan(message)
      try tag.perform(plan.body + [plan.commit].compactMap { $0 })
      let memory = link.pages.flatMap { $0 }
      #expect(Array(memory[reserved]) == kept, "\(count)")
      #expect(
        PlainContent.read(link.pages, size: 144, reserved: reserved)
          == (count == 0 ? .empty : .message(message)))
    }
  }

  @Test func `a capability container that is not E1 is no NDEF format`() throws {
    for container in ["F1101200", "12345678", "E1201200", "E1100000"] {
      let link = MemoryTag(45, container: bytes(container), data: [3, 0, 0xFE])
      let survey = try Type2Tag(link, chip: .ntag213).survey()
      guard case .unformatted = survey.content else {
        Issue.record("\(container): \(survey.content)")
        continue
      }
    }
  }
}
