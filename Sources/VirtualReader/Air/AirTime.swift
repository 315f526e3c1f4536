/// How long frames are on the air (ISO/IEC 14443-3, JIS X 6319-4).
///
/// Type A has 9 bits a byte, start and end; type B 10 and the longer start and end marks; FeliCa 8, a
/// preamble of 6 bytes and 2 of synchronisation.
enum AirTime {
  /// Page programming of a type 2 chip.
  static let programming = Duration.microseconds(4100)
  /// A frame delay from reader to tag, (9·128+84)/fc.
  static let delayToTag = Duration.nanoseconds(91_200)
  /// The least delay from a tag's answer to the next frame, 1172/fc.
  static let delayToReader = Duration.nanoseconds(86_400)

  /// One elementary time unit is 128/13.56 MHz at 106 kbit/s, half of it at each next speed.
  static func units(_ count: Int, at rate: BitRate = .kilobits106) -> Duration {
    .nanoseconds((Int64(count) * 128_000_000 / 13_560) >> Int64(rate.rawValue))
  }

  /// A reader's frame; a short frame of type A is ten units.
  static func sent(_ frame: AirFrame) -> Duration {
    let count = frame.bytes.count
    return switch frame.technology {
    case .typeA where count == 1 && frame.lastBits == 7: units(10, at: frame.rate)
    case .typeA: units(9 * count + 3, at: frame.rate)
    case .typeB: units(10 * count + 23, at: frame.rate)
    case .feliCa: units(8 * (count + 8), at: frame.rate)
    }
  }

  /// A tag's frame.
  static func received(_ frame: AirFrame) -> Duration {
    switch frame.technology {
    case .typeA where frame.isNibble: units(6, at: frame.rate)
    case .typeA: units(9 * frame.bytes.count + 2, at: frame.rate)
    case .typeB, .feliCa: sent(frame)
    }
  }

  /// A command and its answer; while a chip programs, no frame delay is added.
  ///
  /// FeliCa has no delays of its own: the answer's time or time slot is all there is.
  static func exchange(_ frame: AirFrame, _ answer: AirAnswer) -> Duration {
    let onAir = sent(frame) + received(answer.frame)
    switch frame.technology {
    case .feliCa: return onAir + answer.programming
    case .typeA, .typeB:
      return onAir + (answer.programming > .zero ? answer.programming : delayToTag) + delayToReader
    }
  }

  /// One try of a listing that nobody answers.
  ///
  /// FeliCa: a Polling frame and its first response slot. Type B: REQB and the time for ATQB, 7680/fc.
  static func unanswered(_ listing: Listing) -> Duration {
    switch listing {
    case .typeA, .jewel: .microseconds(200)
    case .feliCa(let fast, _): .microseconds(2417 + (fast ? 302 : 604))
    case .typeB: units(72) + .microseconds(566)
    }
  }

  /// From REQA to SAK, one cascade level for each part of the UID.
  static func activation(uidLength: Int) -> Duration {
    switch uidLength {
    case 4: .microseconds(2520)
    case 7: .microseconds(4590)
    default: .microseconds(6660)
    }
  }
}
