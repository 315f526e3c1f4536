internal import Platform
internal import Readers

/// A link that repeats a command after a passing fault: a pause, the tag selected anew, the command again.
///
/// Commands of type 2 tags may be repeated: a page written twice holds the same bytes.
final class PatientLink: TagLink {
  private let link: any TagLink
  private let cancellation: Cancellation
  private var left = 0
  private var pause: Duration = .milliseconds(20)
  /// Whether the tag was selected after the last command, so that it needs no other selection.
  private var isFresh = false
  /// Repetitions so far, for the tag's event.
  private(set) var repetitions = 0
  /// Whether a refusal is an answer too, as while finding out what a chip is.
  var expectsRefusal = false
  /// The command that opens the tag again after a selection of this link's own.
  private var opening: (() -> [UInt8])?
  /// Set around a write that must not be cut short by a person's wish.
  var isUninterruptible = false

  init(_ link: any TagLink, cancellation: Cancellation) {
    self.link = link
    self.cancellation = cancellation
  }

  var target: Target { link.target }
  var clock: any StationClock { link.clock }
  var longestCommand: Int { link.longestCommand }

  /// Starts a step, which may repeat commands `times` in all, after 20, 40, 80 ms.
  func beginStep(repeating times: Int) {
    left = times
    pause = .milliseconds(20)
  }

  func exchange(
    _ command: [UInt8], framing: Framing, timeout: Duration
  ) throws(ReaderError) -> [UInt8] {
    while true {
      if cancellation.level == .now, !isUninterruptible { throw .canceled }
      isFresh = false
      do throws(ReaderError) {
        return try link.exchange(command, framing: framing, timeout: timeout)
      } catch {
        switch error {
        case .noAnswer where expectsRefusal: throw error
        case .noAnswer, .timeout, .fault: break
        default: throw error
        }
        try recover(from: error)
      }
    }
  }

  func exchangeOnce(
    _ command: [UInt8], framing: Framing, timeout: Duration
  ) throws(ReaderError) -> [UInt8] {
    let kept = left
    left = 0
    defer { left = kept }
    return try exchange(command, framing: framing, timeout: timeout)
  }

  func open(with command: (() -> [UInt8])?) { opening = command }

  /// Selects the tag again, so that it is ready for the same command; throws `error` where no repetition is
  /// left, with the tag selected.
  private func recover(from error: ReaderError) throws(ReaderError) {
    guard left > 0 else {
      try selectAgain()
      throw error
    }
    pauseOnce()
    try selectAgain()
  }

  private func pauseOnce() {
    left -= 1
    repetitions += 1
    clock.sleep(pause, until: nil)
    pause *= 2
  }

  /// One listing can be lost to the same noise as a command: two tries.
  private func selectAgain() throws(ReaderError) {
    do throws(ReaderError) {
      try link.reselect()
    } catch {
      switch error {
      case .tagGone, .timeout, .fault, .noAnswer: try link.reselect()
      default: throw error
      }
    }
    isFresh = true
    guard let opening else { return }
    isFresh = false
    _ = try link.exchange(opening(), framing: .raw, timeout: .seconds(1))
  }

  func reselect() throws(ReaderError) {
    if !isFresh { try link.reselect() }
    isFresh = true
  }

  func dropField() throws(ReaderError) {
    var isSecond = false
    opening = nil
    while true {
      isFresh = false
      do throws(ReaderError) {
        return try link.dropField()
      } catch {
        switch error {
        case .tagGone where !isSecond:
          // One listing can be lost to noise.
          isSecond = true
        case .noAnswer, .timeout, .fault:
          guard left > 0 else { throw error }
          pauseOnce()
          // Spoken to in between: a virtual reader takes a tag away that two listings in a row find.
          try? selectAgain()
        default: throw error
        }
      }
    }
  }

  /// Waits until the tag is back, at most for `limit`; another tag ends the wait.
  func waitForReturn(atMost limit: Duration) throws(ReaderError) -> Bool {
    let end = clock.now + limit
    opening = nil
    while true {
      do throws(ReaderError) {
        try link.dropField()
        return true
      } catch {
        switch error {
        case .tagGone, .noAnswer, .timeout, .fault: break
        case .otherTag:
          // It was only listed: a virtual reader takes a tag away that two listings in a row find.
          try? link.reselect()
          return false
        default: throw error
        }
      }
      if clock.now >= end { return false }
      guard clock.sleep(.milliseconds(30), until: cancellation) || cancellation.level != .now else {
        throw .canceled
      }
    }
  }
}
