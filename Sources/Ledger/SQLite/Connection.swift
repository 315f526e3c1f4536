internal import CSQLite

/// A connection to one SQLite file, with its prepared statements.
///
/// Owns a `sqlite3`, opened without SQLite's own mutex: one thread at a time. It never checkpoints by
/// itself, neither after a commit nor when it closes, and after a failed write or sync it refuses
/// everything.
@safe
final class Connection {
  private let path: String
  private let handle: OpaquePointer
  private let pages: UnsafeMutablePointer<Int32>
  private var statements: [String: Statement] = [:]
  private var fault: LedgerError?

  /// Opens the file at `path`, which must be there.
  init(opening path: String) throws(LedgerError) {
    self.path = path
    var opened: OpaquePointer?
    let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
    let code = unsafe sqlite3_open_v2(path, &opened, flags, nil)
    guard let database = unsafe opened else {
      throw .cannotOpen(path: path, detail: "no memory")
    }
    unsafe handle = database
    unsafe pages = .allocate(capacity: 1)
    unsafe pages.initialize(to: 0)
    if code != SQLITE_OK { throw fail(failure(code, "open")) }
    unsafe tagstation_sqlite_configure(database, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1)
    unsafe tagstation_sqlite_configure(database, SQLITE_DBCONFIG_DEFENSIVE, 1)
    unsafe tagstation_sqlite_count_pages(database, pages)
    unsafe sqlite3_busy_timeout(database, 10_000)
  }

  deinit {
    statements = [:]
    // Fails only where statements are left, and then closes with the last of them.
    unsafe sqlite3_close_v2(handle)
    unsafe pages.deallocate()
  }

  /// How many pages the write-ahead log had after the last commit of this connection.
  var logPages: Int { Int(unsafe pages.pointee) }

  /// Whether an earlier failure makes every further answer doubtful.
  var isPoisoned: Bool { fault != nil }

  /// Runs `sql`, a statement without parameters whose rows are of no interest.
  func execute(_ sql: String) throws(LedgerError) {
    if let fault { throw fault }
    let code = unsafe sqlite3_exec(handle, sql, nil, nil, nil)
    if code != SQLITE_OK { throw fail(failure(code, sql)) }
  }

  /// Ends an open transaction as if it had never begun, also after a failure.
  func rollBack() {
    if unsafe sqlite3_get_autocommit(handle) == 0 {
      unsafe sqlite3_exec(handle, "ROLLBACK", nil, nil, nil)
    }
  }

  /// Runs a statement that changes something; returns how many rows it changed.
  @discardableResult
  func run(_ sql: String, _ values: [SQLValue] = []) throws(LedgerError) -> Int {
    _ = try all(sql, values) { _ in }
    return Int(unsafe sqlite3_changes(handle))
  }

  /// What `read` makes of the first row, if there is one.
  func first<Result>(
    _ sql: String, _ values: [SQLValue] = [], _ read: (Statement) -> Result
  ) throws(LedgerError) -> Result? {
    var result: Result?
    try each(sql, values) { row in
      result = read(row)
      return false
    }
    return result
  }

  /// What `read` makes of every row.
  func all<Result>(
    _ sql: String, _ values: [SQLValue] = [], _ read: (Statement) -> Result
  ) throws(LedgerError) -> [Result] {
    var results: [Result] = []
    try each(sql, values) { row in
      results.append(read(row))
      return true
    }
    return results
  }

  /// Gives each row to `visit` until that returns `false`.
  ///
  /// `visit` must not run the same statement.
  func each(
    _ sql: String, _ values: [SQLValue] = [], _ visit: (Statement) -> Bool
  ) throws(LedgerError) {
    if let fault { throw fault }
    do throws(SQLiteFailure) {
      let statement = try prepared(sql)
      defer { statement.reset() }
      try statement.bind(values)
      while try statement.step() {
        if !visit(statement) { return try statement.finish() }
      }
    } catch {
      throw fail(error)
    }
  }

  /// Copies pages from the write-ahead log into the file; whether all of them could be.
  ///
  /// Readers can keep some back. With `truncating` the log is empty afterwards if none did.
  func checkpoint(truncating: Bool) throws(LedgerError) -> Bool {
    if let fault { throw fault }
    var inLog: Int32 = 0
    var copied: Int32 = 0
    let mode = truncating ? SQLITE_CHECKPOINT_TRUNCATE : SQLITE_CHECKPOINT_PASSIVE
    unsafe sqlite3_busy_timeout(handle, 0)
    let code = unsafe sqlite3_wal_checkpoint_v2(handle, nil, mode, &inLog, &copied)
    unsafe sqlite3_busy_timeout(handle, 10_000)
    if ResultCode(rawValue: code).primary == .busy { return false }
    if code != SQLITE_OK { throw fail(failure(code, "checkpoint")) }
    unsafe pages.pointee = inLog - copied
    return inLog == copied
  }

  private func prepared(_ sql: String) throws(SQLiteFailure) -> Statement {
    if let statement = statements[sql] { return statement }
    let statement = unsafe try Statement(sql, on: handle)
    statements[sql] = statement
    return statement
  }

  private func failure(_ code: Int32, _ operation: String) -> SQLiteFailure {
    SQLiteFailure(
      code: ResultCode(rawValue: code), message: unsafe String(cString: sqlite3_errmsg(handle)),
      operation: operation)
  }

  private func fail(_ failure: SQLiteFailure) -> LedgerError {
    let error = failure.ledgerError(at: path)
    if failure.poisons && fault == nil { fault = error }
    return error
  }
}
