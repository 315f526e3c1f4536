/// A tag as the reader chip found it.
package struct Target: Sendable, Equatable {
  /// The air interface, with what the tag said of itself while it was found.
  package enum Technology: Sendable, Equatable {
    /// ISO/IEC 14443 type A; `ats` is empty unless the tag speaks ISO/IEC 14443-4, and without its length byte.
    case typeA(atqa: UInt16, sak: UInt8, ats: [UInt8])
    /// ISO/IEC 14443 type B; the four bytes of application data and three of protocol info of its ATQB.
    case typeB(applicationData: [UInt8], protocolInfo: [UInt8])
    /// JIS X 6319-4; `systemCode` is the one the tag answered with.
    case feliCa(pmm: [UInt8], systemCode: UInt16?)
    /// Innovision Topaz and Jewel.
    case jewel(atqa: UInt16)
  }

  package var technology: Technology
  /// UID, PUPI, IDm or Jewel id, most significant byte first.
  package var uid: [UInt8]

  package init(_ technology: Technology, uid: [UInt8]) {
    self.technology = technology
    self.uid = uid
  }
}

/// What one listing looks for.
package enum Poll: Sendable, Equatable {
  case typeA
  /// Type A, but this UID only; it wakes a halted tag too.
  case typeAUID([UInt8])
  /// Type B with application family identifier 0 (all).
  case typeB
  /// FeliCa at 212 kbit/s with this system code (`FFFF`: any).
  case feliCa(systemCode: UInt16)
  case jewel
}

/// How a command travels through the reader chip.
package enum Framing: Sendable {
  /// The chip knows the protocol and does its part (PN532 InDataExchange).
  case managed
  /// The chip adds and checks the CRC only (PN532 InCommunicateThru).
  case raw
}
