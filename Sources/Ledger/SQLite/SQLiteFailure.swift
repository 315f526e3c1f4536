/// A call into SQLite that failed: its code, its words, and what was being done.
struct SQLiteFailure: Error, Equatable, Sendable {
  let code: ResultCode
  let message: String
  let operation: String

  /// Whether what the file holds is not known any more.
  ///
  /// After a failed write or sync Linux may have dropped the pages, so that a second sync says "done"
  /// without them; only a fresh start tells. What is damaged must not be written to any more.
  var poisons: Bool { [.inputOutput, .corrupt, .notADatabase].contains(code.primary) }

  /// The same to those who only know the ledger at `path`.
  func ledgerError(at path: String) -> LedgerError {
    let detail = "\(operation) in \(path): \(message) (SQLite \(code.rawValue))"
    switch code.primary {
    case .full, .inputOutput, .readOnly: return .io(detail: detail)
    case .busy, .locked, .lockProtocol: return .locked(path: path)
    case .corrupt, .notADatabase: return .damaged(detail: detail)
    case .cannotOpen: return .cannotOpen(path: path, detail: detail)
    case .permission, .authorization: return .permission(path: path)
    case .constraint: return .impossible(detail: detail)
    default: return .io(detail: detail)
    }
  }
}
