import Testing

@testable import Ledger

/// What the tables refuse by themselves, whoever writes to them.
struct SchemaTests {
  @Test(arguments: [
    ("a UID twice", "UPDATE row SET uid=x'04' WHERE key='B'"),
    ("a serial twice", "UPDATE row SET serial=1 WHERE key='B'"),
    ("done without UID", "UPDATE row SET state='done',uid=NULL WHERE key='A'"),
    ("free with a run", "UPDATE row SET state='free' WHERE key='A'"),
    ("in work without a run", "UPDATE row SET run=NULL WHERE key='A'"),
    ("a run that is not there", "UPDATE row SET run='nobody' WHERE key='A'"),
    ("an unknown state", "UPDATE row SET state='lost' WHERE key='A'"),
    ("an unknown outcome", "UPDATE tag SET outcome='fine'"),
    ("a short hash", "INSERT INTO event VALUES(9,'{}',x'00')"),
    ("a changed event", "UPDATE event SET line='{}'"),
    ("a removed event", "DELETE FROM event"),
    ("text for a number", "UPDATE row SET step='two' WHERE key='A'"),
  ])
  func `a change that breaks a promise is refused`(what: String, sql: String) throws {
    let scratch = Scratch()
    let ledger = try scratch.begin("R1")
    let connection = ledger.connection
    try connection.execute(
      """
      INSERT INTO row VALUES('s','A',1,x'','f:1','writing',x'04',1,x'',NULL,'R1',NULL);
      INSERT INTO row VALUES('s','B',2,x'','f:2','writing',x'05',1,x'',NULL,'R1',NULL);
      INSERT INTO tag VALUES(1,'R1','left',1,NULL,NULL,NULL,'passed',NULL,NULL);
      """)
    #expect(throws: LedgerError.self) { try connection.execute(sql) }
  }

  @Test func `a random UID may come twice`() throws {
    let scratch = Scratch()
    let ledger = try scratch.begin("R1")
    #expect(try ledger.startWriting(.sample("A", uid: 1, fixed: false)) == .claimed)
    #expect(try ledger.startWriting(.sample("B", uid: 1, fixed: false)) == .claimed)
  }

  @Test(arguments: [
    ("application_id", 0x4E46_4342), ("user_version", 2), ("synchronous", 2), ("foreign_keys", 1),
    ("trusted_schema", 0), ("mmap_size", 0),
  ])
  func `each setting is in force`(name: String, value: Int64) throws {
    let scratch = Scratch()
    let ledger = try scratch.open()
    #expect(try ledger.connection.first("PRAGMA \(name)") { $0.integer(0) } ?? 0 == value)
    #expect(try ledger.connection.first("PRAGMA journal_mode") { $0.text(0) } == "wal")
  }
}
