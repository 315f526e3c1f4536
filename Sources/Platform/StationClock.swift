internal import CSystem
internal import Glibc

/// The clock a run waits on: the wall for a real reader, the modelled one for a virtual reader.
package protocol StationClock: AnyObject, Sendable {
  /// Time since an arbitrary start; never goes back.
  var now: Duration { get }
  /// Waits for `duration`; `false` if `cancellation` ended it early.
  @discardableResult
  func sleep(_ duration: Duration, until cancellation: Cancellation?) -> Bool
}

/// The machine's monotonic clock.
package final class WallClock: StationClock {
  private let start = ContinuousClock.now

  /// A clock that starts now.
  package init() {}

  package var now: Duration { ContinuousClock.now - start }

  /// Waits on the wall, in pieces of 20 ms between which the cancellation is looked at.
  @discardableResult
  package func sleep(_ duration: Duration, until cancellation: Cancellation?) -> Bool {
    let end = ContinuousClock.now + duration
    while true {
      if let cancellation, cancellation.level != .none { return false }
      let rest = end - ContinuousClock.now
      if rest <= .zero { return true }
      usleep(useconds_t(min(rest, .milliseconds(20)) / .microseconds(1)))
    }
  }
}
