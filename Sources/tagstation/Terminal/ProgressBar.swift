internal import Ledger

/// The bar and what stands after it, as text.
struct ProgressBar {
  let style: TerminalStyle

  /// One line for `done` of `total` tags, cut to `columns`.
  func text(
    done: Int, total: Int?, counts: [Outcome: Int], remaining: Duration?, status: String,
    columns: Int
  ) -> String {
    var words = total.map { "\(done)/\($0)" } ?? (done == 1 ? "1 tag" : "\(done) tags")
    for outcome in Outcome.allCases {
      if let count = counts[outcome], count > 0 { words += "  \(count) \(outcome.rawValue)" }
    }
    if let remaining { words += "  \(TagLine.clock(remaining)) left" }
    if !status.isEmpty { words += "  \(status)" }
    guard let total, total > 0 else { return words.truncated(toColumns: columns) }
    let width = 24
    let filled = min(done, total) * width / total
    let (full, empty) = style.hasUnicode ? ("█", "░") : ("#", "-")
    let bar =
      String(repeating: full, count: filled) + String(repeating: empty, count: width - filled)
    return "[\(bar)] \(words)".truncated(toColumns: columns)
  }
}
