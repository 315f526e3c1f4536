import DataSource
import Diagnostics
import Testing

struct CSVTests {
  @Test(arguments: [
    ("a,b\n1,2", [["a", "b"], ["1", "2"]]),
    ("\u{FEFF}a,b\r\n1,2\r\n", [["a", "b"], ["1", "2"]]),
    ("\u{FEFF}\"a\",b\n1,2\n", [["a", "b"], ["1", "2"]]),
    ("a;b\n1,5;2\n", [["a", "b"], ["1,5", "2"]]),
    ("a\tb\n1,5\t2;3\n", [["a", "b"], ["1,5", "2;3"]]),
    ("sep=|\na|b\n1,5|2;3\n", [["a", "b"], ["1,5", "2;3"]]),
    ("\"sep=;\"\r\na;b\r\n1;2\r\n", [["a", "b"], ["1", "2"]]),
    ("url\nhttps://example.com/;x\n", [["url"], ["https://example.com/;x"]]),
    ("\n\na,b\n\n\n1,2\n\n3,4\n\n", [["a", "b"], ["1", "2"], ["3", "4"]]),
    ("a,b\n1,\n,2\n,", [["a", "b"], ["1", ""], ["", "2"], ["", ""]]),
    ("a\n\"\"\nx\n", [["a"], [""], ["x"]]),
    ("a,b\n\"1\r\n\"\"2\"\"\",\"\"\"\"\n", [["a", "b"], ["1\r\n\"2\"", "\""]]),
    ("a,b\r1,2\r\r3,4", [["a", "b"], ["1", "2"], ["3", "4"]]),
  ])
  func `a file is read`(text: String, table: [[String]]) throws {
    let opened = try Opened.csv(text)
    #expect(try opened.table == table)
    #expect(opened.faults == [])
  }

  @Test(arguments: [
    ("", ["0:0 data-empty the file is empty, where a heading is expected"]),
    ("\u{FEFF}\n\n", ["0:0 data-empty the file is empty, where a heading is expected"]),
    (
      "a,b\n1\n1,2\n1,é,3,4\n",
      [
        "2:0 data-columns row 1 has 1 field, where there are 2 columns",
        "4:5 data-columns row 3 has 4 fields, where there are 2 columns",
      ]
    ),
    (
      "a,b\n\"1\n2\",\"3\n4\",5\n",
      ["4:4 data-columns row 1 has 3 fields, where there are 2 columns"]
    ),
    ("a\n\n1,2\n", ["3:3 data-columns row 1 has 2 fields, where there is 1 column"]),
    ("a,b\n1,2\n3,\"4\n5,6\n", ["3:3 data-quote the quote is not closed"]),
    (
      "a,b\n1,x\"y\n2,3\n4,\"5\"6\n7\n",
      [
        "2:4 data-quote a quote stands inside a field that is not quoted",
        "4:6 data-quote the field goes on behind its closing quote",
        "5:0 data-columns row 4 has 1 field, where there are 2 columns",
      ]
    ),
    ("a,b,a\n1,2,3\n", ["1:5 data-heading the heading `a` is there twice"]),
    ("a,,c\n1,2,3\n", ["1:3 data-heading column 2 has no heading"]),
    ("a,b\n1,\0\n", ["2:3 data-nul the file holds a NUL"]),
  ])
  func `a wrong file is refused with every place`(text: String, faults: [String]) throws {
    let opened = try Opened.csv(text)
    #expect(try opened.table == nil)
    #expect(opened.faults == faults)
  }

  @Test
  func `a field that ends in a later line names its opening quote`() throws {
    let opened = try Opened.csv("a,b\n1,\"2\n3,\"4\"\n")
    let finding = try #require(opened.findings.all.first)
    #expect(opened.faults == ["3:4 data-quote the field goes on behind its closing quote"])
    #expect(finding.secondary?.place.line == 2)
    #expect(finding.secondary?.place.column == 3)
  }

  @Test
  func `a repeated heading names the first`() throws {
    let opened = try Opened.csv("a,b,a\n")
    #expect(opened.findings.all.first?.secondary?.place.column == 1)
  }

