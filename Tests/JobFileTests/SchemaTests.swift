import Bytes
import Diagnostics
import Foundation
import Testing

@testable import JobFile

/// The schema and the tables of keys that are kept in the repository, and an independent judge.
///
/// With `RECORD_SCHEMA` set, the kept files are written instead of compared. The judge is
/// check-jsonschema, by `CHECK_JSONSCHEMA` or in `PATH`.
@Suite struct SchemaTests {
  static let top = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
  static let schema = top.appending(path: "schema/tagstation.schema.json")
  static let fixtures = Bundle.module.bundlePath + "/Fixtures"
  static let rejected = fixtures + "/rejected"

  static let judge: String? = {
    let environment = ProcessInfo.processInfo.environment
    let folders = (environment["PATH"] ?? "").split(separator: ":")
    let paths = [environment["CHECK_JSONSCHEMA"]] + folders.map { "\($0)/check-jsonschema" }
    return paths.compactMap { $0 }.first { FileManager.default.isExecutableFile(atPath: $0) }
  }()

  /// Holds `text` against a kept file, or keeps it.
  static func expect(_ text: String, in file: URL) throws {
    if ProcessInfo.processInfo.environment["RECORD_SCHEMA"] != nil {
      try Data(text.utf8).write(to: file)
      return
    }
    let kept = try String(contentsOf: file, encoding: .utf8)
    #expect(kept == text, "\(file.lastPathComponent) is out of date")
  }

  @Test func `the kept schema is the generated one`() throws {
    try Self.expect(JSONSchema.document().lines + "\n", in: Self.schema)
  }

  @Test func `the documentation has the generated tables`() throws {
    let file = Self.top.appending(path: "docs/job-files.md")
    let kept = try String(contentsOf: file, encoding: .utf8)
    let mark = "<!-- From here on made of the decoder's own description. -->\n\n"
    let hand = try #require(kept.range(of: mark))
    try Self.expect(kept[..<hand.upperBound] + KeyTables.markdown, in: file)
  }

  @Test(arguments: ["jobs", "examples"])
  func `files that people copy name the schema`(folder: String) throws {
    let files = try FileManager.default.subpathsOfDirectory(
      atPath: Self.top.appending(path: folder).path()
    ).filter { $0.hasSuffix(".yaml") && !$0.contains("/") }
    #expect(!files.isEmpty)
    for file in files {
      let text = try String(
        contentsOf: Self.top.appending(path: "\(folder)/\(file)"), encoding: .utf8)
      let line = "# yaml-language-server: $schema=../schema/tagstation.schema.json\n"
      #expect(text.hasPrefix(line), "\(folder)/\(file)")
    }
  }

  @Test func `what later versions bring is left out`() {
    let text = JSONSchema.document().text
    for word in ["onTag", "yieldBelow", "programs", "genuine"] {
      #expect(!text.contains("\"\(word)\""), "\(word)")
    }
  }

  @Test func `each kind of file has a schema of its own`() throws {
    for subject in FileSubject.allCases {
      let object = try JSONSerialization.jsonObject(
        with: Data(JSONSchema.document(for: subject).text.utf8))
      let schema = try #require(object as? [String: Any])
      #expect(schema["$schema"] as? String == "http://json-schema.org/draft-07/schema#")
      if subject == .faults {
        #expect((schema["anyOf"] as? [[String: Any]])?.first?["type"] as? String == "array")
        continue
      }
      let keys = try #require(schema["properties"] as? [String: Any]).keys
      #expect(keys.contains(subject == .job ? "steps" : "readers"))
    }
  }
}

