import Diagnostics
import Testing

/// Findings as people see them.
@Suite struct RenderingTests {
  static func render(_ source: String, _ place: Place, colour: Bool = false) -> String {
    var renderer = Renderer(colour: colour) { $0 == "a.yaml" ? Array(source.utf8) : nil }
    return renderer.render(Diagnostic(.error, "code", "message", at: place))
  }

  @Test func `a place is shown with a mark under it`() {
    let text = Self.render("one\ntwo three\n", Place(file: "a.yaml", line: 2, column: 5, length: 5))
    #expect(text == "a.yaml:2:5: error: message [code]\n  two three\n      ^~~~~\n")
  }

  @Test func `a tab is four blanks, so that the mark stays under its word`() {
    let text = Self.render("\ta:\tb\n", Place(file: "a.yaml", line: 1, column: 5))
    #expect(text == "a.yaml:1:5: error: message [code]\n      a:    b\n            ^\n")
  }

  @Test func `columns are code points`() {
    let text = Self.render("äö\u{1F600} x", Place(file: "a.yaml", line: 1, column: 5))
    #expect(text == "a.yaml:1:5: error: message [code]\n  äö\u{1F600} x\n      ^\n")
  }

  @Test func `a place at the end of a line is behind it`() {
    let text = Self.render("ab", Place(file: "a.yaml", line: 1, column: 3))
    #expect(text == "a.yaml:1:3: error: message [code]\n  ab\n    ^\n")
  }

  @Test func `a mark does not leave its line`() {
    let text = Self.render("abc\nd", Place(file: "a.yaml", line: 1, column: 2, length: 50))
    #expect(text == "a.yaml:1:2: error: message [code]\n  abc\n   ^~\n")
  }

  @Test func `what acts on a terminal is shown as an escape`() {
    let text = Self.render("a\u{1B}[2Jb", Place(file: "a.yaml", line: 1, column: 6))
    #expect(text == "a.yaml:1:6: error: message [code]\n  a\\u{1B}[2Jb\n            ^\n")
    var renderer = Renderer { _ in nil }
    let hostile = Diagnostic(
      .warning, "code", "a\u{202E}b\n", at: Place(file: "x\u{7}.yaml"), help: "\u{9B}1m")
    #expect(
      renderer.render(hostile)
        == "x\\u{7}.yaml: warning: a\\u{202E}b\\u{A} [code]\n  help: \\u{9B}1m\n")
  }

  @Test func `what is hidden in a line is hidden in every finding about it`() {
    let source = "a: {b: c, password: tiger, d: e}\nf: tiger"
    var findings = Findings()
    let place = { (column: Int, length: Int) in
      Place(file: "a.yaml", line: 1, column: column, length: length)
    }
    findings.error("one", "first", at: place(5, 1))
    findings.error("two", "whole", at: place(4, 29))
    findings.add(Diagnostic(.error, "three", "secret", at: place(21, 5), hiding: [place(21, 5)]))
    findings.error("four", "behind", at: place(28, 1))
    var renderer = Renderer { _ in Array(source.utf8) }
    #expect(
      renderer.render(findings) == """
        a.yaml:1:5: error: first [one]
          a: {b: c, password: (hidden)
              ^
        a.yaml:1:4: error: whole [two]
          a: {b: c, password: (hidden)
             ^~~~~~~~~~~~~~~~~~~~~~~~~
        a.yaml:1:21: error: secret [three]
          a: {b: c, password: (hidden)
                              ^~~~~~~~
        a.yaml:1:28: error: behind [four]
          a: {b: c, password: (hidden)
                              ^~~~~~~~
        4 errors

        """)
    let other = Diagnostic(.error, "five", "later", at: place(1, 1))
    #expect(!renderer.render(other).contains("tiger"))
  }

  @Test func `a line of any length is cut around the place`() {
    let source = String(repeating: "x", count: 1000)
    let text = Self.render(source, Place(file: "a.yaml", line: 1, column: 500))
    let lines = text.split(separator: "\n")
    #expect(lines[1].count == 2 + 1 + 160 + 1)
    #expect(lines[2] == "  " + String(repeating: " ", count: 81) + "^")
  }

  @Test func `a long text is cut, and what is left out is counted`() {
    #expect(shown(String(repeating: "x", count: 1000)) == String(repeating: "x", count: 1000))
    let long = shown(String(repeating: "\u{7}", count: 1003))
    #expect(long == String(repeating: "\\u{7}", count: 1000) + "… (3 more)")
  }

  @Test func `lines stay lines, and nothing else in them acts`() {
    #expect(shownLines("a\nb\u{9B}1m\t\u{2028}") == "a\nb\\u{9B}1m\\u{9}\\u{2028}")
  }

  @Test func `without a source the place alone is said`() {
    let text = Self.render("one", Place(file: "b.yaml", line: 9, column: 1))
    #expect(text == "b.yaml:9:1: error: message [code]\n")
    #expect(Self.render("one", Place(file: "a.yaml", line: 9, column: 1)).hasSuffix("[code]\n"))
    #expect(Self.render("one", Place(file: "a.yaml", line: 1)).hasSuffix("[code]\n  one\n"))
  }

  @Test func `a second place has its line too`() {
    var renderer = Renderer { _ in Array("a: 1\na: 2".utf8) }
    let diagnostic = Diagnostic(
      .error, "duplicate-key", "`a` is given twice", at: Place(file: "f", line: 2, column: 1),
      help: "take one out",
      secondary: .init(Place(file: "f", line: 1, column: 1), "first given here"))
    #expect(
      renderer.render(diagnostic) == """
        f:2:1: error: `a` is given twice [duplicate-key]
          a: 2
          ^
          f:1:1: first given here
          a: 1
          ^
          help: take one out

        """)
  }

  @Test func `colours add to what is said and change nothing`() {
    let place = Place(file: "a.yaml", line: 1, column: 1, length: 3)
    let coloured = Self.render("one", place, colour: true)
    #expect(coloured.contains("\u{1B}[1;31merror\u{1B}[0m"))
    let plain = coloured.replacing(/\u{1B}\[[0-9;]*m/, with: "")
    #expect(plain == Self.render("one", place))
  }

  @Test func `findings end in a summary`() {
    var findings = Findings()
    #expect(findings.summary == nil)
    findings.error("a", "one", at: nil)
    findings.warning("b", "two", at: nil)
    findings.warning("b", "three", at: nil)
    #expect(findings.summary == "1 error, 2 warnings")
    var renderer = Renderer { _ in nil }
    #expect(
      renderer.render(findings)
        == "error: one [a]\nwarning: two [b]\nwarning: three [b]\n1 error, 2 warnings\n")
  }

  @Test func `findings are brought into the order of lines`() {
    var findings = Findings()
    let places = [("b", 2, 1), ("a", 9, 1), ("b", 1, 5), ("b", 1, 2), ("a", 0, 0)]
    for (file, line, column) in places {
      findings.error("c", "m", at: Place(file: file, line: line, column: column))
    }
    findings.error("c", "m", at: nil)
    findings.sortByPlace()
    #expect(
      findings.all.map { $0.place?.text ?? "-" } == ["-", "b:1:2", "b:1:5", "b:2:1", "a", "a:9:1"])
  }
}
