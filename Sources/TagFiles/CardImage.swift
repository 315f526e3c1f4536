/// What a card with ISO/IEC 14443-4 holds, as far as a file can keep it.
package struct CardImage: Sendable, Hashable {
  /// How the card introduces itself on the air.
  package enum Interface: Sendable, Hashable {
    /// Type A with its answer to select, length byte included.
    case typeA(ats: [UInt8])
    /// Type B with four bytes of application data and three of protocol info.
    case typeB(applicationData: [UInt8], protocolInfo: [UInt8])
  }

  /// An application with its files.
  package struct Application: Sendable, Hashable {
    /// Its DF name, the AID; empty if it has none.
    package var name: [UInt8]
    /// DESFire's three bytes, as on the air; empty on other cards.
    package var number: [UInt8]
    package var files: [File]

    /// An application of these parts.
    package init(name: [UInt8], number: [UInt8] = [], files: [File] = []) {
      self.name = name
      self.number = number
      self.files = files
    }
  }

  /// A transparent file.
  package struct File: Sendable, Hashable {
    /// The capability container of an NDEF application.
    static let container: UInt16 = 0xE103

    /// The two bytes that SELECT names it by.
    package var id: UInt16
    /// DESFire's number of it.
    package var number: UInt8
    package var bytes: [UInt8]

    /// A file of these parts.
    package init(id: UInt16, number: UInt8 = 0, bytes: [UInt8]) {
      self.id = id
      self.number = number
      self.bytes = bytes
    }
  }

  /// The name of the NDEF application (NFC Forum Type 4 Tag, version 2).
  static let ndefName: [UInt8] = [0xD2, 0x76, 0x00, 0x00, 0x85, 0x01, 0x01]

  package var interface: Interface
  package var applications: [Application]

  /// A card of these parts.
  package init(interface: Interface, applications: [Application] = []) {
    self.interface = interface
    self.applications = applications
  }
}
