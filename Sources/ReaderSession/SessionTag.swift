internal import Bytes
package import Platform
package import Readers

/// A tag as a session delivers it; usable while its session lives and no other tag was delivered.
package final class SessionTag: TagLink {
  /// Core NFC's tag classes, and `type1` for tags that an iPhone does not read.
  package enum Kind: String, Sendable { case miFare, iso7816, iso15693, feliCa, type1 }

  /// Core NFC's `NFCMiFareFamily`.
  package enum Family: String, Sendable { case unknown, ultralight, plus, desfire }

  package let kind: Kind
  /// For `miFare` tags.
  package let family: Family?
  /// The identifier that the session selected at discovery.
  package let initialSelectedAID: [UInt8]?
  /// The system code that the session polled at discovery.
  package let systemCode: [UInt8]?
  /// The system code of the last Polling that a FeliCa tag answered.
  package private(set) var currentSystemCode: [UInt8]?
  /// The IDm of the last Polling; empty if it was not answered, `nil` for tags other than FeliCa.
  package private(set) var currentIDm: [UInt8]?
  /// Whether an iPhone would read it: not so for MIFARE Classic and Topaz.
  package let isReadByPhones: Bool
  private let link: DeviceLink
  private let lists: Declared
  /// The IDms that Polling for declared system codes gave.
  private var systems: Set<[UInt8]> = []
  /// Whether it answered last.
  private var answers = true
  /// The code that a stale tag fails with; `nil` while the tag is usable.
  private let staleness: () -> ReaderErrorCode?
  /// Whether it was woken from HALT, to which the next plain listing would send it back.
  private(set) var isWokenFromHalt: Bool

  /// What the session may touch.
  struct Declared: Sendable {
    var selectIdentifiers: [[UInt8]]
    var systemCodes: [[UInt8]]
  }

  init(
    _ arrival: Arrival, on device: any ReaderDevice, declared: Declared, isWokenFromHalt: Bool,
    staleness: @escaping () -> ReaderErrorCode?
  ) {
    kind = arrival.kind
    family = arrival.family
    initialSelectedAID = arrival.initialSelectedAID
    systemCode = arrival.systemCode
    currentSystemCode = arrival.systemCode
    if case .feliCa = arrival.target.technology {
      currentIDm = arrival.target.uid
      systems = [arrival.target.uid]
    }
    isReadByPhones = arrival.isReadByPhones
    link = DeviceLink(device, arrival.target)
    lists = declared
    self.isWokenFromHalt = isWokenFromHalt
    self.staleness = staleness
  }

  package var target: Target { link.target }
  /// UID, PUPI or IDm, most significant byte first.
  package var uid: [UInt8] { target.uid }
  package var clock: any StationClock { link.clock }
  package var longestCommand: Int { link.longestCommand }
  /// Whether commands can be sent to it now: its session lives, no other tag was looked for, it answered last.
  package var isAvailable: Bool { answers && staleness() == nil }

  private func check() throws(ReaderError) {
    if let code = staleness() { throw .stale(code: code.rawValue) }
  }

  package func exchange(
    _ command: [UInt8], framing: Framing, timeout: Duration
  ) throws(ReaderError) -> [UInt8] {
    try check()
    return try watched { () throws(ReaderError) in
      try link.exchange(command, framing: framing, timeout: timeout)
    }
  }

  /// Notes whether the tag is still there.
  private func watched<Result>(
    _ body: () throws(ReaderError) -> Result
  ) throws(ReaderError) -> Result {
    answers = false
    let result = try body()
    answers = true
    return result
  }

  /// Sends a command that a job or program names, held against the declarations (code 2).
  ///
  /// A SELECT by name of an identifier that is not declared, a Polling of a system code that is not, and a
  /// command to a system of the card that no Polling selected fail; the session goes on.
  package func send(
    _ command: [UInt8], framing: Framing = .managed, timeout: Duration = .seconds(1)
  ) throws(ReaderError) -> [UInt8] {
    try check()
    if let detail = violation(command) { throw .violation(detail: detail) }
    guard let code = polledCode(command) else {
      return try exchange(command, framing: framing, timeout: timeout)
    }
    currentIDm = []
    let answer = try exchange(command, framing: framing, timeout: timeout)
    // LEN, response code 01, IDm.
    guard answer.count >= 10, answer[1] == 0x01 else { return answer }
    let idm = Array(answer[2..<10])
    currentSystemCode = code
    currentIDm = idm
    systems.insert(idm)
    return answer
  }

  /// The system code of a FeliCa Polling: LEN, command code 00, system code (JIS X 6319-4).
  private func polledCode(_ command: [UInt8]) -> [UInt8]? {
    guard case .feliCa = target.technology, command.count >= 4, command[1] == 0x00 else {
      return nil
    }
    return Array(command[2...3])
  }

  private func violation(_ command: [UInt8]) -> String? {
    switch target.technology {
    case .feliCa:
      if let code = polledCode(command) {
        return lists.systemCodes.contains(code)
          ? nil : "system code \(code.hex) is not among those of the session"
      }
      // Every other command carries an IDm, and each system of a card has its own.
      guard command.count >= 10 else { return nil }
      let idm = Array(command[2..<10])
      return systems.contains(idm)
        ? nil : "\(idm.hex) is not the IDm of a system that the session polled"
    case .typeA, .typeB:
      guard let name = Self.selectedName(command) else { return nil }
      return lists.selectIdentifiers.contains(name)
        ? nil : "application identifier '\(name.hex)' is not among those of the session"
    case .jewel: return nil
    }
  }

  /// The name in a SELECT by DF name: INS A4, P1 04 (ISO/IEC 7816-4, section 11.2.2); `nil` for others.
  private static func selectedName(_ command: [UInt8]) -> [UInt8]? {
    guard command.count >= 4, command[1] == 0xA4, command[2] == 0x04 else { return nil }
    guard command.count > 5 else { return [] }
    guard command[4] == 0, command.count > 7 else {
      return Array(command[5...].prefix(Int(command[4])))
    }
    // An extended length: 00 and two bytes (section 5.2).
    return Array(command[7...].prefix(Int(command[5]) << 8 | Int(command[6])))
  }

  package func reselect() throws(ReaderError) {
    try check()
    try watched { () throws(ReaderError) in try link.reselect() }
    selectAgain()
    // A refused command may have halted it (ISO/IEC 14443-3, section 6.4.3).
    isWokenFromHalt = true
  }

  package func dropField() throws(ReaderError) {
    try check()
    try watched { () throws(ReaderError) in try link.dropField() }
    selectAgain()
    isWokenFromHalt = false
  }

  /// The system of the discovery is the selected one again.
  private func selectAgain() {
    guard case .feliCa = target.technology else { return }
    currentSystemCode = systemCode
    currentIDm = target.uid
    systems.insert(target.uid)
  }
}
