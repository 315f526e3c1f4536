import Foundation
import Platform
import Testing

@testable import Ledger

/// A ledger that a program of version 1 left, with rows in every state and runs killed in their work.
struct UpgradeTests {
  private let folder: String
  private var store: String { "\(folder)/ledger.sqlite" }

  init() throws {
    folder = "\(NSTemporaryDirectory())/upgrade-\(UUID().uuidString)"
    let old = try #require(
      Bundle.module.path(forResource: "version1", ofType: nil, inDirectory: "Fixtures"))
    try FileManager.default.copyItem(atPath: old, toPath: folder)
  }

  private func open(log: Bool = true) throws -> SQLiteLedger {
    try SQLiteLedger(
      at: store, station: "rig", log: log ? "\(folder)/log.jsonl" : nil, creating: false)
  }

  private func ask(_ sql: String, of path: String? = nil) throws -> String {
    try run(["sqlite3", path ?? store, sql])
  }

  private static let content = """
    SELECT series,key,serial,hex(record),place,state,hex(uid),fixed,hex(message),step,run FROM row;
    SELECT seq,line,hex(hash) FROM event; SELECT * FROM tag; SELECT * FROM run; SELECT * FROM refused;
    SELECT * FROM job; SELECT * FROM ledger
    """

  @Test func `everything stays as it is, and the copy has it too`() throws {
    let before = try ask(Self.content)
    #expect(try ask("PRAGMA user_version") == "1\n")
    #expect(
      try ask("SELECT state FROM row WHERE series='rig' ORDER BY state")
        == "committing\ndone\nfree\ninDoubt\nonTag\nvoid\nwriting\n")
    #expect(try open().verify().events == 33)
    #expect(try ask(Self.content) == before)
    #expect(try ask("PRAGMA user_version; SELECT count(*) FROM row WHERE sum IS NULL") == "2\n0\n")
    let copy = "\(store).v1"
    #expect(try ask("PRAGMA user_version; PRAGMA integrity_check", of: copy) == "1\nok\n")
    #expect(try ask(Self.content, of: copy) == before)
  }

  @Test func `a ledger in use by an older program waits`() throws {
    let lock = try RunLocks(try LedgerFiles(at: store)).hold("RUN1")
    #expect(throws: LedgerError.inUseByOlder(path: Files.real(store) ?? store)) { try open() }
    lock.release()
    #expect(try ask("PRAGMA user_version") == "1\n")
    #expect(try open().verify().events == 33)
  }

  @Test func `a run settles what the older program's runs left`() throws {
    let ledger = try open()
    try ledger.begin(.sample("R1"), [])
    let rows = try ledger.counts(series: "rig")
    #expect(rows[.inDoubt] == 2 && rows[.free] == 2 && rows[.writing] == nil)
    #expect(try ledger.verify().events > 33)
  }
}
