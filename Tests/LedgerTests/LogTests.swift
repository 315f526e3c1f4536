import Bytes
import Foundation
import Testing

@testable import Ledger

struct LogTests {
  private let scratch = Scratch()

  /// A ledger with six events, all in the log.
  private func prepare() throws {
    let ledger = try scratch.begin("R1")
    for reader in 1...4 { try ledger.append("reader.lost", [("reader", .integer(Int64(reader)))]) }
    try ledger.end(exit: 0, [])
  }

  /// Has another run begin and end, and the judge compare.
  private func go(_ logs: [String]? = nil) throws {
    let ledger = try scratch.begin("R2")
    try ledger.end(exit: 0, [])
    #expect(try scratch.judge(logs).hasPrefix("8 "))
  }

  @Test(arguments: [0, 1, 40, 150, 300, 600])
  func `a log cut anywhere is completed`(cut: Int) throws {
    try prepare()
    let log = try scratch.text(of: scratch.log)
    try scratch.write(String(log.dropLast(cut)), to: scratch.log)
    try go()
  }

  @Test(arguments: ["\0\0\0\0", "{\"seq\":7", "{\"v\":1,\"time\":\"2020"])
  func `what a torn write left is removed where it is not the next line`(rest: String) throws {
    try prepare()
    let log = try scratch.text(of: scratch.log)
    try scratch.write(log + rest, to: scratch.log)
    try go()
  }

  @Test func `lines of a dead run are written before those of the next`() throws {
    try prepare()
    let log = try scratch.text(of: scratch.log)
    let ledger = try scratch.begin("R3", log: false)
    try ledger.append("reader.back", [])
    try ledger.end(exit: 0, [])
    #expect(try scratch.text(of: scratch.log) == log)
    let next = try scratch.begin("R2")
    try next.end(exit: 0, [])
    #expect(try scratch.judge().hasPrefix("11 "))
  }

  @Test func `rotation while a run lives goes on in the new file`() throws {
    let ledger = try scratch.begin("R1")
    try ledger.append("reader.lost", [])
    let old = "\(scratch.log).1"
    try FileManager.default.moveItem(atPath: scratch.log, toPath: old)
    try ledger.append("reader.back", [])
    #expect(try scratch.lines().count == 1)
    #expect(try scratch.judge([old, scratch.log]).hasPrefix("3 "))
  }

  @Test func `rotation between runs repeats nothing`() throws {
    try prepare()
    let old = "\(scratch.log).1"
    try FileManager.default.moveItem(atPath: scratch.log, toPath: old)
    try scratch.write("", to: scratch.log)
    try go([old, scratch.log])
    #expect(try scratch.lines().count == 2)
  }

  @Test func `rotation after a killed run repeats nothing`() throws {
    var dead: SQLiteLedger? = try scratch.begin("R1")
    try dead?.append("reader.lost", [])
    try scratch.kill(&dead)
    let old = "\(scratch.log).1"
    try FileManager.default.moveItem(atPath: scratch.log, toPath: old)
    _ = try scratch.begin("R2")
    #expect(try scratch.judge([old, scratch.log]).hasPrefix("4 "))
  }

  @Test func `a new log begins where the ledger is`() throws {
    try prepare()
    try FileManager.default.removeItem(atPath: scratch.log)
    try FileManager.default.removeItem(atPath: "\(scratch.log).mark")
    _ = try scratch.begin("R2")
    #expect(try scratch.lines().count == 1)
  }

