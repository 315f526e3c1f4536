import Diagnostics
import Testing

/// Lines and columns of texts.
@Suite struct SourceTextTests {
  static func lines(_ bytes: [UInt8]) -> [String] {
    let text = SourceText(bytes)
    return (1...9).compactMap { number in
      text.line(number).map { line in line.reduce(into: "") { $0 += String($1) } }
    }
  }

  @Test(arguments: [
    ("", [""]), ("a", ["a"]), ("a\n", ["a", ""]), ("a\r\nb\rc\nd", ["a", "b", "c", "d"]),
    ("a\u{85}b\u{2028}c", ["a\u{85}b\u{2028}c"]), ("\r\r\n", ["", "", ""]),
  ]) func `lines end where editors end them`(text: String, lines: [String]) {
    #expect(Self.lines(Array(text.utf8)) == lines)
  }

  @Test func `marked encodings are read`() {
    #expect(Self.lines([0xEF, 0xBB, 0xBF, 0x61]) == ["a"])
    #expect(Self.lines([0xFF, 0xFE, 0x61, 0, 0x0A, 0, 0xE4, 0]) == ["a", "ä"])
    #expect(Self.lines([0xFE, 0xFF, 0, 0x61, 0]) == ["a"])
    #expect(Self.lines([0x61, 0xFF]) == ["a\u{FFFD}"])
  }

  @Test func `a position is found by its code point`() {
    let text = SourceText(Array("äb\nc\r\nd".utf8))
    let positions = (0...6).map { index in
      let position = text.position(of: index)
      return "\(position.line):\(position.column)"
    }
    #expect(positions == ["1:1", "1:2", "1:3", "2:1", "2:2", "2:3", "3:1"])
    #expect(text.length(from: 0, to: 2) == 2)
    #expect(text.length(from: 0, to: 6) == 2)
    #expect(text.scalar(at: 0) == "ä")
    #expect(text.scalar(at: 99) == nil)
  }
}
