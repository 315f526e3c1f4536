internal import Bytes
internal import Digests
internal import Glibc
internal import Platform

/// Where a ledger's files lie: the store itself, its lock, and the locks of its runs.
struct LedgerFiles: Sendable {
  /// The SQLite file, without links, so that all who open it share one lock.
  let store: String
  /// For a rehearsal, the folder of the runs that work with the ledger itself.
  private(set) var runsOfOriginal: String?

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

  /// Files of a rehearsal in `folder`, with a copy of the ledger at `path` as it is now, if it is there.
  init(rehearsing path: String, in folder: String) throws(LedgerError) {
    store = Files.resolve("ledger.sqlite", in: folder)
    let original = Files.real(path) ?? path
    runsOfOriginal = "\(original).runs"
    guard Files.exists(original) else { return }
    let copy = store
    try onFile(at: original) { () throws(SystemError) in
      // Nobody writes or checkpoints meanwhile, so that file and write-ahead log belong together.
      let lock = Files.exists("\(original).lock") ? try FileLock(sharing: "\(original).lock") : nil
      try Files.copy(original, to: copy)
      if Files.exists("\(original)-wal") { try Files.copy("\(original)-wal", to: "\(copy)-wal") }
      lock?.release()
    }
  }

  /// Locked for each write and checkpoint.
  var lock: String { "\(store).lock" }

  /// The folder with a file for each run, locked as long as the run lives.
  var runs: String { "\(store).runs" }

  /// Where the ledger is kept as it was before it was brought to a newer version.
  func copy(ofVersion version: Int64) -> String { "\(store).v\(version)" }

  /// The file of one run.
  func run(_ name: String) -> String { "\(runs)/\(name)" }

  /// The file of one series, locked by the runs that write its rows; never removed.
  func series(_ name: String) -> String {
    "\(store).series/\(SHA256.digest(of: Array(name.utf8)).prefix(8).hex)"
  }

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