  @Test func `the mark has the identity, the last number and the last that was synced`() throws {
    let ledger = try scratch.begin("R1")
    try ledger.append("reader.lost", [])
    let zeros = String(repeating: "0", count: 18)
    #expect(
      try scratch.text(of: "\(scratch.log).mark")
        == "\(ledger.identity) \(zeros)2 \(zeros)1\n")
  }

  /// What a power cut may leave of lines that were not synced: pages of them read as zeros.
  @Test(arguments: [0..<40, 100..<400, 50..<51, 480..<600])
  func `zeros among lines that were not synced are written again`(hole: Range<Int>) throws {
    var dead: SQLiteLedger? = try scratch.begin("R1")
    let synced = try scratch.text(of: scratch.log).utf8.count
    for _ in 1...5 { try dead?.append("reader.lost", []) }
    try scratch.kill(&dead)
    var log = try Data(contentsOf: URL(fileURLWithPath: scratch.log))
    let end = min(synced + hole.upperBound, log.count)
    for place in synced + hole.lowerBound..<end { log[place] = 0 }
    try log.write(to: URL(fileURLWithPath: scratch.log))
    _ = try scratch.begin("R2")
    #expect(try scratch.judge().hasPrefix("8 "))
  }

  @Test func `a line changed in the middle of the log is found`() throws {
    try prepare()
    let log = try scratch.text(of: scratch.log)
    let changes = [
      ("\"reader\":2", "\"reader\":7"), ("\"seq\":3", "\"seq\":8"), ("{\"v\"", "[\"v\""),
    ]
    for (old, new) in changes {
      try scratch.write(log.replacing(old, with: new, maxReplacements: 1), to: scratch.log)
      #expect(throws: LedgerError.self) { try scratch.open().verify() }
    }
    try scratch.write(log, to: scratch.log)
    #expect(try scratch.open().verify().events == 6)
  }

  @Test(arguments: [true, false])
  func `an older copy of the ledger is noticed`(isRotated: Bool) throws {
    try prepare()
    try FileManager.default.copyItem(atPath: scratch.store, toPath: "\(scratch.store).old")
    let ledger = try scratch.begin("R2")
    try ledger.end(exit: 0, [])
    try ledger.close()
    if isRotated { try scratch.write("", to: scratch.log) }
    try restore("\(scratch.store).old")
    try expectWentBack()
  }

  @Test func `an older copy that went on by itself is noticed`() throws {
    try prepare()
    try FileManager.default.copyItem(atPath: scratch.store, toPath: "\(scratch.store).old")
    let ledger = try scratch.begin("R2")
    try ledger.end(exit: 0, [])
    try ledger.close()
    try restore("\(scratch.store).old")
    let other = try scratch.begin("R3", log: false)
    for _ in 1...3 { try other.append("reader.lost", []) }
    try other.end(exit: 0, [])
    try other.close()
    try expectWentBack()
  }

  @Test func `a missing ledger is noticed and not made anew`() throws {
    try prepare()
    try FileManager.default.removeItem(atPath: scratch.store)
    try expectWentBack()
    #expect(!FileManager.default.fileExists(atPath: scratch.store))
  }

  @Test func `another ledger is noticed`() throws {
    try prepare()
    try FileManager.default.removeItem(atPath: scratch.store)
    try scratch.open(log: false).close()
    try expectWentBack()
  }

  @Test func `a log that cannot be written stops the run and is completed later`() throws {
    let ledger = try scratch.begin("R1")
    try FileManager.default.moveItem(atPath: scratch.log, toPath: "\(scratch.log).1")
    try FileManager.default.createDirectory(atPath: scratch.log, withIntermediateDirectories: false)
    #expect(throws: LedgerError.self) { try ledger.append("reader.lost", []) }
    try FileManager.default.removeItem(atPath: scratch.log)
    try ledger.append("reader.back", [])
    #expect(try scratch.judge(["\(scratch.log).1", scratch.log]).hasPrefix("2 "))
  }

  private func restore(_ copy: String) throws {
    for path in [scratch.store, "\(scratch.store)-wal", "\(scratch.store)-shm"]
    where FileManager.default.fileExists(atPath: path) {
      try FileManager.default.removeItem(atPath: path)
    }
    try FileManager.default.moveItem(atPath: copy, toPath: scratch.store)
  }

  private func expectWentBack() throws {
    do {
      _ = try scratch.begin("R9")
      Issue.record("nothing was thrown")
    } catch LedgerError.wentBack {
    }
  }
}