  @Test
  func `a row's place is its first line in the file`() throws {
    let opened = try Opened.csv("sep=;\na;b\n\n\"1\n2\";3\r\n4;5\n")
    let rows = try #require(opened.rows)
    #expect(rows.count == 2)
    #expect(try rows.row(at: 0).place.line == 4)
    #expect(try rows.row(at: 1).place.line == 6)
    #expect(throws: DataError.self) { try rows.row(at: 2) }
    #expect(throws: DataError.self) { try rows.row(at: -1) }
  }

  @Test
  func `declared names stand for a heading`() throws {
    let opened = try Opened.csv("1;2,3\n4;5,6\n", header: ["a", "b"])
    #expect(try opened.table == [["a", "b"], ["1;2", "3"], ["4;5", "6"]])
    #expect(opened.findings.all.map(\.code) == ["data-delimiter"])
    let declared = try Opened.csv(
      "1;2,3\n4;5,6\n", delimiter: UInt8(ascii: ";"), header: ["a", "b"])
    #expect(try declared.table == [["a", "b"], ["1", "2,3"], ["4", "5,6"]])
    let twice = try Opened.csv("1,2\n", header: ["a", "a"])
    #expect(twice.faults == ["2:13 data-heading the column `a` is named twice"])
    #expect(try Opened.csv("", header: ["a"]).table == [["a"]])
  }

  @Test
  func `a second delimiter that fits is told`() throws {
    let opened = try Opened.csv("a;b,c;d\n1;2,3;4\n")
    #expect(try opened.table == [["a", "b,c", "d"], ["1", "2,3", "4"]])
    let even = try Opened.csv("a;b,c\n1;2,3\n")
    #expect(
      even.faults == ["1:0 data-delimiter `,` and `;` would both part the fields; `,` is used"])
    let other = try Opened.csv("sep=;\na;b\n", delimiter: UInt8(ascii: ","))
    #expect(other.rows?.columns == ["a;b"])
    #expect(other.faults == ["1:0 data-delimiter the file asks for `;`; `,` is declared and used"])
  }

  @Test
  func `limits hold`() throws {
    let wide = Array(repeating: "x", count: 1001).enumerated().map { "\($0.element)\($0.offset)" }
    #expect(try Opened.csv(wide.prefix(1000).joined(separator: ",") + "\n").rows != nil)
    let refused = try Opened.csv(wide.joined(separator: ",") + "\n")
    #expect(refused.findings.all.map(\.code) == ["data-limit"])
    let long = String(repeating: "x", count: 1 << 20)
    #expect(try Opened.csv("a,b\n\(long),1\n").rows?.count == 1)
    #expect(
      try Opened.csv("a,b\n\(long)x,1\n").faults == [
        "2:1 data-limit the field is longer than 1 MiB"
      ])
    let open = try Opened.csv("a,b\n1,\"\(long)\(long)\n")
    #expect(open.faults == ["2:3 data-limit the field is longer than 1 MiB"])
    #expect(open.findings.all.first?.help == "is its quote closed?")
  }

  @Test
  func `very many faults are counted`() throws {
    let opened = try Opened.csv("a,b\n" + String(repeating: "1\n", count: 1000))
    #expect(opened.findings.all.count == 51)
    #expect(opened.faults.last == "0:0 data-more 950 more faults are not listed")
  }

  @Test
  func `a file that is not there is told at the job's place`() {
    for path in ["/nowhere/data.csv", "/"] {
      var findings = Findings()
      let place = Place(file: "job.yaml", line: 2, column: 13)
      let rows = DataRows.open(
        .csv(path: path, delimiter: nil, encoding: nil, header: nil, place: place),
        findings: &findings)
      #expect(rows == nil)
      #expect(findings.all.first?.code == "data-unreadable")
      #expect(findings.all.first?.place == place)
    }
  }

  @Test
  func `a truncated file never traps`() throws {
    let whole = Array("\u{FEFF}sep=;\r\nä;\"b\"\r\n\"1\r\n\"\"2\"\"\";é\r\n\r\n;\"😀\"\r\n".utf8)
    for count in 0...whole.count {
      let opened = try Opened.csv(Array(whole.prefix(count)))
      #expect((opened.rows == nil) == opened.findings.hasErrors)
      _ = try opened.table
    }
  }
}
