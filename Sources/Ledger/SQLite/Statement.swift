internal import CSQLite

/// A prepared statement, used by one call at a time.
///
/// Owns a `sqlite3_stmt`, finalized with this object, which must happen before its connection is closed.
/// What a column accessor of SQLite returns is valid until the next step only, so it is copied at once.
@safe
final class Statement {
  private let handle: OpaquePointer
  private let sql: String

  /// Compiles `sql`, one statement, for repeated use.
  init(_ sql: String, on database: OpaquePointer) throws(SQLiteFailure) {
    var prepared: OpaquePointer?
    let flags = UInt32(SQLITE_PREPARE_PERSISTENT)
    let code = unsafe sqlite3_prepare_v3(database, sql, -1, flags, &prepared, nil)
    guard code == SQLITE_OK, let prepared = unsafe prepared else {
      throw SQLiteFailure(
        code: ResultCode(rawValue: code), message: unsafe String(cString: sqlite3_errmsg(database)),
        operation: sql)
    }
    unsafe handle = prepared
    self.sql = sql
  }

  deinit { unsafe sqlite3_finalize(handle) }

  /// Sets all parameters, in their order.
  func bind(_ values: [SQLValue]) throws(SQLiteFailure) {
    for (offset, value) in values.enumerated() {
      let index = Int32(offset + 1)
      let code =
        switch value {
        case .null: unsafe sqlite3_bind_null(handle, index)
        case .integer(let number): unsafe sqlite3_bind_int64(handle, index, number)
        case .text(let text): bind(text, at: index)
        case .blob(let bytes):
          unsafe bytes.withUnsafeBytes {
            unsafe tagstation_sqlite_bind_blob(handle, index, $0.baseAddress, UInt64($0.count))
          }
        }
      guard code == SQLITE_OK else { throw failure(code) }
    }
  }

  private func bind(_ text: String, at index: Int32) -> Int32 {
    var text = text
    return text.withUTF8 {
      unsafe tagstation_sqlite_bind_text(handle, index, $0.baseAddress, UInt64($0.count))
    }
  }

  /// Runs up to the next row; `false` when there is none.
  func step() throws(SQLiteFailure) -> Bool {
    switch unsafe sqlite3_step(handle) {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    case let code: throw failure(code)
    }
  }

  /// Makes the statement ready for its next use and lets its snapshot of the file go.
  ///
  /// The result repeats that of the last step and says nothing new, unless that was a row: see `finish`.
  func reset() {
    unsafe sqlite3_reset(handle)
    unsafe sqlite3_clear_bindings(handle)
  }

  /// Ends the statement at a row that is the last of interest.
  ///
  /// Outside a transaction what it changed is committed only now, and that can fail: `PRAGMA journal_mode`
  /// gives its row first.
  func finish() throws(SQLiteFailure) {
    let code = unsafe sqlite3_reset(handle)
    guard code == SQLITE_OK else { throw failure(code) }
  }

  /// Whether the column is NULL.
  func isNull(_ column: Int32) -> Bool {
    unsafe sqlite3_column_type(handle, column) == SQLITE_NULL
  }

  /// The column as an integer; zero where it is none.
  func integer(_ column: Int32) -> Int64 { unsafe sqlite3_column_int64(handle, column) }

  /// The column as an integer, if it is not NULL.
  func optionalInteger(_ column: Int32) -> Int64? { isNull(column) ? nil : integer(column) }

  /// The column's bytes: those of a blob, or the UTF-8 of a text.
  func bytes(_ column: Int32) -> [UInt8] {
    guard let start = unsafe sqlite3_column_blob(handle, column) else { return [] }
    let count = Int(unsafe sqlite3_column_bytes(handle, column))
    return unsafe [UInt8](UnsafeRawBufferPointer(start: start, count: count))
  }

  /// The column's bytes, if it is not NULL.
  func optionalBytes(_ column: Int32) -> [UInt8]? { isNull(column) ? nil : bytes(column) }

  /// The column as text.
  func text(_ column: Int32) -> String { String(decoding: bytes(column), as: UTF8.self) }

  /// The column as text, if it is not NULL.
  func optionalText(_ column: Int32) -> String? { isNull(column) ? nil : text(column) }

  private func failure(_ code: Int32) -> SQLiteFailure {
    let message = unsafe String(cString: sqlite3_errmsg(sqlite3_db_handle(handle)))
    return SQLiteFailure(code: ResultCode(rawValue: code), message: message, operation: sql)
  }
}
