internal import Glibc
internal import Platform

extension SQLiteLedger {
  /// Checks the file, the chain of hashes, and that the log is not ahead; throws at the first fault.
  package func verify() throws(LedgerError) -> LedgerHead {
    let head = try verifyStore()
    try locked { () throws(LedgerError) in try log?.check() }
    return head
  }

  /// Copies the ledger as it is now to a new file at `path`; returns how far the copy goes.
  ///
  /// A reader's work: no lock is held, and runs go on meanwhile.
  package func backup(to path: String) throws(LedgerError) -> LedgerHead {
    if Files.exists(path) { throw .cannotOpen(path: path, detail: "it is there already") }
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
    let copy = try Connection(opening: path)
    let head = try EventStore(identity: identity, on: copy, now: { .now }).head
    return LedgerHead(events: head.seq, hash: head.hash)
  }

  /// Checks the file as it is now, in one snapshot.
  private func verifyStore() throws(LedgerError) -> LedgerHead {
    try connection.execute("BEGIN")
    defer { connection.rollBack() }
    let faults = try connection.all("PRAGMA quick_check(1)") { $0.text(0) }
    if faults != ["ok"] { throw .damaged(detail: faults.first ?? "quick_check says nothing") }
    if let table = try connection.first("PRAGMA foreign_key_check", [], { $0.text(0) }) {
      throw .damaged(detail: "a line of table \(table) names a run that is not there")
    }
    return try verifyChain()
  }

  private func verifyChain() throws(LedgerError) -> LedgerHead {
    var head = LedgerHead(events: 0, hash: EventStore.genesis)
    var broken: Int64?
    try connection.each("SELECT seq,line,hash FROM event ORDER BY seq") { event in
      let seq = event.integer(0)
      let hash = EventStore.hash(after: head.hash, event.bytes(1))
      guard seq == head.events + 1, event.bytes(2) == hash else {
        broken = head.events + 1
        return false
      }
      head = LedgerHead(events: seq, hash: hash)
      return true
    }
    if let broken { throw .damaged(detail: "event \(broken) is missing or was changed") }
    return head
  }
}
