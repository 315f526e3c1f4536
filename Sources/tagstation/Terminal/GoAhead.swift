internal import Synchronization

/// A person's "go on", by Enter or SIGUSR1, counted so that none is taken twice.
final class GoAhead: Sendable {
  private let count = Atomic<Int>(0)

  /// How often it was said so far.
  var times: Int { count.load(ordering: .acquiring) }

  /// Says it once more.
  func say() { count.add(1, ordering: .acquiringAndReleasing) }
}
