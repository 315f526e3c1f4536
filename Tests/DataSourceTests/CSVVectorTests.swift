import Bytes
import DataSource
import Diagnostics
import Foundation
import Testing

/// The cases of `Fixtures/csv.json`; each says where it comes from.
struct CSVVectorTests {
  struct Case: Decodable, Sendable, CustomTestStringConvertible {
    struct Expectation: Decodable, Sendable {
      /// Records by heading; one of the files gives a single object in place of a list.
      struct Objects: Decodable, Sendable {
        var list: [[String: String]]

        init(from decoder: any Decoder) throws {
          let container = try decoder.singleValueContainer()
          list =
            try (try? container.decode([[String: String]].self))
            ?? [container.decode([String: String].self)]
        }
      }

      var rows: [[String]]?
      var objects: Objects?
      var error: String?
    }

    var name: String
    var hex: String
    var expect: Expectation
    var testDescription: String { name }
  }

  struct File: Decodable {
    var cases: [Case]
  }

  static let cases: [Case] = {
    guard
      let url = Bundle.module.url(
        forResource: "csv", withExtension: "json", subdirectory: "Fixtures"),
      let data = try? Data(contentsOf: url),
      let file = try? JSONDecoder().decode(File.self, from: data)
    else { return [] }
    return file.cases
  }()

  /// The finding that stands for a class of refusal.
  static let codes = [
    "quote": "data-quote", "columns": "data-columns", "empty": "data-empty", "control": "data-nul",
  ]

  /// Where the product does otherwise than the case says, and why.
  static let exceptions: [String: [[String]]] = [
    // Four quotes are a field of one quote (RFC 4180 section 2, rule 7), as Python's csv reads it
    // too; the case counts three.
    "only-quotes": [["a", "b"], ["", "\""]],
    // A courtesy to people: blank lines are passed over, wherever they stand.
    "blank-line-middle": [["a", "b"], ["1", "2"]],
    // Which column is a UID is not known here, so this is a warning.
    "excel-damaged-uid": [["uid"], ["4.95881E+12"]],
  ]

  /// Cases that the product refuses though the file's makers read them, with the finding and why.
  static let refusals: [String: String] = [
    // RFC 4180 section 2, rule 5, as the case `bare-quote` wants it: its `37.8" N` has a quote in a
    // field without quotes.
    "csv-spectrum-location_coordinates": "data-quote"
  ]

  @Test
  func `all cases are there`() { #expect(Self.cases.count == 35) }

  @Test(arguments: cases)
  func `a file is read or refused as the case says`(row: Case) throws {
    let bytes = try #require([UInt8](hex: row.hex))
    let opened = try Opened.csv(bytes)
    if let code = Self.refusals[row.name] {
      #expect(try opened.table == nil)
      #expect(opened.findings.all.map(\.code) == [code])
    } else if let rows = Self.exceptions[row.name] ?? row.expect.rows {
      #expect(try opened.table == rows)
      #expect(
        opened.findings.all.map(\.code) == (row.name == "excel-damaged-uid" ? ["data-number"] : []))
    } else if let objects = row.expect.objects?.list {
      let rows = try #require(opened.rows)
      let read = try (0..<rows.count).map { index in
        Dictionary(uniqueKeysWithValues: try rows.row(at: index).fields.map { ($0.name, $0.value) })
      }
      #expect(read == objects)
    } else {
      let error = try #require(row.expect.error)
      #expect(try opened.table == nil)
      #expect(opened.findings.all.map(\.code) == [try #require(Self.codes[error])])
    }
  }
}
