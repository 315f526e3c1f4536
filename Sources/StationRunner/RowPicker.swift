internal import Bytes
internal import DataSource
internal import Diagnostics
internal import JobFile
internal import Ledger

/// A row chosen for a tag, before it is claimed.
struct PickedRow: Sendable {
  var key: String
  /// Its index in the data; `nil` for serial numbers and rows named by their tag.
  var index: Int?
  var row: DataRow?
  var serial: Int?
  /// Where the record stands, for people: `cards.csv:17`.
  var place: String
  /// The used columns as JSON.
  var record: [UInt8]
  /// Whether it was free when it was chosen, not one that a tag brought back.
  var isFresh = true
}

/// Chooses rows for tags: the lowest free one first.
final class RowPicker {
  private let ledger: any Ledger
  private let job: Job
  private let data: DataRows?
  private let keys: RowKeys?
  /// The columns that writing steps use.
  private let columns: [String]
  private var cursor = 0
  /// Indexes below the cursor that became free again, in order.
  private var freed: [Int] = []
  private let serialFormat: SerialFormat?
  /// Whether each tag has a row of its own, named by its UID.
  let namesRowsByTag: Bool
  private let fixedUIDs: Bool

  /// A picker for a job that writes.
  init(job: Job, data: DataRows?, keys: RowKeys?, ledger: any Ledger) {
    self.job = job
    self.data = data
    self.keys = keys
    self.ledger = ledger
    columns = job.columnsWritten
    serialFormat = job.data?.serial.flatMap { try? SerialFormat($0.format) }
    namesRowsByTag = data == nil && job.data?.serial == nil
    fixedUIDs = !job.batches.contains { $0.writes && $0.accept.uid == .random }
  }

  /// How many rows the job has in all; `nil` where there is no end.
  var total: Int? {
    if let data { return data.count }
    return job.data?.serial?.count
  }

  func serialText(_ serial: Int?) -> String? {
    guard let serial, let serialFormat else { return nil }
    return serialFormat.text(of: serial)
  }

  /// How many rows are free now; `nil` where there is no end.
  ///
  /// Counted through the ledger where the series has rows at all.
  func rowsLeft() throws(LedgerError) -> Int? {
    guard let total else { return nil }
    guard try ledger.hasRows(series: job.series) else { return total }
    guard data != nil else {
      let counts = try ledger.counts(series: job.series)
      let used = counts.reduce(0) { $0 + ($1.key == .free ? 0 : $1.value) }
      return max(0, total - used)
    }
    var left = 0
    for index in 0..<total {
      guard let key = key(at: index) else { continue }
      if try isFree(key) { left += 1 }
    }
    return left
  }

  /// A row whose record changed in the data though it is not free any more.
  struct ChangedRow: Sendable {
    var row: LedgerRow
    /// The used columns as they are now, as JSON.
    var now: String
    /// Where the record stands now.
    var place: String
  }

  /// Rows of the ledger whose record changed in the data though they are not free any more.
  func changedRows() throws(LedgerError) -> [ChangedRow] {
    guard let data, try ledger.hasRows(series: job.series) else { return [] }
    var changed: [ChangedRow] = []
    for index in 0..<data.count {
      guard let key = key(at: index), let row = try? data.row(at: index),
        let known = try ledger.row(series: job.series, key: key),
        known.state != .free, known.state != .void
      else { continue }
      let now = record(of: row)
      if now != String(decoding: known.record, as: UTF8.self) {
        changed.append(ChangedRow(row: known, now: now, place: row.place.text))
      }
    }
    return changed
  }

  /// The next free row; `nil` if none is left.
  func next(for uid: [UInt8]) throws(LedgerError) -> PickedRow? {
    if namesRowsByTag { return try rowOfTag(uid) }
    guard let data else { return try nextSerialRow() }
    while let index = freed.first {
      if let known = try free(at: index) {
        return try picked(index, in: data, serial: known.serial)
      }
      freed.removeFirst()
    }
    while cursor < data.count {
      if let known = try free(at: cursor) {
        return try picked(cursor, in: data, serial: known.serial)
      }
      cursor += 1
    }
    // Other runs may have let rows go that lie behind the cursor.
    try findFreed(in: data)
    guard let index = freed.first, let known = try free(at: index) else { return nil }
    return try picked(index, in: data, serial: known.serial)
  }

