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
  private let isOutputLost = Locked(false)

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

  /// Whether events could not be written to standard output.
  var hasLostOutput: Bool { isOutputLost.withLock { $0 } }

  /// Prints what is new; where nobody reads it any more, the run stops after the tag in hand.
  private func printEvents() {
    let isWritten = events.withLock { $0?.printNew() ?? true }
    if isWritten { return }
    let isFirst = isOutputLost.withLock { isLost in
      defer { isLost = true }
      return !isLost
    }
    if isFirst, console.cancellation.level == .none {
      console.cancellation.raise(signal: Signals.brokenPipe)
    }
  }

  func hear(_ news: RunNews) {
    if case .began(let opening) = news { events.withLock { $0?.run = opening.run } }
    printEvents()
    display.withLock { $0.show(news) }
    if case .ended = news { events.withLock { $0 = nil } }
  }

  func prompt(_ text: String) -> Bool {
    printEvents()
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

  /// Prints the run's events since the last time; `false` if standard output took not all of them.
  ///
  /// Another run's are passed over.
  /// A ledger that cannot be read ends the run by itself; here nothing more is printed.
  mutating func printNew() -> Bool {
    guard let run, let lines = try? ledger.lines(after: last, ofRun: run) else { return true }
    last = lines.last
    return lines.lines.allSatisfy { StandardStream.output.write($0 + "\n") }
  }
}
