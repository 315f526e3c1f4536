internal import Ledger
internal import Platform
internal import StationRunner

/// Hears a run: news go to the display, events as they stand in the ledger to standard output.
final class RunListener: RunObserver {
  private let display: Locked<RunDisplay>
  private let console: Console
  private let printsEvents: Bool
  /// Whether prompts wait for a person.
  private let waits: Bool
  private let events: Locked<EventPrinter?>

  init(_ display: RunDisplay, _ console: Console, printsEvents: Bool, waits: Bool) {
    self.display = Locked(display)
    self.console = console
    self.printsEvents = printsEvents
    self.waits = waits
    events = Locked(nil)
  }

  /// Prints what is added to `ledger` from now on, where events are asked for.
  func listen(to ledger: SQLiteLedger) throws(LedgerError) {
    guard printsEvents else { return }
    let printer = EventPrinter(ledger, after: try ledger.head)
    events.withLock { $0 = printer }
  }

  /// Keeps the display up to date between news, for as long as the process lives.
  func keepDrawing() throws(SystemError) {
    _ = try SystemThread(name: "display") { [display] in
      while true {
        WallClock().sleep(.milliseconds(100), until: nil)
        display.withLock { $0.catchUp() }
      }
    }
  }

  func hear(_ news: RunNews) {
    if case .began(let opening) = news { events.withLock { $0?.run = opening.run } }
    events.withLock { $0?.printNew() }
    display.withLock { $0.show(news) }
    if case .ended = news { events.withLock { $0 = nil } }
  }

  func prompt(_ text: String) -> Bool {
    events.withLock { $0?.printNew() }
    display.withLock { $0.prompt(text) }
    guard waits else { return true }
    let before = console.goAhead.times
    while console.goAhead.times == before {
      let pause = WallClock().sleep(.milliseconds(20), until: console.cancellation)
      if !pause { return false }
    }
    return true
  }
}

/// Prints a run's events as the ledger has them, one line of JSON each.
private struct EventPrinter {
  let ledger: SQLiteLedger
  /// The last event that was looked at.
  var last: Int64
  /// Whose events are printed.
  var run: String?

  init(_ ledger: SQLiteLedger, after last: Int64) {
    self.ledger = ledger
    self.last = last
  }

  /// Prints the run's events since the last time; another run's are passed over.
  ///
  /// A ledger that cannot be read ends the run by itself; here nothing more is printed.
  mutating func printNew() {
    guard let run, let lines = try? ledger.lines(after: last, ofRun: run) else { return }
    for line in lines.lines { StandardStream.output.write(line + "\n") }
    last = lines.last
  }
}
