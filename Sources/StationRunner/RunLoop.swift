internal import Bytes
internal import Declarations
internal import JobFile
internal import Ledger
internal import Platform
internal import ReaderSession
internal import Readers
internal import Templates

/// The loop of a run: sessions, one after another, and the tags that each delivers.
final class RunLoop {
  let context: RunContext
  let configurations: [SessionConfiguration]
  let port: ReaderPort
  var progress: RunProgress
  var presence = Presence()
  var device: (any ReaderDevice)?
  /// The run's place in the reader's queue, from its first session to its last.
  var ticket: ReaderTicket?
  /// Exit statuses that apply besides those of outcomes.
  var problems: Set<ExitStatus> = []
  var remarks: [String] = []
  /// Rows free in the data; `nil` where there is no end or the job takes none.
  var rowsLeft: Int?
  /// For each entry that only reads, the tags it has seen.
  var seen: [Set<[UInt8]>]
  /// Sessions that their first tag ended.
  var sessionsOfOneTag = 0
  /// While the last free row is gone and some wait for their tag.
  var waitsForRows = false
  /// Why no more lines or codes are waited for.
  var feedStop: StopReason?
  /// The ledger's last event when rows were counted last, and the time since.
  private var headAtLook: Int64?
  private var lastLook = WallClock()

  init(_ context: RunContext, _ configurations: [SessionConfiguration], port: ReaderPort) {
    self.context = context
    self.configurations = configurations
    self.port = port
    let job = context.job
    seen = Array(repeating: [], count: job.batches.count)
    progress = RunProgress(
      .init(
        afterTags: context.options.limit ?? job.stop.afterTags, whenIdleFor: job.stop.whenIdleFor,
        afterFailures: job.stop.afterFailures, batchTags: job.batches.map(\.tags)))
  }

  var job: Job { context.job }
  var batch: Batch { job.batches[progress.entry] }

  /// Runs to the end; every fault becomes part of the summary.
  func execute() -> RunSummary {
    var reason = StopReason.fault
    var began = false
    do throws(LedgerError) {
      try begin()
      began = true
      reason = try work()
    } catch {
      problems.insert(error.exit)
      remarks.append(error.text)
    }
    port.close()
    ticket = nil
    if sessionsOfOneTag > 1 {
      remarks.append(
        "\(sessionsOfOneTag) sessions ended after their first tag: invalidateAfterFirstRead is true; "
          + "with false one session takes many tags")
    }
    return finish(reason, began: began)
  }

  // MARK: Begin and end

  private func begin() throws(LedgerError) {
    let declarations = context.station.declarations
    var fields: [EventField] = [
      ("usageDescription", declarations.usageDescription.map { .string($0) } ?? .null),
      ("file", .string(job.path)), ("hash", .string(job.hash.hex.lowercased())),
    ]
    if context.options.isDryRun { fields.append(("dryRun", .bool(true))) }
    try context.ledger.begin(
      RunRecord(
        run: context.run, job: job.name, station: context.station.name,
        virtual: context.isVirtual), fields)
    rowsLeft = try context.picker?.rowsLeft()
    context.observer.hear(
      .began(
        RunOpening(
          job: job.name, station: context.station.name, reader: context.readerName,
          isVirtual: context.isVirtual, run: context.run,
          usageDescription: declarations.usageDescription ?? "",
          isDryRun: context.options.isDryRun, ledger: context.station.ledger,
          log: context.station.log, rowsLeft: rowsLeft)))
  }

  private func finish(_ reason: StopReason, began: Bool) -> RunSummary {
    var rows: [RowState: Int] = [:]
    var unfinished = 0
    var reason = reason
    if began, !problems.contains(.cannotWrite) {
      do throws(LedgerError) {
        if context.picker != nil {
          rows = try context.ledger.counts(series: job.series)
          rowsLeft = try context.picker?.rowsLeft()
          unfinished = try unfinishedRows()
        }
        let exit = exitStatus(reason, rows, unfinished: unfinished)
        try context.ledger.end(
          exit: exit.rawValue,
          [
            ("exit", .integer(Int64(exit.rawValue))), ("reason", .string(reason.rawValue)),
            ("counts", countsInEvent),
            ("rows", context.options.isDryRun ? .null : Self.json(rows)),
          ])
      } catch {
        problems.insert(error.exit)
        remarks.append(error.text)
        reason = .fault
      }
    }
    return RunSummary(
      reason: reason, exit: exitStatus(reason, rows, unfinished: unfinished),
      isDryRun: context.options.isDryRun,
      counts: progress.counts, rows: rows, rowsLeft: rowsLeft, remarks: remarks)
  }

