/// Why the ledger or its log could not do what was asked.
package enum LedgerError: Error, Sendable, Equatable {
  /// It cannot be opened or created (exit 73 or 74).
  case cannotOpen(path: String, detail: String)
  /// No permission (77).
  case permission(path: String)
  /// Reading or writing failed (74).
  case io(detail: String)
  /// It is not a ledger, or is damaged (74).
  case damaged(detail: String)
  /// It is of a newer program (74).
  case newer(path: String, version: Int64)
  /// A run of an older program is at work on it, and it waits to be brought up to date (75).
  case inUseByOlder(path: String)
  /// It went back in time (74).
  case wentBack(detail: String)
  /// Another process held its lock for too long (75).
  case locked(path: String)
  /// A person asked for a change that the row's state does not allow (1).
  case refused(detail: String)
  /// A change that promise 3 does not allow: a fault of the program.
  case impossible(detail: String)
}
