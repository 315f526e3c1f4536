import Foundation
import Platform
import Testing

@testable import Ledger

struct OpeningTests {
  @Test func `what is missing is made for the group`() throws {
    let scratch = Scratch()
    let ledger = try scratch.begin("R1")
    #expect(ledger.identity.count == 32)
    let modes = [
      scratch.folder: 0o2770, ledger.files.runs: 0o2770, scratch.store: 0o660, scratch.log: 0o660,
      ledger.files.lock: 0o660, ledger.files.run("R1"): 0o660, "\(scratch.store)-wal": 0o660,
      "\(scratch.log).mark": 0o660,
    ]
    for (path, mode) in modes {
      let attributes = try FileManager.default.attributesOfItem(atPath: path)
      #expect(attributes[.posixPermissions] as? Int == mode, "\(path)")
    }
  }

  @Test func `the identity stays`() throws {
    let scratch = Scratch()
    let first = try scratch.open().identity
    #expect(try scratch.open().identity == first)
  }

  @Test func `a ledger that is only asked is not made`() throws {
    let scratch = Scratch()
    #expect(throws: LedgerError.cannotOpen(path: scratch.store, detail: "there is no ledger")) {
      try scratch.open(creating: false)
    }
    #expect(!FileManager.default.fileExists(atPath: scratch.store))
  }

  @Test func `a file of another program is refused and left alone`() throws {
    let scratch = Scratch()
    try FileManager.default.createDirectory(
      atPath: scratch.folder, withIntermediateDirectories: true)
    _ = try run(["sqlite3", scratch.store, "CREATE TABLE t(x)"])
    let before = try Data(contentsOf: URL(fileURLWithPath: scratch.store))
    #expect(throws: LedgerError.damaged(detail: "\(real(scratch.store)) is not a ledger")) {
      try scratch.open()
    }
    #expect(try Data(contentsOf: URL(fileURLWithPath: scratch.store)) == before)
  }

  @Test func `text is not a ledger`() throws {
    let scratch = Scratch()
    try FileManager.default.createDirectory(
      atPath: scratch.folder, withIntermediateDirectories: true)
    try scratch.write(String(repeating: "job: cards\n", count: 200), to: scratch.store)
    expectDamaged { _ = try scratch.open() }
  }

  @Test func `a newer ledger is refused`() throws {
    let scratch = Scratch()
    try scratch.open().close()
    _ = try run(["sqlite3", scratch.store, "PRAGMA user_version=3"])
    #expect(throws: LedgerError.newer(path: real(scratch.store), version: 3)) {
      try scratch.open()
    }
  }

  @Test func `a changed last event is seen when the ledger is opened`() throws {
    let scratch = Scratch()
    let ledger = try scratch.begin("R1")
    try ledger.end(exit: 0, [])
    try ledger.close()
    _ = try run([
      "sqlite3", scratch.store,
      "DROP TRIGGER event_no_update; UPDATE event SET line=replace(line,'line-3','line-4') WHERE seq=2",
    ])
    expectDamaged { _ = try scratch.open() }
  }

  @Test func `a file cut short is refused`() throws {
    let scratch = Scratch()
    try scratch.open().close()
    let content = try Data(contentsOf: URL(fileURLWithPath: scratch.store))
    try content.prefix(content.count / 2).write(to: URL(fileURLWithPath: scratch.store))
    expectDamaged { _ = try scratch.open() }
  }

  // statfs(2) lists the numbers.
  @Test(arguments: [
    (0x6969, true), (0x517B, true), (0xFE53_4D42, true), (0xFF53_4D42, true), (0xEF53, false),
    (0x0102_1994, false), (0x5846_5342, false), (0x9123_683E, false),
  ])
  func `network file systems are told by their number`(kind: UInt32, isRemote: Bool) {
    #expect(FileSystem.isRemote(kind: kind) == isRemote)
  }

  private func real(_ path: String) -> String { Files.real(path) ?? path }

  private func expectDamaged(_ body: () throws -> Void) {
    do {
      try body()
      Issue.record("nothing was thrown")
    } catch LedgerError.damaged {
    } catch {
      Issue.record(error)
    }
  }
}