  /// Outcomes as `run.ended` has them: a dry run has none that passed.
  private var countsInEvent: JSON {
    guard context.options.isDryRun else { return Self.json(progress.counts) }
    let counts = progress.counts.filter { $0.value > 0 }.map { outcome, count in
      (outcome == .passed ? "wouldPass" : outcome.rawValue, JSON.integer(Int64(count)))
    }
    return .object(counts.sorted { $0.0 < $1.0 })
  }

  private func exitStatus(
    _ reason: StopReason, _ rows: [RowState: Int], unfinished: Int
  ) -> ExitStatus {
    var statuses = problems
    let counts = progress.counts
    if counts[.failed, default: 0] + counts[.torn, default: 0] > 0 { statuses.insert(.someFailed) }
    // A line that could not be taken is a row that is on no tag.
    if context.feed?.refused ?? 0 > 0 { statuses.insert(.someFailed) }
    let rowsUsedUp = context.picker != nil && rowsLeft == 0
    if progress.differentTags < job.expectTags, !rowsUsedUp { statuses.insert(.someFailed) }
    if rows[.inDoubt, default: 0] > 0 || counts[.inDoubt, default: 0] > 0
      || counts[.unfinished, default: 0] > 0
    {
      statuses.insert(.inDoubt)
    }
    // With no row left, a run is there for those that wait for their tags; in order, it is always.
    if unfinished > 0, rowsLeft == 0 || job.data?.strict == true, reason != .canceled {
      statuses.insert(.inDoubt)
    }
    if reason == .canceled {
      switch context.cancellation.signal {
      case Signals.terminate: statuses.insert(.terminated)
      case Signals.brokenPipe: statuses.insert(.cannotCreate)
      default: statuses.insert(.interrupted)
      }
    }
    return ExitStatus.first(of: statuses)
  }

  private static func json<Key: RawRepresentable<String>>(_ counts: [Key: Int]) -> JSON {
    .object(
      counts.filter { $0.value > 0 }.map { ($0.key.rawValue, .integer(Int64($0.value))) }
        .sorted { $0.0 < $1.0 })
  }

  // MARK: Rows

  /// Whether there is nothing left for an entry that writes; asks other runs' rows before saying so.
  func rowsAreUsedUp() throws(LedgerError) -> Bool {
    guard let left = rowsLeft, left <= 0 else { return false }
    // Asked between any two listings: the rows are counted again only where something happened.
    if waitsForRows, lastLook.now < .seconds(1), try context.ledger.head == headAtLook {
      return false
    }
    _ = try context.ledger.settleDeadRuns()
    headAtLook = try context.ledger.head
    lastLook = WallClock()
    rowsLeft = try context.picker?.rowsLeft()
    guard rowsLeft == 0 else {
      waitsForRows = false
      return false
    }
    let counts = try context.ledger.counts(series: job.series)
    let waiting = try unfinishedRows() + counts[.inDoubt, default: 0]
    guard waiting > 0, !(context.options.noInput && job.stop.whenIdleFor == nil) else {
      return true
    }
    if !waitsForRows {
      waitsForRows = true
      context.observer.hear(
        .remark("\(waiting) row(s) wait for their own tag; put those tags on the reader again"))
    }
    return false
  }

  /// How many rows are `onTag`, but for those that another live run had last: it may have their tags in
  /// hand.
  private func unfinishedRows() throws(LedgerError) -> Int {
    var count = 0
    for row in try context.ledger.rows(series: job.series, state: .onTag) {
      if let run = row.run, run != context.run, try context.ledger.isLive(run: run) { continue }
      count += 1
    }
    return count
  }

  /// A row was taken or came back.
  func countRow(_ verdict: Verdict, had row: PickedRow?) {
    if let row, verdict.rowState == .done { context.picker?.wrote(row.key) }
    guard let row, row.isFresh || row.isAgain, let left = rowsLeft else { return }
    switch verdict.rowState {
    case .free: context.picker?.returned(row)
    case .done, .onTag, .inDoubt: rowsLeft = left - 1
    case .writing, .committing, .void, nil: break
    }
  }
}
