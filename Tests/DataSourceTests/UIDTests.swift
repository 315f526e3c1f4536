import DataSource
import Diagnostics
import Testing

/// UIDs in data, and what spreadsheets make of them.
struct UIDTests {
  @Test(arguments: [
    "04E95881234568", "04:E9:58:81:23:45:68", "04-e9-58-81-23-45-68", "04 e9 58 81 23 45 68",
    "04e95881234568",
  ])
  func `a UID is read however it is written`(_ text: String) throws {
    #expect(
      try UIDText.bytes(of: text, lengths: [4, 7, 10])
        == [0x04, 0xE9, 0x58, 0x81, 0x23, 0x45, 0x68])
  }

  @Test func `hexadecimal that looks like a number is a UID as long as its digits are there`()
    throws
  {
    // 4 bytes with an E in them; 7 bytes of decimal digits; an IDm that ends with 0 and begins with 0.
    #expect(try UIDText.bytes(of: "12345E12", lengths: [4]) == [0x12, 0x34, 0x5E, 0x12])
    #expect(try UIDText.bytes(of: "04958812345678", lengths: [7]).count == 7)
    #expect(try UIDText.bytes(of: "0112345678901230", lengths: [8]).count == 8)
    // 15 digits with zeros behind them, but never a number to a spreadsheet.
    #expect(try UIDText.bytes(of: "12:34:56:78:90:12:34:50:00:00", lengths: [10]).count == 10)
  }

  struct Case: CustomTestStringConvertible, Sendable {
    let text: String
    let message: String
    var isSpreadsheet = false
    var testDescription: String { text }
  }

  static let changed = "is no UID any more: a spreadsheet changed it into a number"

  @Test(arguments: [
    // What Excel shows for 04588123456788 in a cell of the General format, in English and in German.
    Case(text: "4.58812E+12", message: changed, isSpreadsheet: true),
    Case(text: "4,59E+13", message: changed, isSpreadsheet: true),
    Case(text: "1.23457E+12", message: changed, isSpreadsheet: true),
    Case(text: "4E+13", message: changed, isSpreadsheet: true),
    Case(text: "4588123456788.0", message: changed, isSpreadsheet: true),
    Case(text: "4588123456788,00", message: changed, isSpreadsheet: true),
    Case(
      text: "4595881234568",
      message:
        "is no UID any more: a spreadsheet took it for a number and dropped its leading zeros",
      isSpreadsheet: true),
    Case(
      text: "123456",
      message:
        "is no UID any more: a spreadsheet took it for a number and dropped its leading zeros",
      isSpreadsheet: true),
    // 12345678901234567890 as Excel keeps it.
    Case(
      text: "12345678901234500000",
      message:
        "is no UID any more: a spreadsheet changed it into a number and kept 15 of its digits",
      isSpreadsheet: true),
    // A leading zero that another program lost (field-reports: 04823277D32A81).
    Case(text: "4823277D32A81", message: "is no UID: it has 13 digits"),
    Case(text: "AC8C5E", message: "is no UID: it has 3 bytes, not 4, 7 or 10"),
    Case(text: "8804E95881234568", message: "is no UID: it has 8 bytes, not 4, 7 or 10"),
    Case(text: "card 17", message: "is no UID: it is not hexadecimal"),
    Case(text: "04E9588123456G", message: "is no UID: it is not hexadecimal"),
    Case(text: "08112233", message: "is a random UID, which is another one every time"),
  ])
  func `what is no UID is refused with its reason`(row: Case) {
    let fault: UIDText.Fault?
    do throws(UIDText.Fault) {
      _ = try UIDText.bytes(of: row.text, lengths: [4, 7, 10])
      fault = nil
    } catch {
      fault = error
    }
    #expect(fault?.message ?? "" == row.message)
    #expect(
      fault?.help?.contains("format the column as text before they go into the spreadsheet")
        ?? false
        == row.isSpreadsheet)
  }

  @Test func `a cell that is no UID is told with row and column, and a UID twice with both`() throws
  {
    var opened = try Opened.csv(
      "name;uid\r\n\"A\nB\";4.59E+13\r\nC;04:E9:58:81:23:45:68\r\nD;\r\nE;04e95881234568\r\n")
    let rows = try #require(opened.rows)
    let keys = RowKeys.make(
      for: rows, basis: .uid(in: "uid", lengths: [7]), place: nil, findings: &opened.findings)
    #expect(keys == nil)
    #expect(
      opened.faults == [
        "3:4 data-number `4.59E+13` in `uid` looks like a number that a spreadsheet shortened",
        "3:4 data-uid row 1: `4.59E+13` \(Self.changed)",
        "5:3 data-uid row 3 has no UID",
        "6:3 data-uid row 4 has the UID 04E95881234568 of row 2",
      ])
    #expect(opened.findings.all.last?.secondary?.place.line == 4)
    #expect(opened.findings.all.last?.secondary?.place.column == 3)
  }

  @Test func `a row is found by its UID`() throws {
    var opened = try Opened.csv("uid\n04-e9-58-81-23-45-68\n04 11 22 33 44 55 66\n")
    let rows = try #require(opened.rows)
    let made = RowKeys.make(
      for: rows, basis: .uid(in: "uid", lengths: [7]), place: nil, findings: &opened.findings)
    let keys = try #require(made)
    #expect(keys.row(of: "04112233445566") == 1)
    #expect(keys.row(of: "04112233445567") == nil)
    #expect(keys.key(of: try rows.row(at: 0), at: 0) == "04E95881234568")
  }
}
