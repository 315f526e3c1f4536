/// A chip as the reader's firmware meets it in the field.
///
/// Each family does its own share of what the firmware does for it (anticollision, block protocol), and
/// says how long that took on the air.
protocol VirtualChip: Sendable {
  /// What the chip holds now.
  var image: ChipImage { get }
  /// Grows with every change of what the chip holds.
  var revision: Int { get }

  /// Whether this chip, as it is now, would be found by `listing`.
  func hears(_ listing: Listing) -> Bool
  /// Whether this kind of chip could ever be found by `listing`, asleep or not.
  func speaks(_ listing: Listing) -> Bool
  /// Anticollision order: where several hear a listing, the greatest is found.
  var precedence: [UInt8] { get }
  /// Goes through the whole activation.
  mutating func activate(_ listing: Listing) -> Activation
  /// Hears a listing that goes on with another chip, or with none.
  mutating func overhear(_ listing: Listing)
  /// Is sent to sleep by the firmware and stays known.
  mutating func deselect()
  /// One command through InDataExchange, which knows the chip's protocol.
  mutating func exchange(_ command: [UInt8]) -> ManagedAnswer
  /// One frame through InCommunicateThru, with whatever the registers add.
  mutating func receive(_ frame: AirFrame) -> AirAnswer?
  /// Lost the field while it carried out `command`: what that wrote to now holds `bytes`.
  mutating func tear(_ command: [UInt8], leaving bytes: [UInt8])
  /// Is asked for another speed after its activation; `true` if it has the protocol for that.
  mutating func switchSpeed(to rate: BitRate) -> Bool
  /// Loses the field, and with it all that is not in EEPROM.
  mutating func powerOff()
}

extension VirtualChip {
  func switchSpeed(to rate: BitRate) -> Bool { false }
}

/// What one try of InListPassiveTarget or InAutoPoll looks for.
enum Listing: Sendable, Equatable {
  /// Type A at 106 kbit/s; with a UID it is WUPA, without it REQA. `isoDEP` wants or refuses those with
  /// ISO/IEC 14443-4; `rats` says whether the firmware goes on to it.
  case typeA(uid: [UInt8]?, isoDEP: Bool?, rats: Bool)
  /// FeliCa polling with its five bytes of payload.
  case feliCa(fast: Bool, payload: [UInt8])
  /// Type B with its application family identifier.
  case typeB(family: UInt8)
  case jewel

  /// Whether every tag of its kind may answer.
  var isOpen: Bool {
    if case .typeA(.some, _, _) = self { return false }
    return true
  }

  /// TxMode and RxMode after the firmware has looked for such tags.
  var mode: UInt8 {
    switch self {
    case .typeA, .jewel: 0x80
    case .feliCa(let fast, _): fast ? 0xA2 : 0x92
    case .typeB: 0x83
    }
  }
}

/// A chip that was found.
struct Activation: Sendable, Equatable {
  /// Target data as in the answer to InListPassiveTarget, after the target's number.
  var data: [UInt8]
  /// Time on the air.
  var time: Duration
}

/// The outcome of an exchange that the firmware managed.
enum ManagedAnswer: Sendable, Equatable {
  /// An answer without protocol bytes, or an error status; after `time` on the air.
  case answer(status: UInt8, data: [UInt8] = [], time: Duration)
  /// Nothing came back.
  case silence
  /// The parameters do not suit the protocol: the error frame.
  case malformed
}
