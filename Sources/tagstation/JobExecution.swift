internal import DataSource
internal import JobFile
internal import Ledger
internal import Platform
internal import Readers
internal import StationRunner

/// One execution of a job that was checked, with what a person sees of it.
struct JobExecution {
  let setup: JobSetup
  /// The job's station, with what the command line put in its place.
  let station: Station
  var options: RunOptions
  let hasInput: Bool
  let isQuiet: Bool
  /// `nil` where it was not said.
  let progress: ProgressMode?
  /// Whether each event is printed as a line of JSON.
  let printsEvents: Bool

  /// Whether somebody may be there to press a key, or to send SIGUSR1 where keys are data.
  static func waitsForPeople(_ hasInput: Bool, at job: Job) -> Bool {
    let input = StandardStream.input.isTerminal
    return hasInput
      && (input || job.feed == .standardInput && StandardStream.error.isTerminal)
  }

  private var waits: Bool { Self.waitsForPeople(hasInput, at: setup.job) }

  /// Runs it to its end.
  func run(_ console: Console) -> ExitStatus {
    do throws(SourceFault) {
      return run(on: try ReaderSource(setup.reader, of: station), console)
    } catch {
      return console.fail(error.status, error.message)
    }
  }

  private func run(on source: ReaderSource, _ console: Console) -> ExitStatus {
    let reader = Reader(source)
    let listener = RunListener(
      display(console), console, printsEvents: printsEvents, waits: waits)
    do throws(SystemError) {
      if console.style.isTerminal { try listener.keepDrawing() }
      try Person.hearSignals(
        console, ending: "stopping after the tag in hand; once more stops at once"
      ) { reader.cancel() }
      if waits, setup.job.feed != .standardInput { try Person.hearKeys(console) }
    } catch {
      return console.fail(.programFault, "\(error)")
    }
    let lines: LineFeed?
    do throws(SystemError) {
      lines = try LineFeed(setup.job.feed, at: station)
    } catch {
      return console.fail(
        .noReader, "\(setup.job.feed?.text ?? "input") cannot be used: \(error)")
    }
    // A scanner's program ends with the run.
    defer { lines?.close() }
    var options = options
    options.noInput = !waits
    options.environment = setup.job.environment
    let input = RunInput(
      job: setup.job, station: station, data: setup.data, keys: setup.keys, uids: setup.uids,
      lines: lines, secrets: setup.secrets, source: source, options: options,
      checked: setup.checked)
    let summary: RunSummary
    do throws(SystemError) {
      let rehearsal = options.isDryRun ? try TemporaryFolder() : nil
      summary = Waiting.forResult {
        await Run.execute(
          input, on: reader, cancellation: console.cancellation, observer: listener
        ) { () throws(LedgerError) in
          let ledger =
            if let rehearsal {
              try SQLiteLedger(
                rehearsing: station.ledger, station: station.name, in: rehearsal.path)
            } else {
              try SQLiteLedger(at: station.ledger, station: station.name, log: station.log)
            }
          try listener.listen(to: ledger)
          return ledger
        }
      }
    } catch {
      return console.fail(.cannotCreate, "\(error)")
    }
    return listener.hasLostOutput
      ? ExitStatus.first(of: [summary.exit, .cannotCreate]) : summary.exit
  }

  private func display(_ console: Console) -> RunDisplay {
    RunDisplay(
      mode: progress ?? .auto, quiet: isQuiet || (printsEvents && progress == nil),
      style: console.style, clock: WallClock(),
      columns: { StandardStream.error.columns ?? 80 },
      write: { StandardStream.error.write($0) })
  }
}

extension LineFeed {
  /// The lines that `name` stands for at the station; `nil` where the job names none.
  fileprivate convenience init?(_ name: FeedName?, at station: Station) throws(SystemError) {
    switch name {
    case nil: return nil
    case .standardInput: try self.init(.standardInput, name: "standard input")
    case .scanner(let wanted):
      guard let scanner = station.scanners.first(where: { $0.name == wanted }) else { return nil }
      switch scanner.device {
      case .path(let path): try self.init(.device(path), name: "the scanner \(wanted)")
      case .command(let words):
        try self.init(
          .program(words, folder: Files.folder(of: station.path)), name: "the scanner \(wanted)")
      }
    }
  }
}
