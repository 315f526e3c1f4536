package import Diagnostics

/// A checked faults file: what goes wrong with a virtual reader.
package enum FaultPlan: Sendable, Equatable {
  /// Each once, at its moment.
  case entries([FaultEntry])
  /// Drawn by a generator that starts with this number.
  case seed(UInt64)
}

/// One entry of a faults file.
package struct FaultEntry: Sendable, Equatable {
  /// What happens.
  package enum Word: String, Sendable, CaseIterable {
    case unplug, lift, swap, second, noAck, ackOnly, late, garbage, badSum, badLength, badEnd, short
    case split, joined, nack, error, noise, nak, field, reset, speed, stuck, weak

    /// Whether `for` says something with it.
    package var takesDuration: Bool {
      switch self {
      case .unplug, .lift, .second, .late, .split, .stuck, .weak: true
      case .swap, .noAck, .ackOnly, .garbage, .badSum, .badLength, .badEnd, .short, .joined, .nack,
        .error, .noise, .nak, .field, .reset, .speed:
        false
      }
    }
  }

  /// When it happens.
  package enum Moment: Sendable, Equatable {
    case command(Int)
    case page(Int)
    case time(Duration)
  }

  /// The place of a tag in the deck, from 1; `nil` for any.
  package var tag: Int?
  /// When it happens.
  package var moment: Moment
  /// What happens.
  package var word: Word
  /// How long it lasts.
  package var duration: Duration?
  /// Where it stands.
  package var place: Place
}
