import Diagnostics
import Testing
import YAMLTree

/// Trees of YAML files, with places.
@Suite struct TreeTests {
  static func parse(_ text: String) -> (node: YAMLNode?, findings: [Diagnostic]) {
    parse(Array(text.utf8))
  }

  static func parse(_ bytes: [UInt8]) -> (node: YAMLNode?, findings: [Diagnostic]) {
    var findings = Findings()
    let node = YAMLTree.parse(bytes, file: "a.yaml", findings: &findings)
    return (node, findings.all)
  }

  /// The tree without places, in flow style.
  static func text(_ node: YAMLNode?) -> String {
    switch node?.content {
    case .scalar(let scalar): scalar.style == .plain ? scalar.text : "'\(scalar.text)'"
    case .sequence(let items): "[\(items.map { text($0) }.joined(separator: ", "))]"
    case .mapping(let entries):
      "{\(entries.map { "\($0.key): \(text($0.value))" }.joined(separator: ", "))}"
    case .refused: "!"
    case nil: "-"
    }
  }

  @Test(arguments: [
    ("a: 1\nb: [x, 'y', \"z\"]", "{a: 1, b: [x, 'y', 'z']}"),
    ("- a\n-\n  - b\n- {c: d, e: }", "[a, [b], {c: d, e: }]"),
    ("a: |\n  x\n  y\nb: >\n  x\n  y\n", "{a: 'x\ny\n', b: 'x y\n'}"),
    ("%YAML 1.2\n---\na: 1\n...\n", "{a: 1}"),
    ("# nothing but this\na:\t1", "{a: 1}"),
    ("{a:1}", "{a:1: }"),
    ("'a b': ! 1", "{a b: '1'}".replacing("'1'", with: "1")),
    ("a: !!str 12", "{a: 12}"),
    ("\"\\u00e4\": \"\\x41\"", "{ä: 'A'}"),
  ]) func `a file becomes a tree`(file: String, tree: String) {
    let (node, findings) = Self.parse(file)
    #expect(findings == [])
    #expect(Self.text(node) == tree)
  }

  @Test func `places are lines and columns in code points`() throws {
    let (node, _) = Self.parse("# é\r\näö: {\u{1F600}: \"x y\"}\r\nlist:\r\n  - one\r\n  - two\r\n")
    let root = try #require(node?.entries)
    #expect(root[0].keyPlace == Place(file: "a.yaml", line: 2, column: 1, length: 2))
    let inner = try #require(root[0].value.entries)
    #expect(inner[0].keyPlace == Place(file: "a.yaml", line: 2, column: 6, length: 1))
    #expect(inner[0].value.place == Place(file: "a.yaml", line: 2, column: 9, length: 5))
    guard case .sequence(let items) = root[1].value.content else {
      Issue.record("no list")
      return
    }
    #expect(items[1].place == Place(file: "a.yaml", line: 5, column: 5, length: 3))
  }

  /// NEL and the Unicode separators end no line for editors.
  @Test func `lines are counted as editors count them`() throws {
    let (node, _) = Self.parse("a: \"x\u{2028}y\u{85}z\"\nb: 1\r\rc: 2")
    let entries = try #require(node?.entries)
    #expect(entries.map(\.keyPlace.line) == [1, 2, 4])
  }

  @Test func `a byte order mark and UTF-16 are read`() throws {
    let text = "a: ä\nb: \u{1F600}"
    let marked = [0xEF, 0xBB, 0xBF] + Array(text.utf8)
    var little: [UInt8] = [0xFF, 0xFE]
    var big: [UInt8] = [0xFE, 0xFF]
    for unit in text.utf16 {
      let (high, low) = (UInt8(unit >> 8), UInt8(unit & 0xFF))
      little += [low, high]
      big += [high, low]
    }
    for bytes in [marked, little, big] {
      let (node, findings) = Self.parse(bytes)
      #expect(findings == [])
      #expect(Self.text(node) == "{a: ä, b: \u{1F600}}")
      #expect(node?.entries?[1].keyPlace == Place(file: "a.yaml", line: 2, column: 1, length: 1))
    }
  }

