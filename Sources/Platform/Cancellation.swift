internal import Synchronization

/// A person's wish to end a run, raised by signals or keys and read by the reader's thread.
package final class Cancellation: Sendable {
  /// How soon to stop.
  package enum Level: Int, Sendable, Comparable {
    case none
    /// Finish the tag in hand, then stop.
    case afterTag
    /// Stop at once, with the ledger in order.
    case now

    package static func < (left: Level, right: Level) -> Bool { left.rawValue < right.rawValue }
  }

  private let raised = Atomic<Int>(0)
  private let cause = Atomic<Int32>(0)

  /// Nothing raised yet.
  package init() {}

  /// What is wished now.
  package var level: Level { Level(rawValue: raised.load(ordering: .acquiring)) ?? .now }

  /// The signal that was raised first, 0 if none.
  package var signal: Int32 { cause.load(ordering: .acquiring) }

  /// Raises the wish by one step: first "after this tag", then "now".
  package func raise(signal: Int32) {
    _ = cause.compareExchange(expected: 0, desired: signal, ordering: .acquiringAndReleasing)
    if raised.load(ordering: .acquiring) < Level.now.rawValue {
      raised.add(1, ordering: .acquiringAndReleasing)
    }
  }
}
