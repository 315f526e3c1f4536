import Foundation
import Testing
import YAMLTree

/// What plain scalars mean, against a table resolved by YAML 1.2.2 section 10.3.2 and measured with
/// other readers.
@Suite struct ScalarTests {
  struct Row: Decodable, CustomTestStringConvertible, Sendable {
    var scalar: String
    var core_schema_1_2: String
    var pyyaml_6_0_4: String
    var ruamel_0_19_1_as_1_2: String
    var testDescription: String { scalar }
  }

  struct Table: Decodable { var scalars: [Row] }

  static let rows: [Row] = {
    let path = Bundle.module.bundlePath + "/Fixtures/yaml.json"
    let data = FileManager.default.contents(atPath: path) ?? Data()
    return (try? JSONDecoder().decode(Table.self, from: data).scalars) ?? []
  }()

  @Test func `the table is there`() { #expect(Self.rows.count == 47) }

  @Test(arguments: rows) func `a plain scalar means what the core schema says`(row: Row) throws {
    let value = YAMLScalar(row.scalar).value
    let words = row.core_schema_1_2.split(separator: " ", maxSplits: 1).map(String.init)
    switch words[0] {
    case "null": #expect(value == .null)
    case "bool": #expect(value == .boolean(words[1] == "True"))
    case "int":
      let number = try #require(Int(words[1]))
      #expect(value == .integer(number))
    case "float" where words[1] == "nan":
      guard case .float(let number) = value else {
        Issue.record("no float")
        return
      }
      #expect(number.isNaN)
    case "float":
      let number = try #require(Double(words[1]))
      #expect(value == .float(number))
    default: #expect(value == .text)
    }
  }

  @Test(arguments: rows) func `a quoted scalar is a text`(row: Row) {
    #expect(YAMLScalar(row.scalar, style: .doubleQuoted).value == .text)
    #expect(YAMLScalar(row.scalar, style: .doubleQuoted).foreignReading == nil)
  }

  /// A text that one of the readers in the table does not keep is worth a warning.
  @Test(arguments: rows) func `a changed scalar is known`(row: Row) {
    // What readers refuse is no value that changed.
    let readings = [row.core_schema_1_2, row.pyyaml_6_0_4, row.ruamel_0_19_1_as_1_2]
      .filter { !$0.hasPrefix("error") }
    let isKept = readings.allSatisfy { $0.hasPrefix("str") }
    // `y` is true in YAML 1.1, though PyYAML keeps it; a time of day is left to the date before it.
    // `04:12:34:56` begins with a 0, which PyYAML keeps and others count in sixties.
    if ["y", "Y", "04:12:34:56"].contains(row.scalar) { return }
    if row.scalar.contains("T") && row.scalar.hasPrefix("2026") { return }
    #expect((YAMLScalar(row.scalar).foreignReading == nil) == isKept)
  }

  @Test(arguments: ["660000e0", "1030e0", "00:00:00:00:00", "00:50:56:55:42:45", "0003", "12E4"])
  func `hexadecimal that other readers change is known`(text: String) {
    #expect(YAMLScalar(text).foreignReading != nil)
  }

  @Test(arguments: ["04A1B2", "0x", "D2760000850101", "12FC", "0o9", ".", "-", "1.2.3", "e5", "+"])
  func `a text is no number`(text: String) { #expect(YAMLScalar(text).value == .text) }

  @Test func `a number beyond 64 bits is a number still`() {
    #expect(YAMLScalar("18446744073709551616").value == .integer(nil))
  }
}
