internal import DataSource
internal import JobFile
internal import Ledger
internal import Platform
internal import Readers

extension RunLoop {
  /// Waits until the next tag's row is known, where a line or a code names it; why the run stops if none
  /// comes.
  ///
  /// The wait is a person's or another program's, and so on the wall, also before a virtual reader. What is
  /// on the reader is left alone meanwhile.
  func awaitRow() throws(LedgerError) -> StopReason? {
    guard let feed = context.feed, feed.serves(batch) else { return nil }
    if let feedStop { return feedStop }
    let clock = WallClock()
    while true {
      try feed.advance()
      if feed.hand != nil {
        if feed.isAwaited, let device { progress.wasBusy(at: device.clock.now) }
        feed.isAwaited = false
        return nil
      }
      if let end = feed.end {
        // Rows may wait for their own tags when nothing else is left.
        if end == .ended, job.takesLines {
          rowsLeft = 0
          if try !rowsAreUsedUp() { return nil }
        }
        if case .failed(let why) = end {
          problems.insert(.noReader)
          remarks.append(why)
        }
        feedStop = end == .ended ? .usedUp : .fault
        return feedStop
      }
      if !feed.isAwaited {
        feed.isAwaited = true
        context.observer.hear(.alert(feed.wish))
      }
      if let idle = job.stop.whenIdleFor, clock.now >= idle {
        feedStop = .idle
        return feedStop
      }
      guard clock.sleep(.milliseconds(20), until: context.cancellation) else { return .canceled }
    }
  }

  /// What the tag's outcome means for the row in hand: it is kept for the next tag until it is on one.
  func settleHand(_ verdict: Verdict, _ work: TagWork) throws(LedgerError) {
    guard let feed = context.feed, feed.serves(batch) else { return }
    if !batch.writes {
      if verdict.outcome != .skipped { feed.drop() }
    } else if let row = work.row {
      switch verdict.rowState {
      case .done, .onTag, .inDoubt: if row.isFresh { feed.drop() }
      default: if row.isFresh, verdict.cause == .data { feed.drop() }
      }
    } else {
      try feed.review()
    }
  }
}
