import Bytes
import Foundation
import Testing

@testable import Ledger

struct RunTests {
  private let scratch = Scratch()

  @Test func `a run begins and ends in its own name`() throws {
    let ledger = try scratch.open()
    try ledger.begin(.sample("R1"), [("file", .string("cards.yaml"))])
    #expect(try ledger.append("session.began", [("reader", .string("left"))]) == 2)
    try ledger.end(exit: 3, [("reason", .string("idle"))])
    let start = #"{"v":1,"time":"2026-11-30T00:00:00.007Z","event":""#
    let origin = #"","station":"line-3","job":"cards","run":"R1","seq":"#
    #expect(
      try scratch.lines() == [
        start + "run.began" + origin
          + #"1,"virtual":true,"ledger":"\#(ledger.identity)","file":"cards.yaml"}"#,
        start + "session.began" + origin + #"2,"virtual":true,"reader":"left"}"#,
        start + "run.ended" + origin + #"3,"virtual":true,"exit":3,"reason":"idle"}"#,
      ])
    let kept = try ledger.connection.all("SELECT began,ended,exit FROM run WHERE run='R1'") {
      [$0.integer(0), $0.integer(1), $0.integer(2)]
    }
    #expect(kept == [[1, 3, 3]])
    #expect(!FileManager.default.fileExists(atPath: ledger.files.run("R1")))
    #expect(try scratch.judge().hasPrefix("3 "))
  }

  @Test func `a run lives until it ends or its process is gone`() throws {
    let watcher = try scratch.open()
    var ledger: SQLiteLedger? = try scratch.begin("R1")
    #expect(try ledger?.isLive(run: "R1") == true)
    #expect(try watcher.isLive(run: "R1"))
    try scratch.kill(&ledger)
    #expect(try !watcher.isLive(run: "R1"))
    #expect(try !watcher.isLive(run: "R2"))
    #expect(try !watcher.isLive(run: "../line.sqlite"))
    let second = try scratch.begin("R2")
    try second.end(exit: 0, [])
    #expect(try !second.isLive(run: "R2"))
  }

  @Test func `rows of a dead run are settled in its name when another begins`() throws {
    var dead: SQLiteLedger? = try scratch.begin("R1")
    let states: [RowState] = [.writing, .committing, .onTag, .inDoubt, .done]
    for (uid, state) in states.enumerated() {
      try dead?.bring(state.rawValue, uid: UInt8(uid), to: state)
    }
    try scratch.kill(&dead)
    let ledger = try scratch.open()
    try ledger.begin(RunRecord(run: "R2", job: "other", station: "line-4", virtual: false), [])
    let after: [RowState] = [.free, .inDoubt, .onTag, .inDoubt, .done]
    #expect(try states.map { try ledger.state($0.rawValue) } == after)
    let start = #"{"v":1,"time":"2026-11-30T00:00:00.007Z","event":""#
    let origin = #"","station":"line-3","job":"cards","run":"R1","seq":"#
    let tag = #","virtual":true,"reader":null,"position":null,"uid":"040102030405"#
    #expect(
      try scratch.lines()[1...3] == [
        start + "tag" + origin + "2" + tag
          + #"01","series":"cards","row":"committing","outcome":"inDoubt","cause":"tagLost"}"#,
        start + "tag" + origin + "3" + tag
          + #"00","series":"cards","row":"writing","outcome":"torn","cause":"tagLost"}"#,
        start + "run.ended" + origin
          + #"4,"virtual":true,"exit":null,"reason":"died","counts":{"inDoubt":1,"torn":1}}"#,
      ])
    #expect(try scratch.lines().count == 5)
    #expect(!FileManager.default.fileExists(atPath: ledger.files.run("R1")))
    _ = try scratch.judge()
  }

  @Test func `rows of a live run are not settled by others`() throws {
    let first = try scratch.begin("R1")
    try first.bring("A", uid: 1, to: .committing)
    let second = try scratch.begin("R2")
    #expect(try second.settleDeadRuns() == 0)
    #expect(try second.state("A") == .committing)
    try first.settle(.sample("A", uid: 1, .passed), first.change("A", .done), [])
  }

  @Test func `dead runs are settled on demand, once`() throws {
    let ledger = try scratch.begin("R2")
    var dead: SQLiteLedger? = try scratch.begin("R1")
    try dead?.bring("A", uid: 1, to: .writing)
    try scratch.kill(&dead)
    #expect(try ledger.settleDeadRuns() == 1)
    #expect(try ledger.state("A") == .free)
    let head = try ledger.head
    #expect(try ledger.settleDeadRuns() == 0)
    #expect(try ledger.head == head)
  }

  @Test func `an end settles what the run left in work`() throws {
    let ledger = try scratch.begin("R1")
    try ledger.bring("A", uid: 1, to: .writing)
    try ledger.end(exit: 130, [])
    #expect(try ledger.state("A") == .free)
  }

  @Test(arguments: ["", "../R1", "R 1", "R\u{301}"])
  func `a run's name is letters and digits`(name: String) throws {
    let ledger = try scratch.open()
    #expect(throws: LedgerError.self) { try ledger.begin(.sample(name), []) }
    #expect(try ledger.head == 0)
  }
}
