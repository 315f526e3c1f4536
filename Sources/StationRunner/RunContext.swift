package import DataSource
package import JobFile
internal import Ledger
internal import Platform
package import Readers

/// What the command line asks of a run besides the job file.
package struct RunOptions: Sendable {
  /// `--limit`: `stop.afterTags`.
  package var limit: Int?
  /// `--no-lock`: lock steps are left out.
  package var noLock = false
  /// `--dry-run`: nothing is written, neither on tags nor to files; the ledger is a rehearsal's.
  package var isDryRun = false
  /// `--accept-change REASON`.
  package var acceptChange: String?
  /// `--no-queue`: a reader held by another run is not waited for.
  package var noQueue = false
  /// No person answers prompts.
  package var noInput = false
  /// Where the machine shows whether a radio is off.
  package var radio = Radio()
  /// `env.NAME` in templates.
  package var environment: [String: String] = [:]
  /// Where `read` steps' files go; the station's folder unless a flag names another.
  package var output: String

  package init(output: String) { self.output = output }
}

/// What a run works with, checked before it starts.
package struct RunInput: Sendable {
  package var job: Job
  package var station: Station
  package var data: DataRows?
  package var keys: RowKeys?
  /// What finds a row by its tag's UID, where the job says so.
  package var uids: RowKeys?
  /// Lines or codes that come while the run goes on, where the job has them.
  package var lines: LineFeed?
  /// The passwords that its steps need.
  package var secrets: JobSecrets
  /// The reader to use.
  package var source: ReaderSource
  package var options: RunOptions
  /// What to remember of the messages of all rows, where they were made without a finding.
  package var checked: [UInt8]?

  package init(
    job: Job, station: Station, data: DataRows?, keys: RowKeys?, uids: RowKeys? = nil,
    lines: LineFeed? = nil, secrets: JobSecrets = JobSecrets(), source: ReaderSource,
    options: RunOptions, checked: [UInt8]? = nil
  ) {
    self.checked = checked
    self.job = job
    self.station = station
    self.data = data
    self.keys = keys
    self.uids = uids
    self.lines = lines
    self.secrets = secrets
    self.source = source
    self.options = options
  }
}

/// What the parts of a run share.
final class RunContext {
  let job: Job
  let station: Station
  let options: RunOptions
  let secrets: JobSecrets
  let ledger: any Ledger
  let cancellation: Cancellation
  let observer: any RunObserver
  let run: String
  let readerName: String
  /// Whether a virtual reader answers, whoever made it.
  let isVirtual: Bool
  let finder: RowFinder
  /// Where lines or codes name rows.
  let feed: RowFeed?
  /// For jobs that write.
  let picker: RowPicker?

  init(
    _ input: RunInput, ledger: any Ledger, run: String, cancellation: Cancellation,
    observer: any RunObserver
  ) {
    job = input.job
    station = input.station
    options = input.options
    secrets = input.secrets
    readerName = input.source.name
    isVirtual = input.source.isVirtual
    self.ledger = ledger
    self.run = run
    self.cancellation = cancellation
    self.observer = observer
    let finder = RowFinder(data: input.data, keys: input.keys, uids: input.uids)
    self.finder = finder
    let feed = input.lines.map { lines in
      RowFeed(lines, job: input.job, finder: finder, ledger: ledger) {
        observer.hear(.remark($0))
      }
    }
    self.feed = feed
    picker =
      input.job.writes
      ? RowPicker(job: input.job, finder: finder, feed: feed, ledger: ledger) : nil
  }
}
