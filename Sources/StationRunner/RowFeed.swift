internal import DataSource
internal import JobFile
internal import Ledger

/// The row that the next tag gets, as lines and codes name it while the run goes on.
final class RowFeed {
  /// A row that a tag is awaited for.
  struct Hand: Sendable {
    /// `nil` where its serial number will be its key.
    var key: String?
    /// Its index in the data; `nil` for a line.
    var index: Int?
    var row: DataRow
  }

  private let lines: LineFeed
  private let job: Job
  private let finder: RowFinder
  private let ledger: any Ledger
  private let say: (String) -> Void
  /// The row in hand: that of the newest code, or of the line whose turn it is.
  private(set) var hand: Hand?
  /// Lines that are rows and could not be taken.
  private(set) var refused = 0
  /// What was said while waiting for a row.
  var isAwaited = false

  /// A feed of `lines`; `say` tells a person what cannot be used.
  init(
    _ lines: LineFeed, job: Job, finder: RowFinder, ledger: any Ledger,
    say: @escaping (String) -> Void
  ) {
    self.lines = lines
    self.job = job
    self.finder = finder
    self.ledger = ledger
    self.say = say
  }

  /// Why nothing more comes; `nil` as long as something may.
  var end: LineFeed.End? { hand == nil ? lines.end : nil }

  /// What a person is to do now.
  var wish: String {
    job.takesLines ? "waiting for a line of \(lines.name)" : "scan the code of the next tag"
  }

  /// Whether tags of `batch` need a row from here.
  func serves(_ batch: Batch) -> Bool { batch.writes || (!job.takesLines && !job.writes) }

  /// Takes what has come: every code, of which the newest counts, or one line.
  func advance() throws(LedgerError) {
    while job.takesLines ? hand == nil : true, let item = lines.next() {
      switch item {
      case .refused(let number, let why):
        say("line \(number) of \(lines.name) cannot be used: \(why)")
        if job.takesLines { refused += 1 } else { hand = nil }
      case .line(let text, let number):
        if job.takesLines { try take(line: text, number) } else { try take(code: text) }
      }
    }
  }

  /// The row in hand is on a tag, or will never be.
  func drop() { hand = nil }

  /// Lets the row in hand go if another run took it meanwhile.
  func review() throws(LedgerError) {
    guard let key = hand?.key else { return }
    if try ledger.row(series: job.series, key: key)?.obstacle != nil { hand = nil }
  }

  private func take(line: String, _ number: Int) throws(LedgerError) {
    let row = DataRow(line: line, number: number, of: lines.name)
    let hasNumberAsKey = job.data?.serial != nil && job.data?.key.isEmpty == true
    if hasNumberAsKey {
      hand = Hand(key: nil, index: nil, row: row)
    } else if let obstacle = try obstacle(of: line) {
      say("line \(number) of \(lines.name) is passed over: \(obstacle)")
    } else {
      hand = Hand(key: line, index: nil, row: row)
    }
  }

  private func take(code: String) throws(LedgerError) {
    let earlier = hand
    // A code that cannot be used takes back the one before it: whoever scanned it has another thing in hand.
    hand = nil
    guard let index = finder.index(ofKey: code), let row = finder.row(at: index) else {
      return say("no row has the code `\(code)`: scan another one")
    }
    if job.writes, let obstacle = try obstacle(of: code) {
      return say("\(obstacle): scan another code")
    }
    if let old = earlier?.key, old != code {
      say("the code `\(code)` takes the place of `\(old)`, for which no tag came")
    }
    hand = Hand(key: code, index: index, row: row)
  }

  private func obstacle(of key: String) throws(LedgerError) -> String? {
    guard let known = try ledger.row(series: job.series, key: key) else { return nil }
    guard known.state == .writing || known.state == .committing else { return known.obstacle }
    // Perhaps of a run that died.
    _ = try ledger.settleDeadRuns()
    return try ledger.row(series: job.series, key: key)?.obstacle
  }
}
