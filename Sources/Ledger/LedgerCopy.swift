internal import Glibc
internal import Platform

/// A copy of a whole ledger, as it is at one moment.
enum LedgerCopy {
  /// Writes all that `connection` sees to a file beside `path`, syncs it, and puts it at `path`.
  static func write(_ connection: Connection, to path: String) throws(LedgerError) {
    let draft = "\(path).\(getpid()).tmp"
    defer { unsafe unlink(draft) }
    try onFile(at: draft) { () throws(SystemError) in
      unsafe unlink(draft)
      try LedgerFiles.makeShared(draft)
    }
    try connection.run("VACUUM INTO ?", [.text(draft)])
    try onFile(at: path) { () throws(SystemError) in
      try Descriptor(opening: draft, flags: O_RDWR).synchronize()
      guard unsafe rename(draft, path) == 0 else { throw SystemError.last("rename to \(path)") }
      try Files.synchronizeFolder(Files.folder(of: path))
    }
  }
}
