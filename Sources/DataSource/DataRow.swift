package import Diagnostics

/// One record of a job's data: values by the names of their columns.
package struct DataRow: Sendable {
  /// Where the record begins.
  package let place: Place
  private let columns: ColumnNames
  private let values: [String?]

  /// A record of `values` in the order of `columns`; `nil` where it has none.
  init(place: Place, columns: ColumnNames, values: [String?]) {
    self.place = place
    self.columns = columns
    self.values = values
  }

  /// A line of a feed, in the one column `line`.
  package init(line: String, number: Int, of source: String) {
    self.init(place: Place(file: source, line: number), columns: .line, values: [line])
  }

  /// The columns for which the record has a value, in the order of the columns, each with its
  /// value.
  package var fields: [(name: String, value: String)] {
    zip(columns.names, values).compactMap { name, value in value.map { (name, $0) } }
  }

  /// The value in the column `name`; `nil` if there is no such column or the record has no value
  /// there.
  package subscript(name: String) -> String? {
    columns.index(of: name).flatMap { values[$0] }
  }
}

/// The names of the columns, shared by all rows of a file.
struct ColumnNames: Sendable {
  private(set) var names: [String] = []
  private var indexes: [String: Int] = [:]

  /// The column of rows that come as lines.
  static let line: ColumnNames = {
    var names = ColumnNames()
    _ = names.add("line")
    return names
  }()

  func index(of name: String) -> Int? { indexes[name] }

  /// The index of `name`, which becomes the last column if it is new.
  mutating func add(_ name: String) -> Int {
    if let index = indexes[name] { return index }
    indexes[name] = names.count
    names.append(name)
    return names.count - 1
  }
}
