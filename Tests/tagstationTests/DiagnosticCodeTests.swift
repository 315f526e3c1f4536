import Diagnostics
import Foundation
import Testing

/// The names of findings: in the sources, in the table, in the documentation and in the kept set.
@Suite struct DiagnosticCodeTests {
  static let top = RejectedTests.folder.deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  static func texts(_ folder: String, _ ending: String) throws -> [String] {
    let url = top.appending(path: folder)
    return try FileManager.default.subpathsOfDirectory(atPath: url.path())
      .filter { $0.hasSuffix(ending) }
      .map { try String(contentsOf: url.appending(path: $0), encoding: .utf8) }
  }

  /// How the sources give a name to a finding.
  static func names(in text: String) -> [Substring] {
    let ways = [
      /(?:error|warning|note|forbid|stop|ignored)\(\s*"([a-z][a-z0-9-]*)"/,
      /to: &findings, "([a-z-]+)"/, /code: "([a-z-]+)"/,
      /(?:Diagnostic|tell)\(\s*\.[a-z]+, "([a-z-]+)"/,
      // Where one of two is given.
      /[?(] "?([a-z]+-[a-z]+)" : "data-quote"/, /: "(data-quote)"/,
      /"(too-large)"[ ,]/, /: "(unreadable)"/, /\("(unreadable)",/,
    ]
    return ways.flatMap { way in text.matches(of: way).map(\.1) }
  }

  static func codesInSources() throws -> Set<String> {
    var codes: Set<String> = []
    for folder in ["JobFile", "DataSource", "YAMLTree", "Declarations", "tagstation/Commands"] {
      for text in try texts("Sources/\(folder)", ".swift") {
        codes.formUnion(names(in: text).map(String.init))
      }
    }
    codes.formUnion(
      names(
        in: try String(
          contentsOf: top.appending(path: "Sources/tagstation/JobSetup.swift"), encoding: .utf8)
      ).map(String.init))
    // Entries of declared lists name their faults in one place.
    let faults = try texts("Sources/Declarations", "EntryFault.swift").joined()
    let body = faults.split(separator: "package var code: String").last ?? ""
    let switched = body.split(separator: "package var message").first ?? ""
    codes.formUnion(switched.matches(of: /: "([a-z-]+)"/).map { String($0.1) })
    return codes
  }

  @Test func `the table has every name, in order`() throws {
    let table = DiagnosticCodes.all.map(\.code)
    #expect(table == table.sorted())
    let used = try Self.codesInSources()
    #expect(used.subtracting(table) == [], "without a meaning")
    #expect(Set(table).subtracting(used) == [], "never given")
    for (code, meaning) in DiagnosticCodes.all {
      #expect(!meaning.isEmpty && !meaning.hasSuffix("."), "\(code)")
    }
  }

  /// What no file of the kept set is answered with.
  static let exceptions: [String: String] = [
    "data-column": "columns that are not there are told where the job names them",
    "endless": "told by `run`, which knows whether somebody is there",
    "too-large": "needs a file of more than 1 MiB",
    "too-many-nodes": "needs a file of more than 100,000 values",
  ]

  @Test func `the kept set draws every name`() throws {
    var drawn: Set<String> = []
    for text in try Self.texts("Tests/JobFileTests/Fixtures/rejected", ".txt") {
      for match in text.matches(of: /\[([a-z0-9-]+)\]\n/) { drawn.insert(String(match.1)) }
    }
    let missing = Set(DiagnosticCodes.all.map(\.code)).subtracting(drawn)
    #expect(missing.subtracting(Self.exceptions.keys) == [], "no case draws them")
  }

  @Test func `the documentation has the table`() throws {
    let file = Self.top.appending(path: "docs/diagnostics.md")
    let kept = try String(contentsOf: file, encoding: .utf8)
    let mark = "<!-- From here on made of the program's own table. -->\n\n"
    let hand = try #require(kept.range(of: mark))
    let rows = DiagnosticCodes.all.map { "| `\($0.code)` | \($0.meaning) |\n" }
    let text = kept[..<hand.upperBound] + "| name | |\n| --- | --- |\n" + rows.joined()
    if ProcessInfo.processInfo.environment["RECORD_SCHEMA"] != nil {
      try Data(text.utf8).write(to: file)
    } else {
      #expect(kept == text, "docs/diagnostics.md is out of date")
    }
  }
}
