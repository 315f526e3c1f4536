internal import Platform

extension SQLiteLedger {
  /// Checks the file, the chain of hashes, tags and rows against it, and the log; throws at the first
  /// fault.
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
    try LedgerCopy.write(connection, to: path)
    let copy = try Connection(opening: path)
    let head = try EventStore(identity: identity, on: copy, now: { .now }).head
    return LedgerHead(events: head.seq, hash: head.hash)
  }

  /// Checks the file as it is now, in one snapshot.
  private func verifyStore() throws(LedgerError) -> LedgerHead {
    try connection.execute("BEGIN")
    defer { connection.rollBack() }
    let faults = try connection.all("PRAGMA integrity_check(1)") { $0.text(0) }
    if faults != ["ok"] { throw .damaged(detail: faults.first ?? "integrity_check says nothing") }
    if let table = try connection.first("PRAGMA foreign_key_check", [], { $0.text(0) }) {
      throw .damaged(detail: "a line of table \(table) names a run that is not there")
    }
    let head = try verifyChain()
    try verifyTags()
    try verifySums()
    return head
  }

  /// Every tag is as its event has it, and every tag's event has one.
  private func verifyTags() throws(LedgerError) {
    // Events are guarded by their hashes: a member that is not there never was.
    let members = [
      ("tag.outcome", "outcome"), ("tag.cause", "cause"), ("tag.key", "row"), ("tag.run", "run"),
      ("nullif(tag.reader,'')", "reader"), ("nullif(tag.position,0)", "position"),
      ("tag.step", "step"),
      ("CASE WHEN tag.uid IS NULL THEN NULL ELSE hex(tag.uid) END", "uid"),
    ]
    let differences = members.map { column, member in
      "json_type(line,'$.\(member)') IS NOT NULL AND json_extract(line,'$.\(member)') IS NOT \(column)"
    }
    let sql = """
      SELECT event.seq FROM event LEFT JOIN tag ON tag.seq=event.seq
      WHERE json_extract(line,'$.event')='tag'
        AND (tag.seq IS NULL OR \(differences.joined(separator: " OR ")))
      LIMIT 1
      """
    if let seq = try connection.first(sql, [], { $0.integer(0) }) {
      throw .damaged(detail: "the tag of event \(seq) is missing or was changed")
    }
    let foreign = """
      SELECT tag.seq FROM tag LEFT JOIN event ON tag.seq=event.seq
      WHERE event.seq IS NULL OR json_extract(line,'$.event')<>'tag'
        OR (tag.key IS NULL)<>(tag.series IS NULL)
        OR tag.series IS NOT NULL AND tag.series NOT IN(SELECT series FROM row)
          AND tag.series NOT IN(SELECT series FROM job)
      LIMIT 1
      """
    if let seq = try connection.first(foreign, [], { $0.integer(0) }) {
      throw .damaged(detail: "tag \(seq) has no event, or no series")
    }
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
