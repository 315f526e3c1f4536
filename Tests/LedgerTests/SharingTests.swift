import Bytes
import Dispatch
import Foundation
import Platform
import Testing

@testable import Ledger

struct SharingTests {
  private let scratch = Scratch()

  @Test func `two runs take turns on one ledger and one log`() throws {
    let ledgers = [try scratch.begin("R1"), try scratch.begin("R2")]
    for turn in 0..<10 {
      let ledger = ledgers[turn % 2]
      try ledger.bring("K\(turn)", uid: UInt8(turn), to: .committing)
      try ledger.settle(
        .sample("K\(turn)", uid: UInt8(turn), .passed), ledger.change("K\(turn)", .done), [])
    }
    for ledger in ledgers { try ledger.end(exit: 0, []) }
    #expect(try scratch.judge().hasPrefix("14 "))
  }

  @Test func `runs that race give each row and number once`() throws {
    let path = (store: scratch.store, log: scratch.log)
    let claimed = Locked<[String: Int]>([:])
    let failures = Locked<[String]>([])
    DispatchQueue.concurrentPerform(iterations: 4) { worker in
      do {
        let ledger = try SQLiteLedger(at: path.store, station: "line-3", log: path.log)
        try ledger.begin(.sample("R\(worker)"), [])
        for number in 0..<25 {
          let serial = try ledger.nextSerial(series: "cards", from: 1, step: 1, count: nil) ?? 0
          let key = "K\(number)"
          let uid = UInt8(worker * 25 + number)
          guard try ledger.startWriting(.sample(key, uid: uid, serial: serial)) == .claimed else {
            continue
          }
          claimed.withLock { $0[key, default: 0] += 1 }
          try ledger.startCommitting(series: "cards", key: key)
          try ledger.settle(.sample(key, uid: uid, .passed), ledger.change(key, .done), [])
        }
        try ledger.end(exit: 0, [])
      } catch {
        failures.withLock { $0.append("\(error)") }
      }
    }
    #expect(failures.withLock { $0 } == [])
    #expect(claimed.withLock { $0.values.allSatisfy { $0 == 1 } })
    _ = try scratch.judge()
    let rows = try scratch.open().rows(series: "cards", state: .done)
    #expect(Set(rows.compactMap(\.serial)) == Set(1...rows.count))
  }

  @Test func `events are numbered in their order whatever the clock says`() throws {
    let seconds = Locked<Int64>(2_000_000_000)
    let ledger = try SQLiteLedger(at: scratch.store, station: "line-3", log: scratch.log) {
      EventTime(
        seconds: seconds.withLock {
          $0 -= 86_400; return $0
        }, milliseconds: 0)
    }
    try ledger.begin(.sample("R1"), [])
    #expect(try (2...5).map { _ in try ledger.append("reader.lost", []) } == [2, 3, 4, 5])
    #expect(try scratch.judge().hasPrefix("5 "))
  }
}

@Suite struct SeriesTests {
  @Test func `a series is shared by runs, or one run's alone until it ends`() throws {
    let scratch = Scratch()
    let one = try scratch.begin("0000000000000001")
    let two = try scratch.begin("0000000000000002")
    #expect(try one.holdSeries("cards", alone: false))
    #expect(try two.holdSeries("cards", alone: false))
    let three = try scratch.begin("0000000000000003")
    #expect(try !three.holdSeries("cards", alone: true))
    #expect(try three.holdSeries("labels", alone: true))
    try one.end(exit: 0, [])
    try two.end(exit: 0, [])
    let four = try scratch.begin("0000000000000004")
    #expect(try four.holdSeries("cards", alone: true))
    let five = try scratch.begin("0000000000000005")
    #expect(try !five.holdSeries("cards", alone: false))
    try four.end(exit: 0, [])
    #expect(try five.holdSeries("cards", alone: false))
  }
}
