import Bytes
import Testing

@testable import NDEF

struct NDEFMessageTests {
  private func parse(_ hex: String) throws -> NDEFMessage {
    try NDEFMessage(parsing: try #require([UInt8](hex: hex)))
  }

  @Test func `no records are no bytes, and the other way round`() throws {
    #expect(NDEFMessage().bytes.isEmpty)
    #expect(try NDEFMessage(parsing: []).records.isEmpty)
    #expect(NDEFMessage().isEmpty)
    #expect(try parse("D00000").isEmpty)
    #expect(try parse("D00000").records == [.empty])
    #expect(try !parse("900000500000").isEmpty)
  }

  @Test(arguments: ["message", "record"].flatMap { VectorCase.all(layer: $0) })
  func `a message cut at any byte is refused, and never crashes`(vector: VectorCase) throws {
    guard let whole = try? NDEFMessage(parsing: vector.bytes) else { return }
    for count in vector.bytes.indices.dropFirst() {
      #expect(throws: NDEFError.self) {
        try NDEFMessage(parsing: Array(vector.bytes[..<count]))
      }
    }
    for record in whole.records {
      for count in record.payload.indices {
        let cut = NDEFRecord(
          checked: record.typeNameFormat, type: record.type,
          payload: Array(record.payload[..<count]))
        _ = cut.json.text
      }
    }
  }

  @Test func `any flipped byte is read or refused, never a crash`() throws {
    for vector in VectorCase.all(layer: "message") where vector.bytes.count < 80 {
      for index in vector.bytes.indices {
        for flip: UInt8 in [0x01, 0x08, 0x10, 0x20, 0x80, 0xFF] {
          var bytes = vector.bytes
          bytes[index] ^= flip
          guard let message = try? NDEFMessage(parsing: bytes) else { continue }
          #expect(try NDEFMessage(parsing: message.bytes) == message)
          _ = message.json.text
        }
      }
    }
  }

  @Test(arguments: [
    ("D0", "the message ends inside the header of the record at byte 0"),
    ("C0000000", "the message ends inside the header of the record at byte 0"),
    (
      "C500FFFFFFFF",
      "the record at byte 0 announces 4294967295 bytes after its header, but 0 follow"
    ),
    (
      "910101550051010255",
      "the record at byte 5 announces 3 bytes after its header, but 1 follow"
    ),
    ("500000", "the record at byte 0 does not have the message begin flag"),
    ("900000D00000", "the record at byte 3 has the message begin flag, but is not the first"),
    ("900000", "the message ends at byte 3 without a record that has the message end flag"),
    ("D0000000", "the message ends at byte 3, but 1 more byte follows"),
    ("D000000000", "the message ends at byte 3, but 2 more bytes follow"),
    ("900000560000", "the record at byte 3 continues a chunked record, but none was begun"),
    ("B5000101510000", "the record at byte 4 should continue the chunked record before it"),
    ("F50000", "the chunk at byte 0 has the message end flag, but announces another chunk"),
    (
      "D10100D501010055",
      "the message ends at byte 4, but 4 more bytes follow"
    ),
    (
      "D501000A",
      "the record at byte 0 has the type name format 5, which allows no type"
    ),
    (
      "B00000560001FF",
      "the record at byte 0 has the type name format 0, which allows no payload"
    ),
    (
      "B5000156560100AA",
      "the record at byte 4 has the type name format 6, which allows no type"
    ),
  ])
  func `an error says which byte and why`(hex: String, sentence: String) {
    let error = #expect(throws: NDEFError.self) { try parse(hex) }
    #expect(error?.description == sentence)
  }

  @Test func `the reserved format 7 is read as unknown`() throws {
    #expect(
      try parse("D70001AA").records == [NDEFRecord(typeNameFormat: .unknown, payload: [0xAA])])
  }

  @Test(arguments: [0, 1, 250, 251, 252, 253, 254, 255, 256, 257, 300, 65535, 65536, 70000])
  func `payloads of any length come back`(count: Int) throws {
    let payload = (0..<count).map { UInt8(truncatingIfNeeded: $0) }
    let record = try NDEFRecord.mime("a/b", payload)
    let message = NDEFMessage([record, record, record])
    #expect(try NDEFMessage(parsing: message.bytes) == message)
    let header = count <= 255 ? 3 : 6
    #expect(message.bytes.count == 3 * (header + 3 + count))
    #expect(message.bytes[0] == (count <= 255 ? 0x92 : 0x82))
  }

  @Test func `the longest short record and the first long one are told apart`() throws {
    // A message of 259 bytes and one more byte of text, as writers that count the length wrongly cut it.
    let short = try NDEFMessage([.text(String(repeating: "c", count: 252), language: "en")]).bytes
    let long = try NDEFMessage([.text(String(repeating: "c", count: 253), language: "en")]).bytes
    #expect(short.starts(with: [0xD1, 0x01, 0xFF, 0x54, 0x02, 0x65, 0x6E]))
    #expect(short.count == 0x103)
    #expect(long.starts(with: [0xC1, 0x01, 0x00, 0x00, 0x01, 0x00, 0x54, 0x02, 0x65, 0x6E]))
    #expect(long.count == 0x107)
  }

  @Test func `posters in posters are not read into, however deep they lie`() throws {
    func poster(_ records: [NDEFRecord]) throws -> NDEFRecord {
      try NDEFRecord(
        typeNameFormat: .wellKnown, type: Array("Sp".utf8), payload: NDEFMessage(records).bytes)
    }
    var inner = try NDEFRecord.text("within", language: "en")
    for _ in 0..<5000 { inner = try poster([.uri("https://example.com/"), inner]) }
    guard case .smartPoster(let outer) = inner.content else {
      Issue.record("\(inner.content)")
      return
    }
    #expect(outer == SmartPoster(uri: "https://example.com/"))
  }

  @Test func `chunks are joined in time that grows with the message`() throws {
    var bytes: [UInt8] = [0xB2, 3, 1, 0x61, 0x2F, 0x62, 0]
    for _ in 0..<200_000 { bytes += [0x36, 0, 1, 7] }
    bytes += [0x56, 0, 1, 9]
    let message = try NDEFMessage(parsing: bytes)
    #expect(message.records.count == 1)
    #expect(message.records[0].payload.count == 200_002)
  }
}
