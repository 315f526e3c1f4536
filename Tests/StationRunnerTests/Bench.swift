import Bytes
import DataSource
import Diagnostics
import Foundation
import JobFile
import Ledger
import Platform
import ReaderSession
import Readers
import StationRunner
import VirtualReader

/// A folder with a job, its data and a shelf of virtual tags that several runs share.
final class Bench: Sendable {
  let folder: String
  let shelf: Locked<[ChipImage]>
  let cancellation = Cancellation()

  init(_ tags: [ChipImage]) throws {
    folder = NSTemporaryDirectory() + "tagstation-bench-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    shelf = Locked(tags)
  }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  /// Factory-fresh tags with UIDs 04 00 00 00 00 00 01 and so on.
  static func fresh(_ chip: String, count: Int = 1, from first: Int = 1) -> [ChipImage] {
    (first..<first + count).compactMap {
      VirtualChips.make(
        name: chip, uid: [0x04, 0x51, 0x52, 0x53, 0x54, UInt8($0 >> 8), UInt8($0 & 0xFF)])
    }
  }

  var ledgerPath: String { folder + "/ledger.sqlite" }
  var logPath: String { folder + "/log.jsonl" }

  func write(_ name: String, _ text: String) throws {
    try text.write(toFile: folder + "/" + name, atomically: true, encoding: .utf8)
  }

  /// Runs `job` over the shelf's tags, or over those at `positions` (counted from 1).
  func run(
    _ job: String, positions: [Int]? = nil, options change: (inout RunOptions) -> Void = { _ in },
    faults: (@Sendable (FaultPoint) -> [Fault])? = nil,
    observer: Ear = Ear(), on given: VirtualReader? = nil, at connection: String? = nil,
    declarations: String = "{formats: [TAG], usageDescription: Test tags}",
    radioDisabled: Bool = false, lines: LineFeed? = nil
  ) async throws -> (summary: RunSummary, ear: Ear) {
    try write("job.yaml", job)
    let read = JobFile.read(folder + "/job.yaml")
    guard let job = read.job else { throw BenchError(read.findings.all.map(\.message)) }
    var findings = Findings()
    var data: DataRows?
    var keys: RowKeys?
    var uids: RowKeys?
    if let spec = job.data, let source = spec.source {
      data = DataRows.open(source, findings: &findings)
      if let data {
        keys = RowKeys.make(
          for: data, basis: job.keyBasis, place: job.data?.place, findings: &findings)
        uids = job.uidBasis.flatMap {
          RowKeys.make(for: data, basis: $0, place: job.data?.place, findings: &findings)
        }
      }
    }
    if findings.hasErrors { throw BenchError(findings.all.map(\.message)) }
    let order = positions ?? Array(shelf.withLock { $0.indices }.map { $0 + 1 })
    let deck = order.map { position in
      DeckEntry(
        make: { [shelf] in shelf.withLock { $0[position - 1] } },
        changed: { [shelf] image in shelf.withLock { $0[position - 1] = image } })
    }
    let virtual =
      try given
      ?? VirtualReader(
        configuration: VirtualReaderConfiguration(timing: .none, faults: faults),
        deck: deck)
    defer { if given == nil { virtual.stop() } }
    let device = BenchDevice(
      virtual, hasDeck: given == nil, lockPath: folder + "/reader.lock")
    let source = ReaderSource(
      name: "bench",
      try connection.map { .connection(try ConnectionString($0)) } ?? .virtual(device),
      radioDisabled: radioDisabled)
    var options = RunOptions(output: folder)
    change(&options)
    try write(
      "station.yaml",
      """
      station: bench
      declarations: \(declarations)
      readers:
        bench: {virtual: {tags: [NTAG213]}}
      ledger: ledger.sqlite
      log: log.jsonl
      output: .
      """)
    let stationRead = StationFile.read(folder + "/station.yaml")
    guard let station = stationRead.station else {
      throw BenchError(stationRead.findings.all.map(\.message))
    }
    let input = RunInput(
      job: job, station: station, data: data, keys: keys, uids: uids, lines: lines,
      secrets: JobSecrets.read(job, mustHaveAll: true).secrets, source: source, options: options)
    let (ledgerPath, logPath) = (ledgerPath, logPath)
    let rehearsal = options.isDryRun ? try TemporaryFolder() : nil
    let summary = await Run.execute(
      input, on: Reader(source), cancellation: cancellation, observer: observer
    ) { () throws(LedgerError) in
      if let rehearsal {
        return try SQLiteLedger(rehearsing: ledgerPath, station: "bench", in: rehearsal.path)
      }
      return try SQLiteLedger(at: ledgerPath, station: "bench", log: logPath)
    }
    return (summary, observer)
  }

  func ledger() throws -> SQLiteLedger {
    try SQLiteLedger(at: ledgerPath, station: "bench", log: logPath)
  }

  /// The log's lines as objects.
  func log() throws -> [[String: Any]] {
    try String(contentsOfFile: logPath, encoding: .utf8).split(separator: "\n").map {
      try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any] ?? [:]
    }
  }

  /// What the tag at `position`, counted from 1, holds.
  func image(_ position: Int) -> ChipImage { shelf.withLock { $0[position - 1] } }
}

struct BenchError: Error, CustomStringConvertible {
  let messages: [String]
  init(_ messages: [String]) { self.messages = messages }
  var description: String { messages.joined(separator: "; ") }
}

/// The virtual reader as the reader layer sees it.
final class BenchDevice: VirtualDevice {
  private let reader: VirtualReader
  private let hasDeck: Bool
  let lockPath: String?

  init(_ reader: VirtualReader, hasDeck: Bool, lockPath: String) {
    self.reader = reader
    self.hasDeck = hasDeck
    self.lockPath = lockPath
  }

  var connectionString: String { reader.connectionString }
  var clock: any StationClock { reader.clock }
  var modelled: Duration { reader.work.modelled }
  var deckIsUsedUp: Bool { hasDeck && reader.deckIsUsedUp }
}

/// Keeps what a run tells.
final class Ear: RunObserver {
  private let heard = Locked<[RunNews]>([])
  private let onTag: @Sendable (TagReport) -> Void

  init(onTag: @escaping @Sendable (TagReport) -> Void = { _ in }) { self.onTag = onTag }

  func hear(_ news: RunNews) {
    heard.withLock { $0.append(news) }
    if case .tag(let report) = news { onTag(report) }
  }

  func prompt(_ text: String) -> Bool {
    heard.withLock { $0.append(.remark("prompt: \(text)")) }
    return true
  }

  var news: [RunNews] { heard.withLock { $0 } }

  var tags: [TagReport] {
    news.compactMap { if case .tag(let report) = $0 { report } else { nil } }
  }

  var ends: [String] {
    news.compactMap {
      if case .sessionEnded(_, let end) = $0 { "\(end.code.rawValue) \(end.by)" } else { nil }
    }
  }
}