  @Test(arguments: [
    ("a: *nope", "alias", 1, 4), ("- &a 1\n- &a 2", "anchor", 1, 3), ("&a [*a]", "anchor", 1, 1),
    ("a: 1\nb: 2\na: 3", "duplicate-key", 3, 1), ("<<: {a: 1}", "merge-key", 1, 1),
    ("a: 1\n---\nb: 2", "several-documents", 2, 1), ("", "empty", 0, 0), ("# x", "empty", 0, 0),
    ("a: !!binary QQ==", "tag", 1, 4), ("a: !x y", "tag", 1, 4), ("!!seq {a: 1}", "tag", 1, 1),
    ("a: \"\\x00\"", "nul", 1, 4), ("[a]: b", "not-a-key", 1, 1), ("a:\n\tb: 1", "syntax", 2, 1),
    ("a: b: c", "syntax", 1, 5), ("%YAML 1.3\n---\na", "syntax", 1, 1),
    ("%FOO bar\n---\na", "syntax", 1, 5), (": 1", "syntax", 1, 1), ("a: [1", "syntax", 1, 6),
    ("\"\\ud83d\\ude00\"", "syntax", 1, 4), ("a: \u{7}", "syntax", 1, 4),
    ("a: \u{7F}", "syntax", 1, 4), ("\(String(repeating: "k", count: 1025)): 1", "syntax", 1, 1026),
  ]) func `a fault has its place`(file: String, code: String, line: Int, column: Int) throws {
    let findings = Self.parse(file).findings
    let first = try #require(findings.first)
    #expect(first.code == code)
    #expect(first.severity == .error)
    #expect(first.place?.line == line)
    #expect(first.place?.column == column, "\(first.message)")
  }

  @Test(
    arguments: [
      [0x61, 0x3A, 0x20, 0xFC], [0xED, 0xA0, 0x80], [0xC0, 0x80], [0x61, 0x00],
      [0x61, 0xC2, 0x85, 0x80],
      [0x00, 0x61, 0x00, 0x3A], [0x61, 0, 0, 0, 0x3A, 0, 0, 0],
    ] as [[UInt8]]) func `bytes that are no text are refused`(bytes: [UInt8])
  {
    #expect(Self.parse(bytes).findings.first?.code == "syntax")
  }

  @Test func `a fault beside a good part leaves the good part`() {
    #expect(Self.text(Self.parse("a: 1\na: 2\nb: *x\nc: 3").node) == "{a: 1, b: !, c: 3}")
  }

  /// What takes libyaml's document loader minutes, or memory without end.
  @Test func `bombs are refused`() {
    let deep = String(repeating: "[", count: 400_000)
    let blocks = (0..<1000).map { String(repeating: " ", count: $0) + "a:\n" }.joined()
    let laughs =
      "a: &a [x]\n"
      + (0..<9).map { "b\($0): &b\($0) [\((0..<9).map { _ in "*a" }.joined(separator: ","))]" }
      .joined(separator: "\n")
    let wide = "[" + String(repeating: "1,", count: 100_001) + "1]"
    let large = String(repeating: "#", count: YAMLTree.largestFile + 1)
    for (text, code) in [
      (deep, "too-deep"), (blocks, "too-deep"), (laughs, "anchor"), (wide, "too-many-nodes"),
      (large, "too-large"),
    ] {
      #expect(Self.parse(text).findings.first?.code == code)
    }
  }

  @Test func `64 tag directives are read and 65 are not`() {
    func directives(_ count: Int) -> String {
      (0..<count).map { "%TAG !a\($0)! b\n" }.joined() + "--- {a: b}\n"
    }
    #expect(Self.parse(directives(64)).findings == [])
    let findings = Self.parse(directives(65)).findings
    #expect(findings.map(\.code) == ["too-many-directives"])
    #expect(findings.first?.place?.line == 65)
  }

  @Test func `64 levels are read and 65 are not`() {
    func nested(_ depth: Int) -> String {
      String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    }
    #expect(Self.parse(nested(64)).findings == [])
    #expect(Self.parse(nested(65)).findings.map(\.code) == ["too-deep"])
  }

  @Test func `any bytes are answered`() {
    var generator = SystemRandomNumberGenerator()
    let letters = Array("a: -[]{}\"'|>#&*!%@`,?\n\t\r0~é\u{0}".utf8)
    for _ in 0..<2000 {
      let bytes = (0..<Int.random(in: 0...40, using: &generator)).map { _ in
        letters.randomElement(using: &generator) ?? 0
      }
      let (node, findings) = Self.parse(bytes)
      #expect(node != nil || !findings.isEmpty)
    }
  }
}
