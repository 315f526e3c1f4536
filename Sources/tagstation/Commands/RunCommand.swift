internal import Diagnostics
internal import JobFile
internal import Ledger
internal import Readers
internal import StationRunner

/// `tagstation run`: a job, from its first session to its exit status.
struct RunCommand: Command {
  enum Format: String, CaseIterable, Sendable { case human, jsonl }

  /// The job file.
  let job: String
  let station: String?
  let overrides: [JobOverride]
  let readers: [String]
  let limit: Int?
  let log: String?
  let ledger: String?
  let output: String?
  /// Whether nothing is to be written, neither on tags nor to files.
  let isDryRun: Bool
  let mayLock: Bool
  /// The reason a person gives for going on with a changed job.
  let acceptedChange: String?
  let mayQueue: Bool
  let hasInput: Bool
  let isQuiet: Bool
  /// `nil` where it was not said.
  let progress: ProgressMode?
  let format: Format

  private static let reader = OptionSyntax.text(
    "reader", "NAME", repeats: true, "the station's reader to use")
  private static let limit = OptionSyntax.text("limit", "N", "stop after N tags (stop.afterTags)")
  private static let log = OptionSyntax.text("log", "FILE", "the log of events, JSON Lines")
  private static let ledger = OptionSyntax.text("ledger", "FILE", "the ledger, an SQLite file")
  private static let output = OptionSyntax.text("output", "DIR", "where the job writes its files")
  private static let dryRun = OptionSyntax.flag(
    "dry-run", "write nothing, and tell tag by tag what would be written")
  private static let noLock = OptionSyntax.flag(
    "no-lock", "leave `lock` steps out, to try a job that locks tags for ever")
  private static let acceptChange = OptionSyntax.text(
    "accept-change", "REASON", "go on though the job or its data changed since its rows were begun")
  private static let noQueue = OptionSyntax.flag(
    "no-queue", "end with 75 at once where another run holds the reader")
  private static let noInput = OptionSyntax.flag("no-input", "wait for nobody at prompts")
  private static let quiet = OptionSyntax.flag("quiet", "say nothing as long as all is well")
  private static let progress = OptionSyntax.choice(
    "progress", ProgressMode.allCases.map(\.rawValue),
    "bar on a terminal, plain: one line a tag, none: the summary")
  private static let format = OptionSyntax.choice(
    "format", Format.allCases.map(\.rawValue), "jsonl: each event as one line of JSON")

  static let syntaxes = [
    CommandSyntax(
      "run", summary: "run a job: a session for every batch, an outcome for every tag",
      details: """
        Ctrl-C (SIGINT), SIGQUIT, SIGTERM and SIGHUP finish the tag in hand and stop; a second one stops
        at once. So does a standard output that nobody reads any more, with --format jsonl.
        At a prompt Enter or SIGUSR1 goes on, `q` and Enter stops. Where standard input brings the
        job's rows or codes (`lines`, `scanner`), SIGUSR1 alone goes on, and its end is the run's.

        exit status:
          0  all tags passed or were skipped, or no row was left    1  some failed or are torn
          3  rows are in doubt or on unfinished tags: ask a person  64 wrong usage
          65 the job, station or data is wrong  66 a file is missing  69 no reader or scanner
          73 an output cannot be created  74 the ledger or log fails  75 busy: run again later
          77 no permission for the reader or a secret       78 not declared by the station
          130 stopped by SIGINT or SIGQUIT  143 stopped by SIGTERM or SIGHUP
        """,
      positionals: [PositionalSyntax("JOB.yaml", "the job file")],
      options: [
        .station, reader, .set, limit, log, ledger, output, dryRun, noLock, acceptChange, noQueue,
        noInput, quiet, progress, format,
      ])
  ]

  init(_ arguments: ParsedArguments) throws(UsageError) {
    job = arguments.positionals[0]
    station = arguments.value(.station)
    overrides = try arguments.overrides()
    readers = arguments.values(Self.reader)
    limit = try arguments.integer(Self.limit, atLeast: 1)
    log = arguments.value(Self.log)
    ledger = arguments.value(Self.ledger)
    output = arguments.value(Self.output)
    isDryRun = arguments.has(Self.dryRun)
    mayLock = !arguments.has(Self.noLock)
    acceptedChange = arguments.value(Self.acceptChange)
    mayQueue = !arguments.has(Self.noQueue)
    hasInput = !arguments.has(Self.noInput)
    isQuiet = arguments.has(Self.quiet)
    progress = arguments.value(Self.progress).flatMap(ProgressMode.init(rawValue:))
    format = arguments.choice(Self.format, else: .human)
    if let acceptedChange, acceptedChange.isEmpty {
      throw arguments.error("--accept-change needs a reason")
    }
  }

  func run(_ console: Console) -> ExitStatus {
    var reading = JobSetup.read(
      job, station: station, readers: readers, overrides: overrides, isRun: true
    ) { digest, station in isRemembered(digest, at: station) }
    let hasSecrets = reading.setup.map { !$0.job.secrets.isEmpty } ?? true
    LibNFCContext.prepare(hidingCommands: hasSecrets)
    if let endless = reading.setup?.whyEndless(
      limit: limit,
      waitsForPeople: reading.setup.map { JobExecution.waitsForPeople(hasInput, at: $0.job) }
        ?? false)
    {
      reading.found.add(endless)
    }
    let findings = reading.findings
    if findings.hasErrors || (!isQuiet && findings.all.contains { $0.severity != .note }) {
      _ = console.report(findings.withoutNotes)
    }
    if reading.status != .success { return reading.status }
    guard let setup = reading.setup else { return .programFault }
    var station = setup.station
    station.ledger = ledger ?? station.ledger
    station.log = log ?? station.log
    station.output = output ?? station.output
    var options = RunOptions(output: station.output)
    options.limit = limit
    options.noLock = !mayLock
    options.isDryRun = isDryRun
    options.acceptChange = acceptedChange
    options.noQueue = !mayQueue
    return JobExecution(
      setup: setup, station: station, options: options, hasInput: hasInput, isQuiet: isQuiet,
      progress: progress, printsEvents: format == .jsonl
    ).run(console)
  }

  /// Whether the station's ledger knows that all messages can be made.
  ///
  /// What is wrong with the ledger is told when the run opens it.
  private func isRemembered(_ digest: [UInt8], at station: Station) -> Bool {
    // A dry run only reads the ledger, and opening one of an older program changes it.
    if isDryRun { return false }
    let ledger = try? SQLiteLedger(
      at: self.ledger ?? station.ledger, station: station.name, log: nil, creating: false)
    return (try? ledger?.wasChecked(digest)) ?? false
  }
}

extension JobSetup {
  /// An error where nothing could end the run: no rows, no deck, no limit, and nobody to stop it.
  fileprivate func whyEndless(limit: Int?, waitsForPeople: Bool) -> Diagnostic? {
    let stop = job.stop
    if waitsForPeople || stop.never || limit != nil || stop.afterTags != nil { return nil }
    if stop.whenIdleFor != nil { return nil }
    if job.writes, job.repetition != .always, data != nil || job.data?.serial?.count != nil {
      return nil
    }
    if job.feed != nil { return nil }
    if case .virtual(let spec) = reader.device, spec.hold != .forever { return nil }
    return Diagnostic(
      .error, "endless", "nothing would ever end this run, and nobody is there to stop it",
      at: Place(file: job.path),
      help: "add `stop: {whenIdleFor: 30s}`, or `stop: never` if it is a service")
  }
}
