internal import Bytes
package import Diagnostics
internal import Digests

/// What names each row for the ledger, the same in every run as long as the row's data are the
/// same.
package struct RowKeys: Sendable {
  /// What a key is made of.
  package enum Basis: Sendable, Equatable {
    /// The text in these columns, joined by U+001F where there are several.
    case columns([String])
    /// The first 16 bytes of a digest of these columns, as hex; a repetition has `#2`, `#3` behind
    /// it.
    case digest(of: [String])
    /// The UID in this column as upper-case hex; it may have these numbers of bytes.
    case uid(in: String, lengths: [Int])
  }

  /// A row whose digest an earlier row has.
  private struct Repetition: Sendable {
    var row: UInt32
    var first: UInt32
    var occurrence: UInt32
  }

  /// What the keys are made of.
  package let basis: Basis
  private let rows: DataRows
  /// A closure over `rows` and `basis` alone: one over all of `self` would share the index, and
  /// each change copy it.
  private let reader: @Sendable (Int) -> String?
  private var index: RowIndex
  /// In the order of the rows.
  private var repetitions: [Repetition] = []

  /// The keys of all rows; `nil` if `findings` got an error: a missing column, an empty key, one
  /// key twice.
  ///
  /// `place` is where the job names the columns.
  package static func make(
    for rows: DataRows, basis: Basis, place: Place?, findings: inout Findings
  ) -> RowKeys? {
    let names =
      switch basis {
      case .columns(let names), .digest(let names): names
      case .uid(let name, _): [name]
      }
    var isSound = true
    for name in names where !rows.hasColumn(name) {
      findings.error(
        "data-column", "the data has no column `\(name)`", at: place,
        help: closest(to: name, in: rows.columns).map { "did you mean `\($0)`?" })
      isSound = false
    }
    guard isSound else { return nil }
    var keys = RowKeys(rows: rows, basis: basis)
    return keys.fill(&findings) ? keys : nil
  }

  private init(rows: DataRows, basis: Basis) {
    var basis = basis
    if case .digest(let names) = basis {
      // In one order, so that the order in which a job uses its columns does not matter.
      basis = .digest(of: Set(names).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) })
    }
    self.rows = rows
    self.basis = basis
    reader = { [basis] number in (try? rows.row(at: number)).map(basis.key(of:)) }
    index = RowIndex(rows: rows.count)
  }

  /// The key of `row`, which is number `index` of the data, counted from 0.
  package func key(of row: DataRow, at index: Int) -> String {
    let key = basis.key(of: row)
    guard case .digest = basis, let occurrence = occurrence(at: index) else { return key }
    return "\(key)#\(occurrence)"
  }

  /// The number of the row that has `key`, counted from 0.
  package func row(of key: String) -> Int? {
    if case .digest = basis, let mark = key.utf8.lastIndex(of: UInt8(ascii: "#")) {
      guard let occurrence = UInt32(key[key.utf8.index(after: mark)...]),
        let first = index.row(of: String(key[..<mark]), keyOf: reader)
      else { return nil }
      return repetitions.first { $0.first == first && $0.occurrence == occurrence }
        .map { Int($0.row) }
    }
    return index.row(of: key, keyOf: reader)
  }

  /// Notes every row's key; `false` if one is wrong.
  private mutating func fill(_ findings: inout Findings) -> Bool {
    var faults = FaultList()
    var occurrences: [Int: UInt32] = [:]
    var digest = SHA256()
    for number in 0..<rows.count {
      guard let row = try? rows.row(at: number) else { continue }
      if let column = missingColumn(in: row) {
        faults.add(
          to: &findings, "data-key", "row \(number + 1) has no `\(column)`, which is its key",
          at: row.place, help: "fill it in, or name another column as `key`")
        continue
      }
      if case .uid(let column, let lengths) = basis,
        let fault = uidFault(in: row, column, lengths)
      {
        let text = row[column] ?? ""
        faults.add(
          to: &findings, "data-uid",
          text.isEmpty
            ? "row \(number + 1) has no UID" : "row \(number + 1): `\(text)` \(fault.message)",
          at: rows.place(of: column, inRow: number), help: fault.help)
        continue
      }
      let key = basis.key(of: row, using: &digest)
      guard let first = index.insert(key, row: number, keyOf: reader) else { continue }
      if case .digest = basis {
        let occurrence = occurrences[first, default: 1] + 1
        occurrences[first] = occurrence
        repetitions.append(
          Repetition(
            row: UInt32(truncatingIfNeeded: number), first: UInt32(truncatingIfNeeded: first),
            occurrence: occurrence))
      } else if case .uid(let column, _) = basis {
        faults.add(
          to: &findings, "data-uid", "row \(number + 1) has the UID \(key) of row \(first + 1)",
          at: rows.place(of: column, inRow: number),
          secondary: Diagnostic.Secondary(rows.place(of: column, inRow: first), "first here"))
      } else {
        let shown = key.split(separator: Basis.separator).joined(separator: ", ")
        faults.add(
          to: &findings, "data-key",
          "row \(number + 1) has the key `\(shown)` of row \(first + 1)", at: row.place,
          help: "a key names one row: change one of the two, or name more columns as `key`",
          secondary: (try? rows.row(at: first)).map {
            Diagnostic.Secondary($0.place, "first here")
          })
      }
    }
    faults.finish(&findings, file: rows.file)
    return faults.count == 0
  }

  /// Why the cell in `column` is no UID; `nil` if it is one.
  private func uidFault(in row: DataRow, _ column: String, _ lengths: [Int]) -> UIDText.Fault? {
    do throws(UIDText.Fault) {
      _ = try UIDText.bytes(of: row[column] ?? "", lengths: lengths)
      return nil
    } catch {
      return error
    }
  }

  /// The key column that holds nothing in `row`; of several columns, all but one may be empty.
  private func missingColumn(in row: DataRow) -> String? {
    guard case .columns(let names) = basis else { return nil }
    if let name = names.first(where: { row[$0] == nil }) { return name }
    return names.allSatisfy { row[$0]?.isEmpty ?? true } ? names.first : nil
  }

  /// Which repetition a row is, from 2; `nil` for the first with its data.
  private func occurrence(at number: Int) -> UInt32? {
    var low = 0
    var high = repetitions.count
    while low < high {
      let middle = (low + high) / 2
      if repetitions[middle].row < number { low = middle + 1 } else { high = middle }
    }
    guard low < repetitions.count, repetitions[low].row == number else { return nil }
    return repetitions[low].occurrence
  }
}

