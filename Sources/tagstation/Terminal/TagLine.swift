internal import Bytes
internal import Diagnostics
internal import Ledger
internal import NDEF
internal import StationRunner

/// Tags and runs as lines for people.
struct TagLine {
  let style: TerminalStyle

  /// One line a tag: position, UID, chip, outcome and cause, row, time.
  func text(of tag: TagReport) -> String {
    var verdict = tag.planned.isEmpty ? tag.outcome.rawValue : shown(Self.words(for: tag.planned))
    if let cause = tag.cause { verdict += " \(cause.rawValue)" }
    if let step = tag.step { verdict += " at step \(step)" }
    let position = String(tag.position)
    var parts = [
      String(repeating: " ", count: max(5 - position.count, 0)) + position,
      tag.uid.hex.padded(toColumns: 14),
      shown(tag.chip).padded(toColumns: 7),
      style.paint(verdict, Self.color(of: tag.outcome)),
    ]
    if let row = tag.row { parts.append(shown(row)) }
    parts.append("\(Int(tag.milliseconds.rounded())) ms")
    if let detail = tag.detail { parts.append(shown(detail)) }
    return parts.joined(separator: "  ")
  }

  /// What a dry run left out, on one line.
  private static func words(for planned: [PlannedStep]) -> String {
    let steps = planned.map { step in
      guard let message = step.message, let parsed = try? NDEFMessage(parsing: message) else {
        return step.detail.map { "\(step.action) (\($0))" } ?? step.action
      }
      let records = parsed.records.map { record in
        switch record.content {
        case .uri(let uri): uri
        case .text(let text): "\"\(text.text)\""
        default: record.json.text
        }
      }
      let what = records.isEmpty ? "the empty message" : records.joined(separator: " + ")
      return "\(step.action) \(what)" + (step.detail.map { " (\($0))" } ?? "")
    }
    return "would \(steps.joined(separator: ", "))"
  }

  /// The lines a run starts with.
  func text(of opening: RunOpening) -> String {
    var text = "\(shown(opening.job)) at \(shown(opening.station)), reader \(shown(opening.reader))"
    if opening.isVirtual { text += " (virtual)" }
    if let rows = opening.rowsLeft { text += ", \(Self.number(rows, "row")) left" }
    text += "\n  \(shown(opening.usageDescription))"
    if opening.isDryRun {
      text += "\n  dry run: nothing is written, neither on tags nor to ledger and log"
      return text
    }
    text += "\n  ledger \(shown(opening.ledger)), log \(shown(opening.log))"
    return text
  }

  /// What a run came to, on one line.
  func text(of summary: RunSummary, took duration: Duration) -> String {
    let counts = Outcome.allCases.compactMap { outcome in
      summary.counts[outcome].flatMap {
        let name = summary.isDryRun && outcome == .passed ? "would pass" : outcome.rawValue
        return $0 == 0 ? nil : "\($0) \(name)"
      }
    }
    var text = counts.isEmpty ? "no tag" : counts.joined(separator: ", ")
    text += " in \(Self.clock(duration)): \(Self.words(for: summary))"
    let rows = RowState.allCases.compactMap { state in
      state == .free
        ? nil : summary.rows[state].flatMap { $0 == 0 ? nil : "\($0) \(state.rawValue)" }
    }
    if summary.isDryRun { return text + "; dry run: nothing was written" }
    let left = summary.rowsLeft.map { ["\($0) left"] } ?? []
    if !(rows + left).isEmpty { text += "; rows: \((rows + left).joined(separator: ", "))" }
    return text
  }

  /// Minutes and seconds, with hours where there are any.
  static func clock(_ duration: Duration) -> String {
    let seconds = max(duration.components.seconds, 0)
    func two(_ number: Int64) -> String { number < 10 ? "0\(number)" : String(number) }
    let short = "\(seconds / 60 % 60):\(two(seconds % 60))"
    guard seconds >= 3600 else { return short }
    return "\(seconds / 3600):\(two(seconds / 60 % 60)):\(two(seconds % 60))"
  }

  private static func color(of outcome: Outcome) -> TerminalStyle.Color {
    switch outcome {
    case .passed: .green
    case .failed, .torn: .red
    case .skipped, .unfinished, .inDoubt: .yellow
    }
  }

  private static func number(_ count: Int, _ noun: String) -> String {
    "\(count) \(noun)\(count == 1 ? "" : "s")"
  }

  private static func words(for summary: RunSummary) -> String {
    switch summary.reason {
    case .usedUp: summary.rowsLeft ?? 0 > 0 ? "no more will come" : "nothing is left to do"
    case .afterTags: "as many as asked for"
    case .idle: "no more tags came"
    case .failures: "too many failures in a row"
    case .canceled: "canceled"
    case .fault: "stopped by a fault"
    case .died: "died"
    }
  }
}
