internal import Glibc
internal import Platform

/// The files that say which runs live: each is locked by its run until that ends.
///
/// A file is made, and removed, under the ledger's lock only.
struct RunLocks {
  private let files: LedgerFiles

  init(_ files: LedgerFiles) { self.files = files }

  /// Takes the lock of the run `name`, which is new.
  func hold(_ name: String) throws(LedgerError) -> FileLock {
    let path = files.run(name)
    do throws(SystemError) {
      try LedgerFiles.makeShared(path)
      return try FileLock(trying: path)
    } catch {
      throw LedgerError(error, at: path)
    }
  }

  /// Whether a process holds the lock of the run `name`.
  ///
  /// Asked with a shared lock, so that two who ask at once do not take each other for the run.
  func isHeld(_ name: String) throws(LedgerError) -> Bool {
    if try isHeld(at: files.run(name)) { return true }
    return try files.runsOfOriginal.map { folder throws(LedgerError) in
      try isHeld(at: "\(folder)/\(name)")
    } ?? false
  }

  private func isHeld(at path: String) throws(LedgerError) -> Bool {
    do throws(SystemError) {
      let file = try Descriptor(opening: path, flags: O_RDONLY | O_NOCTTY | O_NONBLOCK)
      while flock(file.number, LOCK_SH | LOCK_NB) != 0 {
        let error = SystemError.last("lock \(path)")
        if error.isLocked { return true }
        if error.code != EINTR { throw error }
      }
      return false
    } catch {
      if error.isMissing { return false }
      throw LedgerError(error, at: path)
    }
  }

  /// Whether any run lives.
  func isAnyHeld() throws(LedgerError) -> Bool {
    guard let names = try? Files.names(in: files.runs) else { return false }
    for name in names where try isHeld(name) { return true }
    return false
  }

  /// Removes the file of a run that is over.
  ///
  /// One that stays behind harms nothing: nobody holds it.
  func remove(_ name: String) { unsafe unlink(files.run(name)) }

  /// Removes the files that no process holds.
  func sweep() throws(LedgerError) {
    guard let names = try? Files.names(in: files.runs) else { return }
    for name in names where try !isHeld(name) { remove(name) }
  }
}