extension RowKeys.Basis {
  /// UNIT SEPARATOR, between the values of several columns.
  fileprivate static let separator: Character = "\u{1F}"

  /// The key of a row, without an occurrence number.
  fileprivate func key(of row: DataRow) -> String {
    var digest = SHA256()
    return key(of: row, using: &digest)
  }

  /// The key of a row, made with a digest that has taken nothing in: making one anew costs more
  /// than using it.
  fileprivate func key(of row: DataRow, using digest: inout SHA256) -> String {
    switch self {
    case .columns(let names):
      if names.count == 1 { return row[names[0]] ?? "" }
      return names.map { row[$0] ?? "" }.joined(separator: String(Self.separator))
    case .uid(let name, _):
      // Checked when the keys were made.
      return [UInt8](hex: row[name] ?? "")?.hex ?? ""
    case .digest(let names):
      // Lengths before the texts, so that no two different records have one reading.
      var content: [UInt8] = []
      func append(_ text: String) {
        content += String(text.utf8.count).utf8
        content.append(UInt8(ascii: ":"))
        content += text.utf8
      }
      for name in names {
        append(name)
        if let value = row[name] { append(value) } else { content.append(UInt8(ascii: "-")) }
      }
      digest.update(content)
      return digest.takeDigest().prefix(16).hex
    }
  }
}
