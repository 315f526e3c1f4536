import Bytes
import Foundation
import Testing

@testable import Ledger

struct CareTests {
  private let scratch = Scratch()

  @Test func `a sound ledger verifies with the judge's numbers`() throws {
    let ledger = try scratch.begin("R1")
    for key in 1...20 {
      try ledger.bring("K\(key)", uid: UInt8(key), to: .committing)
      try ledger.settle(
        .sample("K\(key)", uid: UInt8(key), .passed), ledger.change("K\(key)", .done),
        [("text", .string("a\u{1B}[31m\u{202E}é\"\\"))])
    }
    let head = try ledger.verify()
    #expect(head.events == 21)
    #expect(try scratch.judge() == "21 \(head.hash.hex.lowercased())\n")
  }

  @Test func `an empty ledger verifies`() throws {
    #expect(
      try scratch.open().verify() == LedgerHead(events: 0, hash: [UInt8](repeating: 0, count: 32)))
  }

  @Test(arguments: [
    ("UPDATE event SET line=replace(line,'lost','back') WHERE seq=3", 3),
    ("UPDATE event SET hash=zeroblob(32) WHERE seq=4", 4),
    ("DELETE FROM event WHERE seq=2", 2),
    ("DELETE FROM event WHERE seq=1", 1),
    ("UPDATE event SET seq=seq+100 WHERE seq=5", 5),
  ])
  func `tampering is found where it was done`(sql: String, seq: Int) throws {
    let ledger = try scratch.begin("R1", log: false)
    for _ in 1...8 { try ledger.append("reader.lost", []) }
    _ = try run([
      "sqlite3", scratch.store,
      "DROP TRIGGER event_no_update; DROP TRIGGER event_no_delete; \(sql)",
    ])
    #expect(throws: LedgerError.damaged(detail: "event \(seq) is missing or was changed")) {
      try ledger.verify()
    }
  }

  @Test(arguments: [
    "UPDATE row SET message=x'00'", "UPDATE row SET record=x'7B7D'",
    "UPDATE row SET place='cards.csv:9'",
    "UPDATE row SET state='onTag'", "UPDATE row SET step=1", "UPDATE row SET serial=7",
    "UPDATE row SET uid=x'09'", "UPDATE row SET fixed=0", "UPDATE row SET sum=NULL",
    "UPDATE tag SET outcome='failed'", "UPDATE tag SET uid=x'09'", "UPDATE tag SET key='B'",
    "UPDATE tag SET series='others'", "UPDATE tag SET series=NULL", "DELETE FROM tag",
    "INSERT INTO tag SELECT 1,run,reader,1,uid,series,key,outcome,cause,step FROM tag",
  ])
  func `a change by something else is found`(sql: String) throws {
    let ledger = try scratch.begin("R1", log: false)
    try ledger.bring("A", uid: 1, to: .committing)
    try ledger.settle(
      .sample("A", uid: 1, .passed), ledger.change("A", .done),
      [("outcome", .string("passed")), ("row", .string("A")), ("uid", .string("04010203040501"))])
    #expect(try ledger.verify().events == 2)
    _ = try run(["sqlite3", scratch.store, sql])
    do {
      _ = try ledger.verify()
      Issue.record("nothing was thrown")
    } catch LedgerError.damaged {
    }
  }

  @Test func `a tag that was only read needs no row and no series`() throws {
    let ledger = try scratch.begin("R1")
    try ledger.settle(.sample(nil, uid: 1, .passed), nil, [("outcome", .string("passed"))])
    #expect(try ledger.verify().events == 2)
  }

  @Test func `a row that was changed by something else is not used`() throws {
    let ledger = try scratch.begin("R1", log: false)
    try ledger.bring("A", uid: 1, to: .done)
    _ = try run(["sqlite3", scratch.store, "UPDATE row SET message=x'00'"])
    #expect(throws: LedgerError.self) { try ledger.row(series: "cards", key: "A") }
  }

  @Test func `a ledger cut at its end is behind its log`() throws {
    let ledger = try scratch.begin("R1")
    try ledger.append("reader.lost", [])
    _ = try run([
      "sqlite3", scratch.store, "DROP TRIGGER event_no_delete; DELETE FROM event WHERE seq=2",
    ])
    do {
      _ = try ledger.verify()
      Issue.record("nothing was thrown")
    } catch LedgerError.wentBack {
    }
  }

  @Test func `a backup is a ledger of its own as it was`() throws {
    let ledger = try scratch.begin("R1")
    try ledger.bring("A", uid: 1, to: .done)
    let path = "\(scratch.folder)/copy.sqlite"
    let head = try ledger.backup(to: path)
    #expect(try ledger.verify() == head)
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    #expect(attributes[.posixPermissions] as? Int == 0o660)
    let copy = try SQLiteLedger(at: path, station: "line-3", log: nil, creating: false)
    #expect(copy.identity == ledger.identity)
    #expect(try copy.verify() == head)
    #expect(try copy.state("A") == .done)
    #expect(throws: LedgerError.cannotOpen(path: path, detail: "it is there already")) {
      try ledger.backup(to: path)
    }
  }

  @Test func `closing leaves an empty write-ahead log`() throws {
    let ledger = try scratch.begin("R1")
    try ledger.end(exit: 0, [])
    try ledger.close()
    let attributes = try FileManager.default.attributesOfItem(atPath: "\(scratch.store)-wal")
    #expect(attributes[.size] as? Int == 0)
  }

  @Test func `the write-ahead log stays short in a long run`() throws {
    let ledger = try scratch.begin("R1", log: false)
    let text = String(repeating: "x", count: 8000)
    for _ in 1...700 { try ledger.append("reader.lost", [("text", .string(text))]) }
    let attributes = try FileManager.default.attributesOfItem(atPath: "\(scratch.store)-wal")
    let size = try #require(attributes[.size] as? Int)
    #expect(size < 1100 * 4120)
  }
}
