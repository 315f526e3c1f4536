import Bytes
import NDEF
import Testing

@testable import NDEF

struct MessageVectorTests {
  /// The cases on which implementations disagree: whether this one takes the bytes, and why.
  static let choices: [String: (taken: Bool, why: String)] = [
    "cts-invalid-03": (false, "bytes after the message end: a phone refuses the whole message"),
    "cts-invalid-08": (false, "bytes after the message end: a phone refuses the whole message"),
    "cts-invalid-14": (false, "format 6 outside a run of chunks says nothing"),
    "cts-valid-03": (true, "a type of no bytes: Android takes it"),
    "cts-valid-04": (true, "a type of no bytes: Android takes it"),
    "cts-valid-13": (true, "chunks are joined"),
    "cts-valid-14": (true, "chunks are joined"),
    "ndeflib-message-ok-00": (true, "no bytes are the message of an empty tag"),
    "ndeflib-smartposter-bad-01": (true, "the message is sound; the reserved action is left out"),
    "ndeflib-smartposter-bad-02": (true, "the message is sound; the odd size is left out"),
    "ndeflib-smartposter-bad-03": (true, "the message is sound; the odd size is left out"),
    "ndeflib-smartposter-bad-04": (true, "the message is sound; the garbled type is left out"),
    "ndeflib-bt-ep-bad-0": (true, "Bluetooth payloads are not interpreted"),
    "ndeflib-bt-ep-bad-1": (true, "Bluetooth payloads are not interpreted"),
    "ndefjs-02": (true, "a type that is no absolute URI is found on real tags"),
    "nfcim-01": (true, "an absolute URI stands in the type"),
    "nfcim-06": (true, "signatures are not interpreted"),
  ]

  /// Cases on the record layer that are read otherwise, for the reasons above.
  static let recordChoices: [String: (taken: Bool, why: String)] = [
    "ndeflib-record-bad-07": (true, "a type of no bytes: Android takes it")
  ]

  @Test func `every disputed case has a choice`() {
    let disputed = VectorCase.all(layer: "message").filter { $0.disputed == true }.map(\.name)
    #expect(Set(disputed) == Set(Self.choices.keys))
  }

  @Test(arguments: VectorCase.all(layer: "message"))
  func `a message is read, or refused, as the vectors say`(vector: VectorCase) throws {
    let taken = Self.choices[vector.name]?.taken ?? (vector.valid == .bool(true))
    guard taken else {
      let error = try #require(throws: NDEFError.self) { try NDEFMessage(parsing: vector.bytes) }
      #expect(!error.description.isEmpty)
      return
    }
    let message = try NDEFMessage(parsing: vector.bytes)
    if let expect = vector.expect { try check(message, against: expect) }
    #expect(try NDEFMessage(parsing: message.bytes) == message)
    if let canonical = vector.canonical {
      var rebuilt = message
      if vector.expect?["rtd"]?.text == "Sp",
        case .smartPoster(let poster) = message.records[0].content
      {
        rebuilt.records[0] = try .smartPoster(poster)
      }
      #expect((rebuilt.bytes == vector.bytes) == canonical)
    }
    #expect(!message.json.text.isEmpty)
  }

  private func check(_ message: NDEFMessage, against expect: Value) throws {
    if let list = expect["records"]?.list ?? expect.list {
      #expect(message.records.map(Fields.init) == list.map(Fields.init))
      return
    }
    let record = try #require(message.records.first)
    #expect(message.records.count == 1)
    if let uri = expect["uri"]?.text, expect["rtd"]?.text == "U" {
      #expect(record.content == .uri(uri))
      #expect(try NDEFRecord.uri(uri) == record)
    } else if let uri = expect["uri"]?.text {
      #expect(record.content == .smartPoster(SmartPoster(uri: uri)))
    } else if let format = expect["tnf"]?.number {
      #expect(Int(record.typeNameFormat.rawValue) == format)
      #expect(String(decoding: record.type, as: UTF8.self) == expect["type_text"]?.text)
    } else if let type = expect["mime"]?.text {
      guard case .mime(type, let bytes) = record.content else {
        Issue.record("\(record.content) is not of the media type \(type)")
        return
      }
      if let text = expect["text"]?.text { #expect(bytes == Array(text.utf8)) }
    } else if let package = expect["text"]?.text, expect["ext"]?.text == "android.com:pkg" {
      #expect(record.content == .application(package))
      #expect(try NDEFRecord.application(package) == record)
    } else {
      Issue.record("no check for \(expect)")
    }
  }

  @Test(arguments: VectorCase.all(layer: "record"))
  func `a record is read, or refused, as the vectors say`(vector: VectorCase) throws {
    var reader = RecordReader(vector.bytes)
    let taken = Self.recordChoices[vector.name]?.taken ?? (vector.valid == .bool(true))
    guard taken else {
      #expect(throws: NDEFError.self) { try reader.next() }
      return
    }
    let piece = try reader.next()
    guard let fields = vector.expect?.list?.first.flatMap(Fields.init) else { return }
    #expect(Int(piece.format.rawValue) == fields.format)
    #expect(piece.type == fields.type)
    #expect(piece.id == fields.id)
    #expect(piece.payload == fields.payload)
    guard piece.format != .unchanged else { return }
    var bytes: [UInt8] = []
    try piece.record.write(to: &bytes, first: false, last: false)
    #expect((bytes == vector.bytes) == vector.canonical)
  }

  @Test(arguments: VectorCase.all(layer: "tlv"))
  func `the message in a tag's data area is read`(vector: VectorCase) throws {
    for block in vector.expect?.list ?? [] where block.list?.first?.text == "ndef" {
      let bytes = try #require(block.list?.last?.bytes)
      #expect(try NDEFMessage(parsing: bytes).bytes == bytes)
    }
  }
}
