import DataSource
import Diagnostics
import Foundation

/// A folder for one test's files, removed when the value goes.
final class Scratch: Sendable {
  let folder: String

  init() throws {
    folder = NSTemporaryDirectory() + "/data-source-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  func write(_ bytes: [UInt8], as name: String) throws -> String {
    let path = "\(folder)/\(name)"
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    return path
  }
}

/// What came of opening a file: its rows or what was found wrong.
struct Opened {
  var rows: DataRows?
  var findings = Findings()

  static func csv(
    _ bytes: [UInt8], delimiter: UInt8? = nil, encoding: String? = nil, header: [String]? = nil
  ) throws -> Opened {
    let scratch = try Scratch()
    let path = try scratch.write(bytes, as: "data.csv")
    var opened = Opened()
    opened.rows = DataRows.open(
      .csv(
        path: path, delimiter: delimiter, encoding: encoding, header: header,
        place: Place(file: "job.yaml", line: 2, column: 13)), findings: &opened.findings)
    return opened
  }

  static func csv(
    _ text: String, delimiter: UInt8? = nil, encoding: String? = nil, header: [String]? = nil
  ) throws -> Opened {
    try csv(Array(text.utf8), delimiter: delimiter, encoding: encoding, header: header)
  }

  static func jsonl(_ text: String) throws -> Opened {
    let scratch = try Scratch()
    let path = try scratch.write(Array(text.utf8), as: "data.jsonl")
    var opened = Opened()
    opened.rows = DataRows.open(
      .jsonl(path: path, place: Place(file: "job.yaml", line: 2, column: 13)),
      findings: &opened.findings)
    return opened
  }

  static func inline(_ rows: [[(name: String, value: String)]]) -> Opened {
    var opened = Opened()
    let placed = rows.enumerated().map {
      (fields: $0.element, place: Place(file: "job.yaml", line: $0.offset + 3, column: 5))
    }
    opened.rows = DataRows.open(.rows(placed), findings: &opened.findings)
    return opened
  }

  /// The heading and all records, as texts; `nil` if the file was refused.
  var table: [[String]]? {
    get throws {
      guard let rows else { return nil }
      let records = try (0..<rows.count).map { index in
        let row = try rows.row(at: index)
        return rows.columns.map { row[$0] ?? "–" }
      }
      return [rows.columns] + records
    }
  }

  /// Every finding as `line:column code message`.
  var faults: [String] {
    findings.all.map {
      "\($0.place?.line ?? 0):\($0.place?.column ?? 0) \($0.code) \($0.message)"
    }
  }
}
