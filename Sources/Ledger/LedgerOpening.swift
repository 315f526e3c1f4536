internal import Glibc
internal import Platform

/// How a ledger is opened: made where it is missing, refused where it is something else.
struct LedgerOpening {
  let files: LedgerFiles
  let log: String?
  var isRehearsal = false
  let now: @Sendable () -> EventTime

  /// The connection and the events of the ledger; to be called under its lock.
  func open(creating: Bool) throws(LedgerError) -> (Connection, EventStore) {
    if creating && !Files.exists(files.store) { try makeFile() }
    guard unsafe access(files.store, R_OK | W_OK) == 0 else {
      throw LedgerError(.last("open \(files.store)"), at: files.store)
    }
    let connection = try Connection(opening: files.store)
    let version = try version(of: connection)
    if version == nil && !creating { throw damaged("is empty") }
    if version == nil { try refuseSuccessor() }
    try configure(connection)
    if version == nil { try make(on: connection) }
    let identities = try connection.all("SELECT id FROM ledger LIMIT 2") { $0.text(0) }
    guard identities.count == 1 else { throw damaged("has no identity") }
    let events = EventStore(
      identity: identities[0], on: connection, isRehearsal: isRehearsal, now: now)
    try checkHead(of: events, on: connection)
    if let version { try bringUpToDate(connection, from: version) }
    return (connection, events)
  }

  private func makeFile() throws(LedgerError) {
    try refuseSuccessor()
    do throws(SystemError) {
      try LedgerFiles.makeShared(files.store)
      try Files.synchronizeFolder(Files.folder(of: files.store))
    } catch {
      throw LedgerError(error, at: files.store)
    }
  }

  /// Throws where the log was written from a ledger that is not there any more.
  private func refuseSuccessor() throws(LedgerError) {
    guard let log, let mark = try LogMark(at: EventLog.markPath(of: log)) else { return }
    throw .wentBack(
      detail:
        "\(log) was written from ledger \(mark.ledger), and \(files.store) is missing or empty")
  }

  /// The version of the ledger, `nil` for an empty file; throws for anything but a ledger of a known one.
  private func version(of connection: Connection) throws(LedgerError) -> Int64? {
    let application = try connection.first("PRAGMA application_id") { $0.integer(0) } ?? 0
    let version = try connection.first("PRAGMA user_version") { $0.integer(0) } ?? 0
    let objects = try connection.first("SELECT count(*) FROM sqlite_schema") { $0.integer(0) } ?? 0
    if application == 0 && objects == 0 { return nil }
    guard application == Schema.applicationID else { throw damaged("is not a ledger") }
    guard version <= Schema.version else {
      throw .newer(path: files.store, version: version)
    }
    guard version > 0 else { throw damaged("has no version") }
    return version
  }

  /// Brings a ledger of an older program to this one's version: a copy beside it first, then one
  /// transaction, so that whatever happens one of them is whole.
  private func bringUpToDate(
    _ connection: Connection, from version: Int64
  ) throws(LedgerError) {
    guard version < Schema.version else { return }
    // A run of the older program knows nothing of the new tables.
    if try RunLocks(files).isAnyHeld() { throw .inUseByOlder(path: files.store) }
    try LedgerCopy.write(connection, to: files.copy(ofVersion: version))
    try connection.execute("BEGIN IMMEDIATE")
    do throws(LedgerError) {
      for step in version..<Schema.version {
        guard let statements = Schema.steps(from: step) else { throw damaged("has no version") }
        try connection.execute(statements)
      }
      try connection.sealAll()
      try connection.execute("PRAGMA user_version=\(Schema.version)")
      try connection.execute("COMMIT")
    } catch {
      connection.rollBack()
      throw error
    }
  }

  private func configure(_ connection: Connection) throws(LedgerError) {
    let mode = try connection.first("PRAGMA journal_mode=WAL") { $0.text(0) }
    guard mode == "wal" else {
      throw .cannotOpen(path: files.store, detail: "a write-ahead log is not possible there")
    }
    try connection.execute(
      """
      PRAGMA synchronous=FULL; PRAGMA foreign_keys=ON; PRAGMA trusted_schema=OFF;
      PRAGMA mmap_size=0; PRAGMA cell_size_check=ON
      """)
  }

  private func make(on connection: Connection) throws(LedgerError) {
    let made = SQLValue.text(now().text)
    try connection.execute("BEGIN IMMEDIATE")
    do throws(LedgerError) {
      try connection.execute(Schema.statements)
      try connection.run("INSERT INTO ledger VALUES(lower(hex(randomblob(16))),?)", [made])
      try connection.execute("PRAGMA application_id=\(Schema.applicationID)")
      try connection.execute("PRAGMA user_version=\(Schema.version)")
      try connection.execute("COMMIT")
    } catch {
      connection.rollBack()
      throw error
    }
  }

  /// Checks the last event against the one before it: cheap, and most damage shows there.
  private func checkHead(of events: EventStore, on connection: Connection) throws(LedgerError) {
    let last = try events.head
    guard last.seq > 0 else { return }
    let sql = "SELECT hash FROM event WHERE seq=?"
    let previous = try connection.first(sql, [.integer(last.seq - 1)]) { $0.bytes(0) }
    let line = try events.line(last.seq) ?? []
    guard previous != nil || last.seq == 1,
      EventStore.hash(after: previous ?? EventStore.genesis, line) == last.hash
    else { throw damaged("does not verify at event \(last.seq)") }
  }

  private func damaged(_ what: String) -> LedgerError {
    .damaged(detail: "\(files.store) \(what)")
  }
}
