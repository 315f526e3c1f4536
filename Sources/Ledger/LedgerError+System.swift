internal import Glibc
internal import Platform

extension LedgerError {
  /// A failed system call on the file or folder at `path`.
  init(_ error: SystemError, at path: String) {
    switch error.code {
    case EACCES, EPERM: self = .permission(path: path)
    case EWOULDBLOCK: self = .locked(path: path)
    case ENOENT, ENOTDIR, EISDIR, EEXIST, EINVAL, ELOOP, ENXIO, ENAMETOOLONG, EROFS:
      self = .cannotOpen(path: path, detail: error.description)
    default: self = .io(detail: error.description)
    }
  }
}

/// Runs system calls on the file or folder at `path` and tells their errors as the ledger's.
func onFile<Result: ~Copyable>(
  at path: String, _ body: () throws(SystemError) -> Result
) throws(LedgerError) -> Result {
  do throws(SystemError) {
    return try body()
  } catch {
    throw LedgerError(error, at: path)
  }
}
