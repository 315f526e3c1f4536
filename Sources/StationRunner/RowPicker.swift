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
  /// Whether it is done on this very tag and put there again.
  var isAgain = false
}

/// What a tag gets.
enum RowChoice: Sendable {
  case row(PickedRow)
  /// Nothing: no row is free any more.
  case noneLeft
  /// Nothing: why.
  case none(String)
}

/// Chooses rows for tags: the lowest free one first, the one with the tag's UID, or the one in hand.
final class RowPicker {
  private let ledger: any Ledger
  private let job: Job
  private let finder: RowFinder
  private let feed: RowFeed?
  private var data: DataRows? { finder.data }
  /// The columns that writing steps use.
  private let columns: [String]
  private var cursor = 0
  /// Which records were not free when the ledger was looked through last; asked again for the others.
  private var used = IndexSet()
  /// How many rows that are not free were not in the data then; `nil` before the first look.
  private var foreign: Int?
  /// Indexes below the cursor that became free again, in order.
  private var freed: [Int] = []
  private let serialFormat: SerialFormat?
  /// Whether each tag has a row of its own, named by its UID.
  let namesRowsByTag: Bool
  private let fixedUIDs: Bool
  /// Rows that this run put on their tags, where each run does so.
  private var written: Set<String> = []

  /// A picker for a job that writes.
  init(job: Job, finder: RowFinder, feed: RowFeed?, ledger: any Ledger) {
    self.job = job
    self.finder = finder
    self.feed = feed
    self.ledger = ledger
    columns = job.columnsWritten
    serialFormat = job.data?.serial.flatMap { try? SerialFormat($0.format) }
    namesRowsByTag = finder.data == nil && job.data?.serial == nil
    fixedUIDs = !job.batches.contains { $0.writes && $0.accept.uid == .random }
  }

  /// How many rows the job has in all; `nil` where there is no end.
  var total: Int? {
    if job.takesLines { return nil }
    if let data { return data.count }
    return job.data?.serial?.count
  }

  func serialText(_ serial: Int?) -> String? {
    guard let serial, let serialFormat else { return nil }
    return serialFormat.text(of: serial)
  }

  /// How many rows are free now; `nil` where there is no end.
  ///
  /// By the ledger's count of rows; which of them the data has is found out once, in one pass over them.
  func rowsLeft() throws(LedgerError) -> Int? {
    if job.takesLines { return feed?.end == nil ? nil : 0 }
    guard let total, job.repetition != .always else { return nil }
    guard try ledger.hasRows(series: job.series) else { return total }
    if job.repetition == .eachRun {
      var taken = 0
      try lookThrough { _, key, state, _ in
        if state != .done || written.contains(key) { taken += 1 }
      }
      return total - taken
    }
    if data != nil, foreign == nil { try lookThrough { _, _, _, _ in } }
    let counts = try ledger.counts(series: job.series)
    let used = counts.reduce(0) { $0 + ($1.key == .free ? 0 : $1.value) }
    return max(0, total - (used - (foreign ?? 0)))
  }

  /// Whether there is no free row any more, looked up for each of them.
  func isUsedUp() throws(LedgerError) -> Bool {
    guard let total else { return false }
    guard data != nil else { return try rowsLeft() == 0 }
    try lookThrough { _, _, _, _ in }
    return used.count == total
  }

  /// Gives each row of the ledger that is not free, and still in the data, to `visit` with its record's
  /// index there, and notes which those are.
  private func lookThrough(
    _ visit: (_ index: Int, _ key: String, _ state: RowState, _ record: [UInt8]) -> Void
  ) throws(LedgerError) {
    var used = IndexSet()
    var foreign = 0
    try ledger.eachUsedRow(series: job.series) { key, state, record in
      guard let index = index(ofKey: key) else {
        foreign += 1
        return
      }
      used.insert(index)
      visit(index, key, state, record)
    }
    self.used = used
    self.foreign = foreign
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
    var found: [(key: String, now: String, place: String)] = []
    try lookThrough { index, key, state, known in
      guard state != .void, let row = try? data.row(at: index) else { return }
      let now = record(of: row)
      if !now.utf8.elementsEqual(known) { found.append((key, now, row.place.text)) }
    }
    var changed: [ChangedRow] = []
    for one in found {
      guard let row = try ledger.row(series: job.series, key: one.key) else { continue }
      changed.append(ChangedRow(row: row, now: one.now, place: one.place))
    }
    return changed
  }

  /// With `order: strict`, the row that waits for its tag, before which no other is begun.
  func rowInTurn() throws(LedgerError) -> LedgerRow? {
    guard job.data?.strict == true else { return nil }
    for state in [RowState.onTag, .inDoubt] {
      if let row = try ledger.rows(series: job.series, state: state).first { return row }
    }
    return nil
  }

