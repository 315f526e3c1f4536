package import Diagnostics
internal import Digests

/// All records of a job's data, in their order, each parsed when it is asked for.
///
/// The file is read once, at the start; its bytes are kept, with eight bytes more for each row.
package final class DataRows: Sendable {
  /// Most columns of a file.
  package static let columnLimit = 1000
  /// Most bytes of one value.
  package static let valueLimit = 1 << 20
  /// Most bytes of a file.
  package static let fileLimit = 1 << 30

  /// How a row's bytes are read.
  enum Form: Sendable {
    case csv(delimiter: UInt8)
    case jsonLines
    case inline([DataRow])
  }

  /// Where a row begins: offset in `bytes`, and line in the file.
  struct Start: Sendable {
    var offset: UInt32
    var line: UInt32
  }

  /// The file's path as the job names it; empty for rows written in the job.
  package let file: String
  private let columnNames: ColumnNames
  private let form: Form
  private let bytes: [UInt8]
  private let starts: [Start]

  init(file: String, columns: ColumnNames, form: Form, bytes: [UInt8], starts: [Start]) {
    self.file = file
    columnNames = columns
    self.form = form
    self.bytes = bytes
    self.starts = starts
  }

  /// Reads and checks the whole source; `nil` if `findings` got an error.
  package static func open(_ spec: DataSourceSpec, findings: inout Findings) -> DataRows? {
    switch spec {
    case .csv(let path, let delimiter, let encoding, let header, let place):
      var reading = CSVReading(
        path: path, delimiter: delimiter, encoding: encoding, header: header, place: place)
      return reading.rows(findings: &findings)
    case .jsonl(let path, let place):
      var reading = JSONLinesReading(path: path, place: place)
      return reading.rows(findings: &findings)
    case .rows(let rows):
      return inline(rows, findings: &findings)
    case .lines:
      return DataRows(file: "", columns: .line, form: .inline([]), bytes: [], starts: [])
    }
  }

  /// A digest of every record with its columns' names.
  package var digest: [UInt8] {
    var digest = SHA256()
    func take(_ text: String?) {
      digest.update(Array("\(text?.utf8.count ?? -1):".utf8))
      if let text { digest.update(Array(text.utf8)) }
    }
    columns.forEach { take($0) }
    switch form {
    case .inline(let rows):
      for row in rows { for name in columns { take(row[name]) } }
    case .csv(let delimiter):
      take("csv \(delimiter) \(starts.first?.offset ?? 0) \(count)")
      digest.update(bytes)
    case .jsonLines:
      take("jsonl \(count)")
      digest.update(bytes)
    }
    return digest.takeDigest()
  }

  /// The columns in the order of the file; for JSON Lines and inline rows, of their first use.
  package var columns: [String] { columnNames.names }

  /// Whether there is a column `name`.
  package func hasColumn(_ name: String) -> Bool { columnNames.index(of: name) != nil }

  /// How many records there are.
  package var count: Int {
    if case .inline(let rows) = form { rows.count } else { starts.count }
  }

  /// The record number `index`, counted from 0.
  package func row(at index: Int) throws(DataError) -> DataRow {
    guard (0..<count).contains(index) else {
      throw DataError("there is no row \(index + 1): the data has \(count)")
    }
    if case .inline(let rows) = form { return rows[index] }
    let start = starts[index]
    let place = Place(file: file, line: Int(start.line))
    var values: [String?]
    switch form {
    case .inline(let rows): return rows[index]
    case .csv(let delimiter):
      var scanner = CSVScanner(
        bytes: bytes, delimiter: delimiter, at: Int(start.offset), line: Int(start.line))
      var fields: [CSVField] = []
      do throws(CSVFault) {
        _ = try scanner.nextRow(into: &fields)
      } catch {
        throw DataError(error.message, at: place)
      }
      values = fields.map { $0.text(in: bytes) }
    case .jsonLines:
      values = Array(repeating: nil, count: columnNames.names.count)
      var scanner = JSONObjectScanner(bytes: bytes, at: Int(start.offset))
      do throws(JSONFault) {
        for member in try scanner.members() {
          if let column = columnNames.index(of: member.name) { values[column] = member.value }
        }
      } catch {
        throw DataError(error.message, at: place)
      }
    }
    return DataRow(place: place, columns: columnNames, values: values)
  }

  /// Where the value in `column` of row number `index` stands, as nearly as it is known.
  package func place(of column: String, inRow index: Int) -> Place {
    if case .csv(let delimiter) = form, starts.indices.contains(index),
      let field = columnNames.index(of: column)
    {
      let start = starts[index]
      var scanner = CSVScanner(
        bytes: bytes, delimiter: delimiter, at: Int(start.offset), line: Int(start.line))
      var fields: [CSVField] = []
      if (try? scanner.nextRow(into: &fields)) == true, fields.indices.contains(field) {
        return scanner.place(of: fields[field].start, in: file)
      }
    }
    return (try? row(at: index))?.place ?? Place(file: file)
  }

  private static func inline(
    _ rows: [(fields: [(name: String, value: String)], place: Place)], findings: inout Findings
  ) -> DataRows? {
    var columns = ColumnNames()
    for row in rows {
      for field in row.fields { _ = columns.add(field.name) }
    }
    var isSound = true
    var made: [DataRow] = []
    for row in rows {
      var values: [String?] = Array(repeating: nil, count: columns.names.count)
      for field in row.fields {
        let column = columns.add(field.name)
        if values[column] != nil {
          findings.error("data-heading", "the row has `\(field.name)` twice", at: row.place)
          isSound = false
        }
        values[column] = field.value
      }
      made.append(DataRow(place: row.place, columns: columns, values: values))
    }
    guard isSound else { return nil }
    return DataRows(file: "", columns: columns, form: .inline(made), bytes: [], starts: [])
  }
}
