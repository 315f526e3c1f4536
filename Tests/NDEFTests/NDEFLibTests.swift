import Bytes
import Foundation
import Testing

@testable import NDEF

/// ndeflib as a second opinion, in both directions.
struct NDEFLibTests {
  @Test func `ndeflib reads what is written here`() throws {
    let messages = try Self.messages()
    let lines = try Self.judge("decode", input: messages.map { $0.bytes.hex })
    #expect(lines.count == messages.count)
    for (message, line) in zip(messages, lines) {
      let described = try #require(line.list)
      #expect(described.count == message.records.count)
      for (record, description) in zip(message.records, described) {
        try check(record, against: description)
      }
    }
  }

  @Test func `what ndeflib writes is read here`() throws {
    let samples = try Self.judge("encode", input: [])
    #expect(samples.count > 60)
    for sample in samples {
      let bytes = try #require(sample["hex"]?.bytes)
      let described = try #require(sample["records"]?.list)
      let message = try NDEFMessage(parsing: bytes)
      #expect(message.bytes == bytes)
      #expect(message.records.count == described.count)
      for (record, description) in zip(message.records, described) {
        try check(record, against: description)
      }
    }
  }

  private func check(_ record: NDEFRecord, against description: Value) throws {
    // ndeflib gives the bytes of its own encoding, which is little-endian for UTF-16.
    let usesUTF16 =
      switch record.content {
      case .text(let text): text.encoding == .utf16
      case .smartPoster(let poster): poster.titles.contains { $0.encoding == .utf16 }
      default: false
      }
    if !usesUTF16 { #expect(record.payload == description["bytes"]?.bytes) }
    #expect(record.id == description["id"]?.text.map { Array($0.utf8) })
    let type = String(decoding: record.type, as: UTF8.self)
    switch record.content {
    case .uri(let uri):
      #expect(uri == description["uri"]?.text)
    case .text(let text):
      #expect(text.text == description["text"]?.text)
      #expect(text.language == description["language"]?.text)
      #expect(text.encoding.rawValue == description["encoding"]?.text)
    case .smartPoster(let poster):
      #expect(poster.uri == description["uri"]?.text)
      let titles = poster.titles.map { ($0.language, Value.text($0.text)) }
      #expect(Dictionary(uniqueKeysWithValues: titles) == description["titles"]?.map)
      #expect(poster.action?.name == description["action"]?.text)
      #expect(poster.size.map { Int($0) } == description["size"]?.number)
      #expect(poster.type == description["resource"]?.text)
      let icons = poster.icons.map { ($0.mediaType, Value.text($0.bytes.hex)) }
      #expect(Dictionary(uniqueKeysWithValues: icons) == description["icons"]?.map)
    case .mime: #expect(description["type"]?.text == type)
    case .external, .application: #expect(description["type"]?.text == "urn:nfc:ext:\(type)")
    case .absoluteURI: #expect(description["type"]?.text == type)
    case .other: #expect(description["type"]?.text == "urn:nfc:wkt:\(type)")
    case .unknown: #expect(description["type"]?.text == "unknown")
    case .empty: #expect(description["type"]?.text == "")
    case .malformed(let fault): Issue.record("\(fault.reason)")
    }
  }

  /// One message of each kind of record, and one of all.
  private static func messages() throws -> [NDEFMessage] {
    var records = try URIPrefix.all.map { try NDEFRecord.uri("\($0)example.com/a?b=c") }
    for encoding in NDEFText.Encoding.allCases {
      for language in ["en", "de-CH", String(repeating: "x", count: 63)] {
        for text in ["", "Grüße", "😀 Δ", String(repeating: "a", count: 300)] {
          records.append(try .text(text, language: language, encoding: encoding))
        }
      }
    }
    records.append(try .smartPoster(SmartPoster(uri: "tel:+35891234567")))
    for action in SmartPoster.Action.allCases {
      records.append(
        try .smartPoster(
          SmartPoster(
            uri: "https://example.com/x",
            titles: [
              NDEFText("Title", language: "en"),
              NDEFText("Größe", language: "de", encoding: .utf16),
            ], action: action, size: 70000, type: "text/html",
            icons: [SmartPoster.Icon(mediaType: "image/png", bytes: [0x89, 0x50])])))
    }
    records.append(try .mime("image/png", Array(0...255)).identified(by: Array("an-id".utf8)))
    records.append(try .external("Example.com:T", [0, 0xFF]))
    records.append(try .application("com.example.app"))
    records.append(try .absoluteURI("https://example.com/schema", payload: [1, 2]))
    records.append(try NDEFRecord(typeNameFormat: .unknown, payload: [7]))
    records.append(.empty)
    return records.map { NDEFMessage([$0]) } + [NDEFMessage(records)]
  }

  /// The lines that Fixtures/ndeflib_judge.py prints, run by a Python that has ndeflib.
  private static func judge(_ mode: String, input: [String]) throws -> [Value] {
    let script = try #require(
      Bundle.module.url(forResource: "Fixtures/ndeflib_judge", withExtension: "py"))
    let scratch = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: scratch, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: scratch) }
    let given = scratch.appending(path: "in")
    let taken = scratch.appending(path: "out")
    try Data(input.map { "\($0)\n" }.joined().utf8).write(to: given)
    try Data().write(to: taken)
    let process = Process()
    let python = ProcessInfo.processInfo.environment["NFCPY_PYTHON"] ?? "python3"
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = [python, script.path, mode]
    process.standardInput = try FileHandle(forReadingFrom: given)
    process.standardOutput = try FileHandle(forWritingTo: taken)
    let complaints = Pipe()
    process.standardError = complaints
    try process.run()
    let words = String(
      decoding: complaints.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    try #require(
      process.terminationStatus == 0,
      """
      \(python) cannot run ndeflib (pip install ndeflib, and name that Python in NFCPY_PYTHON): \
      \(words)
      """)
    return try String(decoding: Data(contentsOf: taken), as: UTF8.self)
      .split(separator: "\n")
      .map { try JSONDecoder().decode(Value.self, from: Data($0.utf8)) }
  }
}