  /// The row became free again without having gone on a tag.
  func returned(_ row: PickedRow) {
    guard let index = row.index, index < cursor else { return }
    let place = freed.firstIndex { $0 >= index } ?? freed.count
    if place == freed.count || freed[place] != index { freed.insert(index, at: place) }
  }

  /// The row at `index` where it is free, with the serial number it kept.
  private func free(at index: Int) throws(LedgerError) -> (key: String, serial: Int?)? {
    guard let key = key(at: index) else { return nil }
    guard let known = try ledger.row(series: job.series, key: key) else { return (key, nil) }
    return known.state == .free ? (key, known.serial) : nil
  }

  /// Rows behind the cursor that the ledger has as free.
  private func findFreed(in data: DataRows) throws(LedgerError) {
    let rows = try ledger.rows(series: job.series, state: .free)
    freed = rows.compactMap { index(ofKey: $0.key) }.filter { $0 < cursor }.sorted()
  }

  /// The record with that key, where the data still has it.
  func dataRow(forKey key: String) -> DataRow? {
    guard let data, let index = index(ofKey: key) else { return nil }
    return try? data.row(at: index)
  }

  // MARK: Inside

  private func isFree(_ key: String) throws(LedgerError) -> Bool {
    guard let known = try ledger.row(series: job.series, key: key) else { return true }
    return known.state == .free
  }

  private func key(at index: Int) -> String? {
    guard let data, let row = try? data.row(at: index) else { return nil }
    return keys?.key(of: row, at: index)
  }

  private func index(ofKey key: String) -> Int? {
    keys?.row(of: key)
  }

  private func picked(
    _ index: Int, in data: DataRows, serial kept: Int?
  ) throws(LedgerError) -> PickedRow? {
    guard let row = try? data.row(at: index), let key = keys?.key(of: row, at: index) else {
      return nil
    }
    var serial = kept
    if serial == nil, let spec = job.data?.serial {
      serial = try ledger.nextSerial(
        series: job.series, from: spec.from, step: spec.step, count: spec.count)
      if serial == nil { return nil }
    }
    return PickedRow(
      key: key, index: index, row: row, serial: serial, place: row.place.text,
      record: Array(record(of: row).utf8))
  }

  private func record(of row: DataRow) -> String {
    JSON.object(columns.compactMap { name in row[name].map { (name, .string($0)) } }).text
  }

  private func nextSerialRow() throws(LedgerError) -> PickedRow? {
    guard let spec = job.data?.serial else { return nil }
    let freed = try ledger.rows(series: job.series, state: .free).compactMap(\.serial).min()
    let new = try ledger.nextSerial(
      series: job.series, from: spec.from, step: spec.step, count: spec.count)
    guard let serial = [freed, new].compactMap({ $0 }).min() else { return nil }
    return PickedRow(
      key: String(serial), index: nil, row: nil, serial: serial, place: "serial \(serial)",
      record: Array("{}".utf8))
  }

  private func rowOfTag(_ uid: [UInt8]) throws(LedgerError) -> PickedRow? {
    guard fixedUIDs else {
      guard
        let number = try ledger.nextSerial(series: job.series, from: 1, step: 1, count: nil)
      else { return nil }
      return PickedRow(
        key: String(number), index: nil, row: nil, serial: number, place: "tag \(number)",
        record: Array("{}".utf8))
    }
    // A tag has one row; where it is void there is no other to go on to.
    guard try isFree(uid.hex) else { return nil }
    return PickedRow(
      key: uid.hex, index: nil, row: nil, serial: nil, place: "tag \(uid.hex)",
      record: Array("{}".utf8))
  }
}
