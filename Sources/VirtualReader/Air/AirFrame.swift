/// A frame as it is on the air, with its CRC if it has one.
struct AirFrame: Sendable, Equatable {
  /// How bits become a signal; a chip is deaf to all but its own.
  enum Technology: Sendable {
    case typeA
    case typeB
    case feliCa
  }

  var technology = Technology.typeA
  var bytes: [UInt8]
  /// How many bits of the last byte were sent, 0 for all eight.
  var lastBits: UInt8 = 0
  var rate = BitRate.kilobits106

  /// `content` followed by the CRC of its technology.
  static func checked(
    _ technology: Technology, _ content: [UInt8], at rate: BitRate = .kilobits106
  ) -> AirFrame {
    AirFrame(technology: technology, bytes: content + technology.crc(of: content), rate: rate)
  }

  /// `content` followed by its CRC_A.
  static func typeA(_ content: [UInt8]) -> AirFrame { AirFrame(bytes: content + CRCA.of(content)) }

  /// Four bits: an acknowledgement (`A`) or a refusal of a type 2 chip.
  static func nibble(_ value: UInt8) -> AirFrame { AirFrame(bytes: [value], lastBits: 4) }

  /// Whether these are four bits.
  var isNibble: Bool { bytes.count == 1 && lastBits == 4 }
}

/// Speeds on the air by their numbers in InPSL and in bits 4 to 6 of TxMode.
enum BitRate: UInt8, Sendable {
  case kilobits106 = 0
  case kilobits212 = 1
  case kilobits424 = 2
}

/// What a chip sends back.
struct AirAnswer: Sendable, Equatable {
  var frame: AirFrame
  /// Time the chip took for its memory before it answered.
  var programming: Duration = .zero
}
