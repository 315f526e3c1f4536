/// What a card with ISO/IEC 14443-4 holds beside its UID.
package struct CardContent: Sendable, Equatable {
  /// How the card introduces itself on the air.
  package enum Interface: Sendable, Equatable {
    /// Type A with its answer to select, length byte included.
    case typeA(ats: [UInt8])
    /// Type B with four bytes of application data and three of protocol info.
    case typeB(applicationData: [UInt8], protocolInfo: [UInt8])
  }

  package var interface: Interface
  /// In the order in which a SELECT by part of a name finds them.
  package var applications: [CardApplication]

  /// A card of these parts.
  package init(interface: Interface, applications: [CardApplication] = []) {
    self.interface = interface
    self.applications = applications
  }
}

/// An application of a card.
package struct CardApplication: Sendable, Equatable {
  /// Its DF name, the AID that SELECT asks for; empty if it has none.
  package var name: [UInt8]
  /// DESFire's three bytes, as on the air; empty on other cards.
  package var number: [UInt8]
  package var files: [CardFile]

  /// An application of these parts.
  package init(name: [UInt8], number: [UInt8] = [], files: [CardFile] = []) {
    self.name = name
    self.number = number
    self.files = files
  }

  /// The name of the NDEF application (NFC Forum Type 4 Tag, version 2).
  package static let ndefName: [UInt8] = [0xD2, 0x76, 0x00, 0x00, 0x85, 0x01, 0x01]

  /// An NDEF application with an empty message in a file of `size` bytes.
  ///
  /// `answers` and `commands` are the most data bytes that READ BINARY and UPDATE BINARY carry (MLe, MLc).
  package static func ndef(
    number: [UInt8] = [], size: UInt16, answers: UInt16, commands: UInt16
  ) -> CardApplication {
    func bytes(_ value: UInt16) -> [UInt8] { [UInt8(value >> 8), UInt8(value & 0xFF)] }
    let container: [UInt8] =
      [0x00, 0x0F, 0x20] + bytes(answers) + bytes(commands)
      + [0x04, 0x06, 0xE1, 0x04] + bytes(size) + [0x00, 0x00]
    return CardApplication(
      name: ndefName, number: number,
      files: [
        CardFile(id: CardFile.container, number: 1, bytes: container),
        CardFile(id: CardFile.ndef, number: 2, bytes: [UInt8](repeating: 0, count: Int(size))),
      ])
  }
}

/// A transparent file of an application.
package struct CardFile: Sendable, Equatable {
  /// The capability container of an NDEF application.
  package static let container: UInt16 = 0xE103
  /// The NDEF file that the virtual cards have.
  package static let ndef: UInt16 = 0xE104

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
