internal import Bytes
internal import Diagnostics
internal import FoundationEssentials
internal import JobFile
internal import Ledger
internal import Platform
internal import Readers
internal import StationRunner
internal import VirtualReader

/// What a run's own `tag` event says of a job.
struct Measurement: Equatable {
  let job: TagJob
  let commands: Int
  let milliseconds: Double
  /// The host commands from the reader's opening to its close, code and parameters in hexadecimal.
  let trace: [String]

  var floor: Floor { Floor(job) }
  /// Per cent of the floor's time.
  var ratio: Double { milliseconds / floor.milliseconds * 100 }

  /// Runs `job` on a virtual reader in this process, through libnfc.
  init(_ job: TagJob) async throws(BenchmarkError) {
    let folder = try ScratchFolder()
    let tag = Locked(
      try VirtualChips.make(
        name: job.chip.name, uid: [0x04, 0x51, 0x52, 0x53, 0x54, 0x00, 0x01]
      ).orThrow("no virtual \(job.chip.name)"))
    if let before = job.before {
      _ = try await Self.run(
        job.file(writing: before, locking: false), at: job.baud, on: tag, in: folder)
    }
    let text = job.file(writing: job.message, locking: job.locks)
    let (report, trace) = try await Self.run(text, at: job.baud, on: tag, in: folder)
    self.job = job
    commands = report.commands
    milliseconds = try report.modelledMilliseconds.orThrow("the run reports no modelled time")
    self.trace = trace
  }

  private static func run(
    _ text: String, at baud: Int, on tag: Locked<ChipImage>, in folder: ScratchFolder
  ) async throws(BenchmarkError) -> (TagReport, [String]) {
    let trace = Locked<[String]>([])
    do {
      try folder.write("job.yaml", text)
      try folder.write(
        "station.yaml",
        """
        station: benchmark
        declarations: {formats: [TAG], usageDescription: Measure}
        readers:
          virtual: {virtual: {tags: [NTAG213]}}
        """)
      let configuration = VirtualReaderConfiguration(
        speed: baud, timing: .none,
        onCommand: { code, parameters in trace.withLock { $0.append(([code] + parameters).hex) } })
      let entry = DeckEntry(
        make: { tag.withLock { $0 } }, changed: { image in tag.withLock { $0 = image } })
      let virtual = try VirtualReader(configuration: configuration, deck: [entry])
      defer { virtual.stop() }
      let source = ReaderSource(
        name: "virtual", .virtual(Device(virtual, lockPath: folder.path + "/reader.lock")))
      let job = JobFile.read(folder.path + "/job.yaml")
      let station = StationFile.read(folder.path + "/station.yaml")
      let faults = (job.findings.all + station.findings.all).map(\.message)
      let input = RunInput(
        job: try job.job.orThrow(faults.joined(separator: "; ")),
        station: try station.station.orThrow(faults.joined(separator: "; ")),
        data: nil, keys: nil, source: source, options: RunOptions(output: folder.path))
      let ear = Ear()
      let ledger = folder.path + "/\(UUID().uuidString)"
      let summary = await Run.execute(
        input, on: Reader(source), cancellation: Cancellation(), observer: ear
      ) { () throws(LedgerError) in
        try SQLiteLedger(at: ledger + ".sqlite", station: "benchmark", log: ledger + ".jsonl")
      }
      guard let report = ear.report, report.outcome == .passed else {
        throw BenchmarkError(
          "the job did not pass: \(ear.report?.detail ?? summary.remarks.joined(separator: "; "))")
      }
      return (report, trace.withLock { $0 })
    } catch let error as BenchmarkError {
      throw error
    } catch {
      throw BenchmarkError("\(error)")
    }
  }
}

/// The virtual reader as the reader layer sees it.
private final class Device: VirtualDevice {
  private let reader: VirtualReader
  let lockPath: String?

  init(_ reader: VirtualReader, lockPath: String) {
    self.reader = reader
    self.lockPath = lockPath
  }

  var connectionString: String { reader.connectionString }
  var clock: any StationClock { reader.clock }
  var modelled: Duration { reader.work.modelled }
  var deckIsUsedUp: Bool { reader.deckIsUsedUp }
}

/// Keeps the tag's report.
private final class Ear: RunObserver {
  private let heard = Locked<TagReport?>(nil)

  func hear(_ news: RunNews) {
    if case .tag(let report) = news { heard.withLock { $0 = report } }
  }

  func prompt(_ text: String) -> Bool { true }

  var report: TagReport? { heard.withLock { $0 } }
}
