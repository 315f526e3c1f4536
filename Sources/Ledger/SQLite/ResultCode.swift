internal import CSQLite

/// A result of SQLite, with its extended part (https://sqlite.org/rescode.html).
struct ResultCode: RawRepresentable, Equatable, Sendable {
  let rawValue: Int32

  init(rawValue: Int32) { self.rawValue = rawValue }

  static let ok = ResultCode(rawValue: SQLITE_OK)
  static let row = ResultCode(rawValue: SQLITE_ROW)
  static let done = ResultCode(rawValue: SQLITE_DONE)
  static let permission = ResultCode(rawValue: SQLITE_PERM)
  static let busy = ResultCode(rawValue: SQLITE_BUSY)
  static let locked = ResultCode(rawValue: SQLITE_LOCKED)
  static let readOnly = ResultCode(rawValue: SQLITE_READONLY)
  static let inputOutput = ResultCode(rawValue: SQLITE_IOERR)
  static let corrupt = ResultCode(rawValue: SQLITE_CORRUPT)
  static let full = ResultCode(rawValue: SQLITE_FULL)
  static let cannotOpen = ResultCode(rawValue: SQLITE_CANTOPEN)
  static let lockProtocol = ResultCode(rawValue: SQLITE_PROTOCOL)
  static let constraint = ResultCode(rawValue: SQLITE_CONSTRAINT)
  static let authorization = ResultCode(rawValue: SQLITE_AUTH)
  static let notADatabase = ResultCode(rawValue: SQLITE_NOTADB)

  /// The code without its extended part, the low byte.
  var primary: ResultCode { ResultCode(rawValue: rawValue & 0xFF) }
}
