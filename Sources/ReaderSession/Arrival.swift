package import Readers

/// How a tag comes to a session: its class, and what the session found on the way.
package struct Arrival: Sendable, Equatable {
  package var target: Target
  package var kind: SessionTag.Kind
  package var family: SessionTag.Family?
  package var initialSelectedAID: [UInt8]?
  package var systemCode: [UInt8]?

  init(
    _ target: Target, _ kind: SessionTag.Kind, family: SessionTag.Family? = nil,
    initialSelectedAID: [UInt8]? = nil, systemCode: [UInt8]? = nil
  ) {
    self.target = target
    self.kind = kind
    self.family = family
    self.initialSelectedAID = initialSelectedAID
    self.systemCode = systemCode
  }

  /// Whether an iPhone reads the tag at all.
  package var isReadByPhones: Bool { target.isReadByPhones }
}

extension Target {
  /// Not so for MIFARE Classic, which needs Crypto-1, and for Topaz.
  package var isReadByPhones: Bool {
    switch technology {
    case .typeA(_, let sak, _): sak & 0x08 == 0
    case .typeB, .feliCa: true
    case .jewel: false
    }
  }
}

/// Finding out how a selected tag arrives, as Core NFC does it.
struct ArrivalSearch {
  let device: any ReaderDevice
  let selectIdentifiers: [[UInt8]]
  let kind: SessionConfiguration.Kind

  init(on device: any ReaderDevice, for configuration: SessionConfiguration) {
    self.device = device
    selectIdentifiers = configuration.selectIdentifiers
    kind = configuration.kind
  }

  /// The arrival of a tag found by polling type A or B; `nil` for one that is not delivered.
  ///
  /// A tag that speaks ISO/IEC 7816 is asked for each identifier in order and delivered with the first it
  /// has. One that has none is delivered only if it is of the MIFARE families, and not to a payment
  /// session, which takes nothing but applications.
  func arrival(of target: Target) throws(ReaderError) -> Arrival? {
    let arrival = try anyArrival(of: target)
    return kind == .payment && arrival?.kind != .iso7816 ? nil : arrival
  }

  private func anyArrival(of target: Target) throws(ReaderError) -> Arrival? {
    switch target.technology {
    case .typeA(_, let sak, _):
      guard sak & 0x20 != 0 else {
        return Arrival(target, .miFare, family: Self.family(of: target))
      }
      if let identifier = try firstSelectable(target) {
        return Arrival(target, .iso7816, initialSelectedAID: identifier)
      }
      guard let family = Self.family(of: target) else { return nil }
      return Arrival(target, .miFare, family: family)
    case .typeB:
      guard let identifier = try firstSelectable(target) else { return nil }
      return Arrival(target, .iso7816, initialSelectedAID: identifier)
    case .feliCa(_, let code):
      let bytes = code.map { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
      return Arrival(target, .feliCa, systemCode: bytes)
    case .jewel:
      return Arrival(target, .type1)
    }
  }

  /// Polls each system code in order; the tags that answer the first one that any answers.
  ///
  /// The code that was polled is the one that counts, whatever the card says of itself. With `several`, a
  /// second tag is listened for in the time slots of the same Polling.
  func feliCas(_ codes: [[UInt8]], several: Bool) throws(ReaderError) -> [Target] {
    for code in codes where code.count == 2 {
      let number = UInt16(code[0]) << 8 | UInt16(code[1])
      let found =
        several
        ? try device.selectFeliCas(systemCode: number)
        : try device.select(.feliCa(systemCode: number)).map { [$0] } ?? []
      if found.isEmpty { continue }
      return found.map { target in
        guard case .feliCa(let pmm, _) = target.technology else { return target }
        return Target(.feliCa(pmm: pmm, systemCode: number), uid: target.uid)
      }
    }
    return []
  }

  /// SELECT by name for each identifier in order; the first that answers 90 00.
  private func firstSelectable(_ target: Target) throws(ReaderError) -> [UInt8]? {
    for identifier in selectIdentifiers {
      let command =
        [0x00, 0xA4, 0x04, 0x00, UInt8(truncatingIfNeeded: identifier.count)] + identifier + [0x00]
      let answer: [UInt8]
      do throws(ReaderError) {
        answer = try device.exchange(command, framing: .managed, timeout: .seconds(1))
      } catch {
        guard error == .noAnswer else { throw error }
        // It does not know the command at all: select it again and take it as it is.
        try DeviceLink(device, target).reselect()
        return nil
      }
      if answer.suffix(2) == [0x90, 0x00] { return identifier }
    }
    return nil
  }

  /// Which MIFARE family a type A tag is of, by ATQA, SAK and historical bytes (NXP AN10833, section 3).
  ///
  /// `nil` for a tag of ISO/IEC 14443-4 that is none of NXP's.
  private static func family(of target: Target) -> SessionTag.Family? {
    guard case .typeA(let atqa, let sak, let ats) = target.technology else { return nil }
    guard sak & 0x20 != 0 else { return sak == 0x00 ? .ultralight : .unknown }
    let historical = historicalBytes(ats)
    if atqa == 0x0344 || historical == [0x80] { return .desfire }
    // A category indicator C1 with length 05 and MIFARE Plus' own bytes.
    if historical.starts(with: [0xC1, 0x05]) { return .plus }
    return nil
  }

  /// What follows T0 and the interface bytes it announces (ISO/IEC 14443-4, section 5.2).
  static func historicalBytes(_ ats: [UInt8]) -> [UInt8] {
    guard let format = ats.first else { return [] }
    let interfaceBytes = [0x10, 0x20, 0x40].count { format & $0 != 0 }
    return Array(ats.dropFirst(1 + interfaceBytes))
  }
}
