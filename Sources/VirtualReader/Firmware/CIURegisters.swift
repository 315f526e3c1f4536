/// The registers of the contactless interface unit that hosts read and write (UM0701-02, PN532 data sheet 8.6.23).
struct CIURegisters: Sendable {
  static let txMode: UInt16 = 0x6302
  static let rxMode: UInt16 = 0x6303
  static let txControl: UInt16 = 0x6304
  static let txAuto: UInt16 = 0x6305
  static let manualReception: UInt16 = 0x630D
  static let fifoData: UInt16 = 0x6339
  static let control: UInt16 = 0x633C
  static let bitFraming: UInt16 = 0x633D

  private var values: [UInt16: UInt8] = [
    txMode: 0x80, rxMode: 0x80, txControl: 0x80, txAuto: 0x40, control: 0x10,
  ]

  subscript(address: UInt16) -> UInt8 {
    get { values[address] ?? 0 }
    set { values[address] = newValue }
  }

  /// The chip appends a CRC to what it sends.
  var sendsCRC: Bool { self[Self.txMode] & 0x80 != 0 }
  /// The chip checks and strips the CRC of what it receives.
  var checksCRC: Bool { self[Self.rxMode] & 0x80 != 0 }
  /// The framing of what the chip sends.
  var technology: AirFrame.Technology {
    switch self[Self.txMode] & 0x03 {
    case 0x02: .feliCa
    case 0x03: .typeB
    default: .typeA
    }
  }
  /// The speed of what the chip sends.
  var rate: BitRate { BitRate(rawValue: self[Self.txMode] >> 4 & 0x07) ?? .kilobits424 }
  /// The host makes and reads parity bits itself.
  var hasParityOff: Bool { self[Self.manualReception] & 0x10 != 0 }
  /// How many bits of the last byte are sent, 0 for all.
  var sentBits: UInt8 { self[Self.bitFraming] & 0x07 }

  /// RxLastBits.
  mutating func setReceivedBits(_ bits: UInt8) {
    self[Self.control] = self[Self.control] & 0xF8 | bits
  }

  /// What the firmware's own listing leaves behind.
  mutating func settle(mode: UInt8, answered: Bool) {
    self[Self.txMode] = mode
    self[Self.rxMode] = mode
    self[Self.txAuto] = 0x40
    self[Self.manualReception] = 0
    self[Self.bitFraming] = 0
    self[Self.control] = 0x10
    // The request byte stays in the FIFO where nobody answered it.
    self[Self.fifoData] = answered ? 0 : 0x26
  }

  /// What InPSL sets, as codes of speeds.
  mutating func setSpeed(sent: BitRate, received: BitRate) {
    self[Self.txMode] = self[Self.txMode] & 0x8F | sent.rawValue << 4
    self[Self.rxMode] = self[Self.rxMode] & 0x8F | received.rawValue << 4
  }

  mutating func setField(on: Bool) {
    self[Self.txControl] = self[Self.txControl] & 0xFC | (on ? 0x03 : 0x00)
  }
}