/// The product and an independent checker with the schema, over all kept files.
@Suite(.enabled(if: SchemaTests.judge != nil)) struct SchemaJudgeTests {
  struct Report: Decodable {
    struct Entry: Decodable { var filename: String }
    var errors: [Entry]
    var parse_errors: [Entry]
  }

  static func run(_ arguments: [String]) throws -> (status: Int32, output: Data) {
    let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try Data().write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    let process = Process()
    process.executableURL = SchemaTests.judge.map { URL(filePath: $0) }
    process.arguments = arguments
    process.standardOutput = try FileHandle(forWritingTo: file)
    process.standardError = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    return (process.terminationStatus, try Data(contentsOf: file))
  }

  @Test func `the schema is a schema`() throws {
    #expect(try Self.run(["--check-metaschema", SchemaTests.schema.path()]).status == 0)
  }

  /// Faults that only the product sees, and `order`, which only the schema refuses.
  static let beyondSchema: [String: String] = [
    "anchor": "YAML that the product does not take",
    "base64": "a text that may be a template",
    "batches-without-steps": "the steps may be the job's",
    "data-lines": "lines and steps",
    "data-lines-total": "what a template refers to",
    "data-match": "a rule between two keys",
    "data-scan": "a rule between two keys",
    "data-uid": "a rule between two keys",
    "data-uid-column": "a rule between two keys",
    "expect-kind": "a text that may be a template",
    "extends-itself": "the fault lies in the chain of files",
    "faults-moments": "a rule between two keys",
    "hex-unquoted": "a text that may be a template",
    "icon": "the content of a file",
    "lock-last": "the order of steps",
    "merge-key": "YAML that the product does not take",
    "message-bytes": "the bytes are no message",
    "message-file": "the file is not there",
    "ndef-read-once-writing": "a rule between a session and its steps",
    "nul": "a character that YAML refuses",
    "order": "a key without a value takes one away",
    "pattern": "the form of a pattern",
    "password-order": "the order of steps",
    "payment-writing": "a rule between a session and its steps",
    "repeat-with-rows": "a rule between two keys",
    "second-write": "the order of steps",
    "serial-format-percent": "the form of a number",
    "station-app": "what is in a property list",
    "station-app-text": "what is in a property list",
    "station-fault-files": "what is in another file",
    "station-deck-count": "a text that may be a path",
    "station-deck-times": "a text that may be a path",
    "station-payment": "what payment needs",
    "station-plist-array": "what is in a property list",
    "station-plist-missing": "the file is not there",
    "station-plist-not-a-list": "what is in a property list",
    "station-plist-spaced-identifier": "what is in a property list",
    "station-plist-unclosed": "what is in a property list",
    "template-argument": "the form of a template",
    "template-column": "what a template refers to",
    "template-filter": "the form of a template",
    "template-no-value": "the form of a template",
    "template-space-name": "the form of a template",
    "template-too-early": "what a template refers to",
    "template-without-data": "what a template refers to",
    "too-many-directives": "YAML that the product does not take",
    "verify-without-write": "the order of steps",
    "write-lock-text": "the order of steps",
  ]
  @Test func `the schema and the product agree on the kept files`() throws {
    var files: [(path: String, isGood: Bool)] = []
    let manager = FileManager.default
    for folder in ["jobs", "examples"].map({ SchemaTests.top.appending(path: $0).path() })
      + ["accepted", "good", "rejected", "extends"].map({ "\(SchemaTests.fixtures)/\($0)" })
    {
      for name in try manager.contentsOfDirectory(atPath: folder) where name.hasSuffix(".yaml") {
        let path = "\(folder)/\(name)"
        let bytes = Array(try Data(contentsOf: URL(filePath: path)))
        let findings =
          switch FileSubject(of: bytes) {
          case .station: StationFile.read(path).findings
          case .faults: FaultsFile.read(path).findings
          case .job: JobFile.read(path).findings
          }
        files.append((path, !findings.hasErrors))
      }
    }
    #expect(files.count > 250)
    let (_, output) = try Self.run(
      ["-o", "json", "--schemafile", SchemaTests.schema.path()] + files.map(\.path))
    let report = try JSONDecoder().decode(Report.self, from: output)
    let refused = Set((report.errors + report.parse_errors).map(\.filename))
    for (path, isGood) in files {
      let name = URL(filePath: path).deletingPathExtension().lastPathComponent
      let isExpected = Self.beyondSchema[name] != nil
      #expect((isGood != refused.contains(path)) != isExpected, "\(path)")
    }
  }
}
