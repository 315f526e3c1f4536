import DataSource
import Diagnostics
import Testing

struct JSONLinesTests {
  @Test(arguments: [
    (
      "{\"a\":\"x\",\"b\":2}\n{\"b\":\"y\",\"c\":true}",
      [["a", "b", "c"], ["x", "2", "–"], ["–", "y", "true"]]
    ),
    ("\u{FEFF}{\"a\":1}\r\n\n  \n{\"a\":null}\n", [["a"], ["1"], ["–"]]),
    (
      " { \"a\" : -0.10 , \"b\" : 12345678901234567890123 } ",
      [["a", "b"], ["-0.10", "12345678901234567890123"]]
    ),
    (
      #"{"a":"\"\\\/\b\f\n\r\t\u00e9\ud83d\ude00é"}"#,
      [["a"], ["\"\\/\u{8}\u{c}\n\r\t\u{e9}😀é"]]
    ),
    ("{}\n", [[], []]),
    ("", [[]]),
  ])
  func `lines are read`(text: String, table: [[String]]) throws {
    let opened = try Opened.jsonl(text)
    #expect(opened.faults == [])
    #expect(try opened.table == table)
  }

  @Test(arguments: [
    (
      "{\"é\":{}}",
      "1:6 data-json a value is a text, a number, true, false or null, not a list or an object"
    ),
    (
      "{\"a\":[1]}",
      "1:6 data-json a value is a text, a number, true, false or null, not a list or an object"
    ),
    ("{\"a\":1}\n\n{\"a\":1,\"a\":2}", "3:8 data-json `a` is there twice"),
    ("{\"a\":01}", "1:6 data-json a number does not begin with a zero"),
    ("{\"a\":-}", "1:7 data-json a digit is expected"),
    ("{\"a\":1.}", "1:8 data-json a digit is expected"),
    ("{\"a\":1e}", "1:8 data-json a digit is expected"),
    ("{\"a\":nul}", "1:6 data-json a value is expected"),
    ("{\"a\":truex}", "1:10 data-json `,` or `}` is expected"),
    ("{\"a\":1,}", "1:8 data-json a name in double quotes is expected"),
    ("{'a':1}", "1:2 data-json a name in double quotes is expected"),
    ("{\"a\" 1}", "1:6 data-json `:` is expected"),
    ("{\"a\":1", "1:7 data-json the line ends where `,` or `}` is expected"),
    ("{\"a\":\"x", "1:6 data-json the text is not closed"),
    ("{\"a\":\"x\ny\"}", "1:6 data-json the text is not closed"),
    ("{\"a\":\"x\ty\"}", "1:8 data-json a control character must be written as `\\u00XX`"),
    ("{\"a\":\"\\x\"}", "1:7 data-json there is no such escape"),
    ("{\"a\":\"\\u12\"}", "1:11 data-json a hexadecimal digit is expected"),
    ("{\"a\":\"\\ud83d\"}", "1:7 data-json half of a surrogate pair stands alone"),
    ("{\"a\":\"\\ude00\"}", "1:7 data-json half of a surrogate pair stands alone"),
    ("{\"a\":\"\\ud83d\\u0041\"}", "1:7 data-json half of a surrogate pair stands alone"),
    ("{\"a\":\"\\u0000\"}", "1:7 data-json a value holds a NUL"),
    ("{\"a\":1} {}", "1:9 data-json the line goes on behind its object"),
    ("{}\n[1]", "2:1 data-json a JSON object is expected"),
    ("{}\nx", "2:1 data-json a JSON object is expected"),
    ("\n [1]", "2:2 data-form the file is one JSON list, not JSON Lines"),
    ("x", "1:1 data-form the file is no JSON Lines: its first line is no object"),
    ("{\n\"a\":1}", "1:1 data-form the object goes over several lines"),
  ])
  func `a wrong line is refused with its place`(text: String, fault: String) throws {
    let opened = try Opened.jsonl(text)
    #expect(opened.rows == nil)
    #expect(opened.faults.first == fault)
  }

  @Test
  func `a number with an exponent is taken as it is written, and said once a column`() throws {
    let opened = try Opened.jsonl("{\"a\":-0.10e+5}\n{\"a\":1E5,\"b\":\"1e5\",\"c\":true}")
    #expect(
      try opened.table == [["a", "b", "c"], ["-0.10e+5", "–", "–"], ["1E5", "1e5", "true"]])
    #expect(opened.findings.all.map(\.severity) == [.warning])
    #expect(
      opened.faults == [
        "1:2 data-number the number `-0.10e+5` is taken as it is written, with its exponent"
      ])
  }

  @Test
  func `a row's place is its line`() throws {
    let rows = try #require(try Opened.jsonl("\n{\"a\":1}\n\n{\"a\":2}\n").rows)
    #expect(try (0..<rows.count).map { try rows.row(at: $0).place.line } == [2, 4])
  }

  @Test
  func `a truncated line never traps`() throws {
    let whole = Array(#"{"a":"\"\u00e9\ud83d\ude00é","b":-1.5e+3,"c":null,"d":true} "#.utf8)
    for count in 0...whole.count {
      _ = try Opened.jsonl(String(decoding: whole.prefix(count), as: UTF8.self))
    }
  }

  @Test
  func `rows in the job have columns in order of first use`() throws {
    let opened = Opened.inline([
      [(name: "a", value: "1"), (name: "b", value: "2")], [(name: "c", value: "3")],
    ])
    #expect(try opened.table == [["a", "b", "c"], ["1", "2", "–"], ["–", "–", "3"]])
    let rows = try #require(opened.rows)
    #expect(try rows.row(at: 1).place.line == 4)
    #expect(try rows.row(at: 1).fields.map(\.name) == ["c"])
    let twice = Opened.inline([[(name: "a", value: "1"), (name: "a", value: "2")]])
    #expect(twice.faults == ["3:5 data-heading the row has `a` twice"])
  }
}
