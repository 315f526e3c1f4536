import Foundation
import Platform
import Testing

@testable import Ledger

@Suite struct RehearsalTests {
  @Test func `what a rehearsal records is in its copy alone`() throws {
    let scratch = Scratch()
    let ledger = try scratch.begin("0000000000000001")
    _ = try ledger.startWriting(.sample("A", uid: 1))
    let folder = try TemporaryFolder()
    do {
      let copy = try SQLiteLedger(
        rehearsing: scratch.store, station: "line-3", in: folder.path)
      #expect(copy.identity == ledger.identity)
      try copy.begin(.sample("0000000000000002"), [])
      // The other run lives: its row is not settled, and nobody else's.
      #expect(try copy.row(series: "cards", key: "A")?.state == .writing)
      #expect(try copy.isLive(run: "0000000000000001"))
      #expect(try copy.startWriting(.sample("B", uid: 2)) == .claimed)
      let lines = try copy.lines(after: 0, ofRun: "0000000000000002").lines
      #expect(lines.count == 1)
      #expect(lines.first?.contains(#""seq":null"#) == true)
    }
    #expect(try ledger.row(series: "cards", key: "B") == nil)
    #expect(try ledger.head == 1)
    #expect(try ledger.startWriting(.sample("C", uid: 3)) == .claimed)
  }

  @Test func `a ledger that is not there is rehearsed as an empty one, and not made`() throws {
    let scratch = Scratch()
    let folder = try TemporaryFolder()
    let copy = try SQLiteLedger(
      rehearsing: scratch.store, station: "line-3", in: folder.path)
    try copy.begin(.sample("0000000000000002"), [])
    #expect(!FileManager.default.fileExists(atPath: scratch.folder))
  }

  @Test func `the folder of a rehearsal goes with it`() throws {
    let path = try TemporaryFolder().path
    #expect(!FileManager.default.fileExists(atPath: path))
  }
}
