import DataSource
import Diagnostics
import Testing

struct RowKeysTests {
  static let place = Place(file: "job.yaml", line: 4, column: 8)

  static func make(_ text: String, _ basis: RowKeys.Basis) throws -> (DataRows, RowKeys?, Opened) {
    var opened = try Opened.csv(text)
    let rows = try #require(opened.rows)
    let keys = RowKeys.make(for: rows, basis: basis, place: place, findings: &opened.findings)
    return (rows, keys, opened)
  }

  static func all(_ rows: DataRows, _ keys: RowKeys) throws -> [String] {
    try (0..<rows.count).map { keys.key(of: try rows.row(at: $0), at: $0) }
  }

  @Test
  func `columns make the key`() throws {
    let (rows, keys, _) = try Self.make("a,b\n1,2\n,3\n1,3\n", .columns(["a", "b"]))
    let made = try #require(keys)
    #expect(try Self.all(rows, made) == ["1\u{1F}2", "\u{1F}3", "1\u{1F}3"])
    #expect(made.row(of: "1\u{1F}3") == 2)
    #expect(made.row(of: "1") == nil)
  }

  @Test
  func `a key that comes twice is told with both places`() throws {
    let (_, keys, opened) = try Self.make("a,b\n1,2\n\n3,4\n1,5\n1,6\n", .columns(["a"]))
    #expect(keys == nil)
    #expect(
      opened.faults == [
        "5:0 data-key row 3 has the key `1` of row 1",
        "6:0 data-key row 4 has the key `1` of row 1",
      ])
    #expect(opened.findings.all.first?.secondary?.place.line == 2)
  }

  @Test
  func `an empty key and a column that is not there are told`() throws {
    let (_, none, empty) = try Self.make("a,b\n1,2\n,4\n", .columns(["a"]))
    #expect(none == nil)
    #expect(empty.faults == ["3:0 data-key row 2 has no `a`, which is its key"])
    let (_, _, missing) = try Self.make("code,b\n1,2\n", .columns(["cod"]))
    #expect(missing.faults == ["4:8 data-column the data has no column `cod`"])
    #expect(missing.findings.all.first?.help == "did you mean `code`?")
  }

  @Test
  func `a digest names rows that have no key, and counts repetitions`() throws {
    let (rows, keys, _) = try Self.make(
      "a,b,c\n1,2,x\n1,2,y\n12,,z\n1,2,x\n", .digest(of: ["b", "a", "a"]))
    let made = try #require(keys)
    // Python: hashlib.sha256(b"1:a1:11:b1:2").hexdigest()[:32].upper()
    let first = "4016E0316F40793B933598C4FCBCD0B4"
    // Python: hashlib.sha256(b"1:a2:121:b0:").hexdigest()[:32].upper()
    let other = "3A8BD320F602CBF382BBFF0063768801"
    let all = try Self.all(rows, made)
    #expect(all == [first, "\(first)#2", other, "\(first)#3"])
    #expect(all.map { made.row(of: $0) } == [0, 1, 2, 3])
    #expect(made.row(of: "\(first)#4") == nil)
    #expect(made.row(of: "\(first)#x") == nil)
    let (sameRows, same, _) = try Self.make("b,a\n2,1\n", .digest(of: ["a", "b"]))
    #expect(try Self.all(sameRows, try #require(same)) == [first])
  }

  @Test
  func `an index finds every row and no other`() {
    let names = (0..<5000).map { "row \($0)" }
    var index = RowIndex(rows: names.count)
    for (row, name) in names.enumerated() {
      #expect(index.insert(name, row: row, keyOf: { names[$0] }) == nil)
    }
    #expect(index.insert("row 77", row: 1, keyOf: { names[$0] }) == 77)
    #expect(names.indices.allSatisfy { index.row(of: names[$0], keyOf: { names[$0] }) == $0 })
    #expect(index.row(of: "row 5000", keyOf: { names[$0] }) == nil)
  }
}