  /// The row that the tag gets.
  func choose(for uid: [UInt8]) throws(LedgerError) -> RowChoice {
    if let feed { return try choose(from: feed) }
    if job.data?.match == .uid { return try choose(byUID: uid) }
    return try next(for: uid).map { .row($0) } ?? .noneLeft
  }

  /// Whether a row that is done on the tag with this UID is put there again.
  func repeats(_ known: LedgerRow, on uid: [UInt8]) -> Bool {
    guard job.repetition != .never, known.fixed, known.uid == uid else { return false }
    if job.repetition == .eachRun, written.contains(known.key) { return false }
    if namesRowsByTag { return fixedUIDs }
    return job.data?.match == .uid
      && finder.index(ofUID: uid).flatMap { finder.key(at: $0) } == known.key
  }

  /// The row is done on its tag.
  func wrote(_ key: String) {
    if job.repetition == .eachRun { written.insert(key) }
  }

  /// The next free row; `nil` if none is left.
  private func next(for uid: [UInt8]) throws(LedgerError) -> PickedRow? {
    if namesRowsByTag { return try rowOfTag(uid) }
    guard let data else { return try nextSerialRow() }
    while let index = freed.first {
      if let known = try free(at: index) {
        return try picked(index, in: data, serial: known.serial)
      }
      freed.removeFirst()
    }
    while cursor < data.count {
      if used.contains(cursor) {
        cursor += 1
        continue
      }
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

  private func choose(byUID uid: [UInt8]) throws(LedgerError) -> RowChoice {
    guard let index = finder.index(ofUID: uid), let data, let key = key(at: index) else {
      return .none("the data has no row for the UID \(uid.hex)")
    }
    let known = try ledger.row(series: job.series, key: key)
    let isAgain = known.map { repeats($0, on: uid) && $0.state == .done } ?? false
    if let obstacle = known?.obstacle, !isAgain { return .none(obstacle) }
    guard var row = try picked(index, in: data, serial: known?.serial) else {
      return .none("no serial number is left")
    }
    row.isAgain = isAgain
    row.isFresh = !isAgain
    return .row(row)
  }

  private func choose(from feed: RowFeed) throws(LedgerError) -> RowChoice {
    guard let hand = feed.hand else {
      return .none(job.takesLines ? "no line is left" : "no code was scanned for it")
    }
    let known = try hand.key.flatMap { key throws(LedgerError) in
      try ledger.row(series: job.series, key: key)
    }
    if let obstacle = known?.obstacle { return .none(obstacle) }
    if let index = hand.index, let data {
      let row = try picked(index, in: data, serial: known?.serial)
      return row.map { .row($0) } ?? .none("no serial number is left")
    }
    var number = known?.serial
    if number == nil, let spec = job.data?.serial {
      number =
        hand.key == nil
        ? try lowestNumber()
        : try ledger.nextSerial(
          series: job.series, from: spec.from, step: spec.step, count: spec.count)
      if number == nil { return .none("no serial number is left") }
    }
    return .row(
      PickedRow(
        key: hand.key ?? number.map { String($0) } ?? "", index: nil, row: hand.row,
        serial: number, place: hand.row.place.text, record: Array(record(of: hand.row).utf8)))
  }

  private func key(at index: Int) -> String? {
    finder.key(at: index)
  }

  private func index(ofKey key: String) -> Int? {
    finder.index(ofKey: key)
  }

  private func picked(
    _ index: Int, in data: DataRows, serial kept: Int?
  ) throws(LedgerError) -> PickedRow? {
    guard let row = try? data.row(at: index), let key = key(at: index) else { return nil }
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
    guard let serial = try lowestNumber() else { return nil }
    return PickedRow(
      key: String(serial), index: nil, row: nil, serial: serial, place: "serial \(serial)",
      record: Array("{}".utf8))
  }

  /// The number of a row that is named by it: the lowest that is free.
  private func lowestNumber() throws(LedgerError) -> Int? {
    guard let spec = job.data?.serial else { return nil }
    let freed = try ledger.rows(series: job.series, state: .free).compactMap(\.serial).min()
    let new = try ledger.nextSerial(
      series: job.series, from: spec.from, step: spec.step, count: spec.count)
    return [freed, new].compactMap({ $0 }).min()
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
    let known = try ledger.row(series: job.series, key: uid.hex)
    if known?.state == .void { return nil }
    let isAgain = known.map { $0.state == .done && repeats($0, on: uid) } ?? false
    return PickedRow(
      key: uid.hex, index: nil, row: nil, serial: nil, place: "tag \(uid.hex)",
      record: Array("{}".utf8), isFresh: !isAgain, isAgain: isAgain)
  }
}
