internal import Glibc
internal import Platform

/// Where a ledger's files lie: the store itself, its lock, and the locks of its runs.
struct LedgerFiles: Sendable {
  /// The SQLite file, without links, so that all who open it share one lock.
  let store: String

  /// Makes the ledger's folder if it is missing.
  init(at path: String) throws(LedgerError) {
    let folder = Files.folder(of: path)
    let isRemote = try onFile(at: folder) { () throws(SystemError) in
      try Files.makeFolder(folder)
      return try FileSystem.isRemote(folder)
    }
    if isRemote {
      throw .cannotOpen(
        path: path, detail: "it lies on a network file system, where locks do not hold")
    }
    let real = Files.real(folder.isEmpty ? "." : folder) ?? folder
    store = Files.real(path) ?? Files.resolve(Files.name(of: path), in: real)
  }

  /// Locked for each write and checkpoint.
  var lock: String { "\(store).lock" }

  /// The folder with a file for each run, locked as long as the run lives.
  var runs: String { "\(store).runs" }

  /// The file of one run.
  func run(_ name: String) -> String { "\(runs)/\(name)" }

  /// Makes the file at `path`, empty and for owner and group, if nothing is there; whether it did.
  @discardableResult
  static func makeShared(_ path: String) throws(SystemError) -> Bool {
    if Files.exists(path) { return false }
    try Files.makeFolder(Files.folder(of: path))
    do throws(SystemError) {
      let file = try Descriptor(opening: path, flags: O_RDWR | O_CREAT | O_EXCL)
      // Whatever the umask says: the group works with the same ledger.
      fchmod(file.number, 0o660)
    } catch {
      if error.code == EEXIST && Files.exists(path) { return false }
      throw error
    }
    return true
  }
}
