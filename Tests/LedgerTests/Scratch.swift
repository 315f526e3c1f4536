import Bytes
import Foundation
import Testing

@testable import Ledger

/// A folder for one test, with a ledger and a log in it; removed when the test is over.
final class Scratch {
  let folder = "\(NSTemporaryDirectory())/ledger-\(UUID().uuidString)"
  var store: String { "\(folder)/line.sqlite" }
  var log: String { "\(folder)/line.jsonl" }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  /// Opens the ledger, with a clock that stands still.
  func open(log: Bool = true, creating: Bool = true) throws -> SQLiteLedger {
    try SQLiteLedger(
      at: store, station: "line-3", log: log ? self.log : nil, creating: creating
    ) { EventTime(seconds: 1_795_996_800, milliseconds: 7) }
  }

  /// Opens the ledger and begins a run.
  func begin(_ run: String, log: Bool = true) throws -> SQLiteLedger {
    let ledger = try open(log: log)
    try ledger.begin(.sample(run), [])
    return ledger
  }

  /// Lets go of a ledger whose run has not ended, as the death of its process would.
  ///
  /// A child that another test starts may have the run's lock until it executes its program.
  func kill(_ ledger: inout SQLiteLedger?) throws {
    let run = try #require(ledger?.run?.run)
    ledger = nil
    let locks = RunLocks(try LedgerFiles(at: store))
    while try locks.isHeld(run) { usleep(1000) }
  }

  /// The log's lines.
  func lines(of path: String? = nil) throws -> [String] {
    try text(of: path ?? log).split(separator: "\n").map(String.init)
  }

  func text(of path: String) throws -> String {
    String(decoding: try Data(contentsOf: URL(fileURLWithPath: path)), as: UTF8.self)
  }

  func write(_ text: String, to path: String) throws {
    try Data(text.utf8).write(to: URL(fileURLWithPath: path))
  }

  /// What the independent judge says of the ledger and these logs.
  func judge(_ logs: [String]? = nil) throws -> String {
    let script = try #require(
      Bundle.module.path(forResource: "judge", ofType: "py", inDirectory: "Fixtures"))
    return try run(["python3", script, store] + (logs ?? [log]))
  }
}

/// Runs a program and returns what it prints; throws if it fails.
func run(_ command: [String]) throws -> String {
  let process = Process()
  let pipe = Pipe()
  process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
  process.arguments = command
  process.standardOutput = pipe
  process.standardError = pipe
  try process.run()
  let output = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
  process.waitUntilExit()
  guard process.terminationStatus == 0 else { throw Failure(output: output) }
  return output
}

/// A program that failed, with what it printed.
struct Failure: Error {
  var output: String
}

extension RunRecord {
  static func sample(_ run: String) -> RunRecord {
    RunRecord(run: run, job: "cards", station: "line-3", virtual: true)
  }
}

extension RowClaim {
  static func sample(
    _ key: String, uid: UInt8, serial: Int? = nil, fixed: Bool = true, series: String = "cards"
  ) -> RowClaim {
    RowClaim(
      series: series, key: key, serial: serial, record: Array(#"{"code":"\#(key)"}"#.utf8),
      place: "cards.csv:2", uid: [4, 1, 2, 3, 4, 5, uid], fixed: fixed,
      message: [0xD1, 1, 1, 0x55, uid])
  }
}

extension TagRecord {
  static func sample(_ key: String?, uid: UInt8, _ outcome: Outcome, _ cause: Cause? = nil)
    -> TagRecord
  {
    TagRecord(
      reader: "left", position: 1, uid: [4, 1, 2, 3, 4, 5, uid], series: key.map { _ in "cards" },
      key: key, outcome: outcome, cause: cause)
  }
}

extension SQLiteLedger {
  /// Takes a row all the way to a state.
  func bring(_ key: String, uid: UInt8, to state: RowState) throws {
    if state != .void { _ = try startWriting(.sample(key, uid: uid)) }
    switch state {
    case .writing: break
    case .free: try settle(.sample(key, uid: uid, .torn, .tagLost), change(key, .free), [])
    case .committing: try startCommitting(series: "cards", key: key)
    case .onTag, .inDoubt, .done:
      try startCommitting(series: "cards", key: key)
      try move(series: "cards", key: key, to: state, step: state == .onTag ? 2 : nil)
    case .void:
      try bring(key, uid: uid, to: .free)
      try void(series: "cards", key: key, reason: "spoilt")
    }
  }

  func change(_ key: String, _ state: RowState) -> RowChange {
    RowChange(series: "cards", key: key, state: state)
  }

  func state(_ key: String) throws -> RowState? { try row(series: "cards", key: key)?.state }
}
