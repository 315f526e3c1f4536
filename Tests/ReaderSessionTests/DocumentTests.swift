import Foundation
import Testing

/// The page on sessions names the tests that show what it says.
@Suite struct DocumentTests {
  private static let root = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  @Test func `every test that the page on sessions names is there`() throws {
    let page = try String(
      contentsOf: Self.root.appending(path: "docs/sessions.md"), encoding: .utf8)
    let folder = Self.root.appending(path: "Tests")
    let files = try FileManager.default.subpathsOfDirectory(atPath: folder.path())
    let sources = try files.filter { $0.hasSuffix(".swift") }.map {
      try String(contentsOf: folder.appending(path: $0), encoding: .utf8)
    }.joined()
    // «…» is a test function, ‹…› one of its cases.
    let tests = Self.names(in: page, between: "«", and: "»")
    let rows = Self.names(in: page, between: "‹", and: "›")
    #expect(tests.count > 20 && rows.count > 20)
    for test in tests where !sources.contains("func `\(test)`") {
      Issue.record("no test is called \(test)")
    }
    for row in rows where !sources.contains("\"\(row)\"") {
      Issue.record("no case is called \(row)")
    }
  }

  private static func names(
    in page: String, between opening: Character, and closing: Character
  ) -> Set<String> {
    Set(
      page.split(separator: opening).dropFirst().compactMap {
        $0.split(separator: closing, maxSplits: 1).first.map {
          $0.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        }
      }.filter { !$0.isEmpty })
  }
}
