internal import Bytes
internal import Diagnostics
internal import Ledger
internal import Platform
internal import ReaderSession
internal import StationRunner

/// How much of a run's progress is shown.
enum ProgressMode: String, CaseIterable, Sendable {
  /// A bar on a terminal, else plain.
  case auto
  case bar
  /// One line a tag.
  case plain
  /// How it started and ended.
  case none
}

/// Shows a run to a person, on standard error.
///
/// Belongs to one thread at a time.
final class RunDisplay {
  private let mode: ProgressMode
  private let quiet: Bool
  private let style: TerminalStyle
  private let lines: TagLine
  private let bar: ProgressBar
  private let write: (String) -> Void
  private let columns: () -> Int
  private let clock: any StationClock
  private let begin: Duration
  private var pace = Pace()
  private var counts: [Outcome: Int] = [:]
  private var done = 0
  private var total: Int?
  private var barIsDrawn = false
  /// Whether the run was recorded as begun; one that is refused before has no summary.
  private var hasBegun = false
  private var lastDrawn: Duration?
  /// Whether the bar shows less than is known.
  private var isStale = false
  /// Lines kept back by `--quiet`, shown only if the run does not end well.
  private var keptBack: [String] = []

  init(
    mode: ProgressMode, quiet: Bool, style: TerminalStyle, clock: any StationClock,
    columns: @escaping () -> Int, write: @escaping (String) -> Void
  ) {
    let wanted = mode == .auto ? (style.isTerminal ? .bar : .plain) : mode
    self.mode = quiet && wanted == .bar ? .plain : wanted
    self.quiet = quiet
    self.style = style
    self.clock = clock
    self.columns = columns
    self.write = write
    begin = clock.now
    lines = TagLine(style: style)
    bar = ProgressBar(style: style)
  }

  /// Shows what a person should see of the news.
  func show(_ news: RunNews) {
    switch news {
    case .began(let opening):
      total = opening.rowsLeft
      hasBegun = true
      line(lines.text(of: opening))
    case .queued(let reader, let detail):
      line("waiting for the reader \(shown(reader)): \(shown(detail))")
    case .sessionBegan(_, let alert, let dropped):
      if !dropped.isEmpty {
        line("not declared by the station, left out: \(shown(dropped.joined(separator: " ")))")
      }
      showAlert(alert)
    case .alert(let text): showAlert(text)
    case .sessionEnded(_, let reason):
      // What the system ended is told by the news that follows: the reader lost, or why the run stopped.
      if reason.by == .runner, let message = reason.message {
        line("\(cross) \(shown(message))")
      }
    case .tag(let tag): show(tag)
    case .crowded(_, let uids):
      line("\(cross) \(uids.count) tags lie on the reader: take all but one away")
    case .readerLost(let reader, let detail):
      line("\(cross) the reader \(shown(reader)) went away (\(shown(detail))); waiting for it")
    case .readerBack(let reader): line("the reader \(shown(reader)) is back")
    case .remark(let text): line(shown(text))
    case .ended(let summary): show(summary)
    }
  }

  /// Shows a text to a person who is waited for; `--quiet` does not hide it.
  func prompt(_ text: String) {
    pace.pause()
    clearBar()
    write("\(shown(text))\n")
  }

  private var cross: String { style.paint(style.hasUnicode ? "✗" : "x", .red) }

  private func showAlert(_ text: String) {
    guard mode == .bar else { return }
    status = shown(text)
    drawBar(force: false)
  }

  /// What the person at the reader is to do now; stands after the bar.
  private var status = ""

  private func show(_ tag: TagReport) {
    counts[tag.outcome, default: 0] += 1
    if tag.outcome != .skipped {
      done += 1
      pace.tagDone(at: clock.now)
    }
    let isGood = tag.outcome == .passed || tag.outcome == .skipped
    if mode == .plain || (mode == .bar && !isGood) {
      if !(quiet && isGood) { line(lines.text(of: tag)) }
    }
    drawBar(force: false)
  }

  private func show(_ summary: RunSummary) {
    status = ""
    drawBar(force: true)
    if barIsDrawn { write("\n") }
    barIsDrawn = false
    if quiet {
      if summary.exit == .success { return }
      for kept in keptBack { write(kept) }
    }
    if !hasBegun, summary.reason == .fault {
      for remark in summary.remarks { write("tagstation: \(shown(remark))\n") }
      return
    }
    write("\(lines.text(of: summary, took: clock.now - begin))\n")
    for remark in summary.remarks { write("  \(shown(remark))\n") }
  }

  private func line(_ text: String) {
    if quiet { return keptBack.append("\(text)\n") }
    clearBar()
    write("\(text)\n")
    drawBar(force: true)
  }

  // MARK: The bar

  /// Draws the bar over itself, at most ten times a second unless forced.
  private func drawBar(force: Bool) {
    guard mode == .bar else { return }
    let now = clock.now
    if !force, let lastDrawn, now - lastDrawn < .milliseconds(100) {
      isStale = true
      return
    }
    isStale = false
    lastDrawn = now
    let text = bar.text(
      done: done, total: total, counts: counts,
      remaining: total.flatMap { pace.remaining(max($0 - done, 0)) }, status: status,
      columns: max(columns() - 1, 10))
    write("\r\(text)\u{1B}[K")
    barIsDrawn = true
  }

  /// Draws what was left out lest the bar was drawn too often; to be called a few times a second.
  func catchUp() {
    if isStale && barIsDrawn { drawBar(force: false) }
  }

  private func clearBar() {
    if barIsDrawn { write("\r\u{1B}[K") }
    barIsDrawn = false
  }
}
