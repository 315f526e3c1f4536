package import Platform

/// A virtual reader's clock: serial, radio and EEPROM time by model, exact and repeatable.
///
/// Without timing it moves by modelled work and by the sleeps of those who wait on it, and nothing is
/// waited for. With real timing it follows the wall, and the reader holds its answers back until then.
package final class ModelClock: StationClock {
  /// Whether modelled time is waited for.
  package enum Timing: Sendable {
    case none
    case real
  }

  /// Fixed when the clock was made.
  package let timing: Timing
  private let start = ContinuousClock.now
  private let reached = Locked(Duration.zero)

  /// A clock that starts at zero.
  package init(timing: Timing) { self.timing = timing }

  package var now: Duration {
    switch timing {
    case .none: reached.withLock { $0 }
    case .real: ContinuousClock.now - start
    }
  }

  /// The end of all work done so far; with real timing it may lie ahead of `now`.
  var workEnd: Duration { reached.withLock { $0 } }

  /// Begins work: it cannot have begun before now.
  func begin() {
    let now = now
    reached.withLock { $0 = max($0, now) }
  }

  /// Ends work that lies ahead of the wall; the answer is how much of it will not be done.
  func cutShort() -> Duration {
    let now = now
    return reached.withLock { reached in
      let rest = max(reached - now, .zero)
      reached -= rest
      return rest
    }
  }

  /// Work took `duration`.
  func advance(_ duration: Duration) { reached.withLock { $0 += duration } }

  @discardableResult
  package func sleep(_ duration: Duration, until cancellation: Cancellation?) -> Bool {
    switch timing {
    case .none:
      if let cancellation, cancellation.level != .none { return false }
      if duration > .zero { advance(duration) }
      return true
    case .real: return WallClock().sleep(duration, until: cancellation)
    }
  }
}
