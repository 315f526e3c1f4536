internal import Platform

/// A ledger in an SQLite file, shared by the processes of one machine.
///
/// Beside the file lie `.lock`, held for each write and checkpoint, so that two processes never write at
/// one instant, and `.runs`, a locked file for each run that lives. Where a log is named, each event's
/// line is in it before the call that made the event returns.
///
/// If the log alone cannot be written, the call throws though its change is durable; the next one writes
/// what is missing.
package final class SQLiteLedger: Ledger {
  let files: LedgerFiles
  let connection: Connection
  let events: EventStore
  let log: EventLog?
  let station: String
  /// The run that `begin` began and `end` has not ended.
  var run: RunRecord?
  var runLock: FileLock?
  /// The current run's hold on its series.
  var seriesLock: FileLock?
  /// The lowest serial number not known to be given, for each way of counting.
  var serialFloors: [SerialCounting: Int] = [:]
  private var checkpointAt = SQLiteLedger.checkpointPages

  /// How many pages the write-ahead log may have before it is copied into the file.
  static let checkpointPages = 1000
  /// How long to wait for another process to leave the ledger.
  static let lockLimit: Duration = .seconds(10)

  /// Opens the ledger at `path`, made if it is missing and `creating` is true.
  ///
  /// `station` names the station in events that belong to no run; `log` is the path of the log.
  package init(
    at path: String, station: String, log: String?, creating: Bool = true,
    now: @escaping @Sendable () -> EventTime = { .now }
  ) throws(LedgerError) {
    if !creating && !Files.exists(path) {
      throw .cannotOpen(path: path, detail: "there is no ledger")
    }
    files = try LedgerFiles(at: path)
    let opening = LedgerOpening(files: files, log: log, now: now)
    (connection, events) = try Self.withLock(of: files) { () throws(LedgerError) in
      try opening.open(creating: creating)
    }
    self.log = log.map { [events] in EventLog(at: $0, of: events) }
    self.station = station
  }

  /// A rehearsal on a copy of the ledger at `path`, which lies in the empty folder `folder`.
  ///
  /// All that is recorded stays in the copy: the ledger and its log are only read. Events carry no number.
  /// A ledger that is missing is taken as empty.
  package init(
    rehearsing path: String, station: String, in folder: String,
    now: @escaping @Sendable () -> EventTime = { .now }
  ) throws(LedgerError) {
    files = try LedgerFiles(rehearsing: path, in: folder)
    let opening = LedgerOpening(files: files, log: nil, isRehearsal: true, now: now)
    (connection, events) = try Self.withLock(of: files) { () throws(LedgerError) in
      try opening.open(creating: true)
    }
    log = nil
    self.station = station
  }

  deinit {
    guard let lock = try? FileLock(trying: files.lock) else { return }
    _ = try? connection.checkpoint(truncating: true)
    lock.release()
  }

  package var identity: String { events.identity }

  package var head: Int64 {
    get throws(LedgerError) { try events.headSeq }
  }

  /// Copies the write-ahead log into the file; to be called when the ledger is not used any more.
  package func close() throws(LedgerError) {
    if connection.isPoisoned { return }
    _ = try locked { () throws(LedgerError) in try connection.checkpoint(truncating: true) }
  }

  /// Runs `body` under the ledger's lock.
  func locked<Result>(
    _ body: () throws(LedgerError) -> Result
  ) throws(LedgerError) -> Result {
    try Self.withLock(of: files, body)
  }

  /// Runs `body` in one transaction that writes no event, under the ledger's lock.
  func change<Result>(
    _ body: () throws(LedgerError) -> Result
  ) throws(LedgerError) -> Result {
    try locked { () throws(LedgerError) in
      let result = try transaction(body)
      try checkpointIfDue()
      return result
    }
  }

  /// Runs `body` in one transaction and appends the lines of its events to the log.
  ///
  /// All of it, `before` first and `after` last, happens under the ledger's lock.
  func record<Result>(
    before: () throws(LedgerError) -> Void = {}, after: () throws(LedgerError) -> Void = {},
    _ body: () throws(LedgerError) -> Result
  ) throws(LedgerError) -> Result {
    try locked { () throws(LedgerError) in
      try log?.catchUp()
      try before()
      let last = try events.headSeq
      let result = try transaction(body)
      try log?.append(after: last, to: try events.headSeq)
      try after()
      try checkpointIfDue()
      return result
    }
  }

  private static func withLock<Result>(
    of files: LedgerFiles, _ body: () throws(LedgerError) -> Result
  ) throws(LedgerError) -> Result {
    let lock: FileLock
    do throws(SystemError) {
      try LedgerFiles.makeShared(files.lock)
      lock = try FileLock(waitingFor: files.lock, limit: lockLimit)
    } catch {
      throw LedgerError(error, at: files.lock)
    }
    let result: Result
    do throws(LedgerError) {
      result = try body()
    } catch {
      lock.release()
      throw error
    }
    lock.release()
    return result
  }

  private func transaction<Result>(
    _ body: () throws(LedgerError) -> Result
  ) throws(LedgerError) -> Result {
    try connection.execute("BEGIN IMMEDIATE")
    do throws(LedgerError) {
      let result = try body()
      try connection.execute("COMMIT")
      return result
    } catch {
      connection.rollBack()
      throw error
    }
  }

  /// Checkpoints when the write-ahead log is long, and makes the log durable as far as it goes.
  ///
  /// One that readers or a full disk kept from its end is not tried again at once: what was committed is
  /// durable without it.
  private func checkpointIfDue() throws(LedgerError) {
    let pages = connection.logPages
    if pages < checkpointAt { return }
    checkpointAt = pages + Self.checkpointPages
    do throws(LedgerError) {
      if try connection.checkpoint(truncating: false) { checkpointAt = Self.checkpointPages }
    } catch {
      if connection.isPoisoned { throw error }
    }
    try log?.keep()
  }
}
