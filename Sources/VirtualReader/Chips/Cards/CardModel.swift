/// What sets one card with ISO/IEC 14443-4 apart from another, and what it is like when it is new.
enum CardModel: String, CaseIterable, Sendable {
  case plus = "Plus"
  case desfireEV1 = "DESFireEV1"
  case type4A = "Type4A"
  case type4B = "Type4B"
  case iso7816 = "ISO7816"

  static func named(_ name: String) -> CardModel? { CardModel(rawValue: name) }

  /// The application of machine-readable travel documents (ICAO 9303-10).
  static let travelDocument: [UInt8] = [0xA0, 0x00, 0x00, 0x02, 0x47, 0x10, 0x01]

  /// What makes something of commands; `nil` if the version is none.
  func kernel(_ card: CardContent, version: [UInt8]) -> (any CardKernel)? {
    switch self {
    case .plus: PlusKernel()
    case .desfireEV1:
      version.count == 28 && card.applications.allSatisfy { $0.number.count == 3 }
        ? DESFireKernel(card.applications, version: version) : nil
    case .type4A: FileKernel(card.applications, takesPartialNames: false)
    case .type4B, .iso7816: FileKernel(card.applications, takesPartialNames: true)
    }
  }

  /// The image of a new card; `nil` for a UID that the card cannot have.
  ///
  /// PUPIs of type B have four bytes: of a longer UID the last four.
  func newImage(uid: [UInt8]) -> ChipImage? {
    switch self {
    case .type4B:
      guard uid.count == 4 || uid.count == 7 else { return nil }
      return ChipImage(chip: rawValue, uid: Array(uid.suffix(4)), card: newContent)
    default:
      guard [4, 7].contains(uid.count) else { return nil }
      let size: UInt16 = uid.count == 7 ? 0x40 : 0x00
      return ChipImage(
        chip: rawValue, uid: uid, atqa: atqa & 0xFF3F | size, sak: 0x20,
        version: self == .desfireEV1 ? Self.desfireVersion(uid: uid) : [], card: newContent)
    }
  }

  private var atqa: UInt16 { self == .desfireEV1 ? 0x0344 : 0x0044 }

  private var newContent: CardContent {
    switch self {
    case .plus:
      // The historical bytes of MIFARE Plus X (AN10833).
      CardContent(
        interface: .typeA(
          ats: [0x0C, 0x75, 0x77, 0x80, 0x02, 0xC1, 0x05, 0x2F, 0x2F, 0x01, 0xBC, 0xD6]))
    case .desfireEV1:
      CardContent(
        interface: .typeA(ats: [0x06, 0x75, 0x77, 0x81, 0x02, 0x80]),
        applications: [
          .ndef(number: [0x01, 0x00, 0x00], size: 0x0800, answers: 0x3B, commands: 0x34)
        ])
    case .type4A:
      CardContent(
        interface: .typeA(ats: [0x05, 0x75, 0x77, 0x81, 0x02]),
        applications: [.ndef(size: 0x0800, answers: 0xFF, commands: 0xFF)])
    case .type4B:
      CardContent(
        interface: .typeB(
          applicationData: [0x00, 0x00, 0x00, 0x00], protocolInfo: [0x00, 0x81, 0x81]),
        applications: Self.twoApplications)
    case .iso7816:
      CardContent(
        interface: .typeA(
          ats: [
            0x0F, 0x78, 0x80, 0x70, 0x02, 0x00, 0x31, 0xC1, 0x73, 0xC8, 0x40, 0x00, 0x00, 0x90,
            0x00,
          ]),
        applications: Self.twoApplications)
    }
  }

  private static var twoApplications: [CardApplication] {
    [
      .ndef(size: 0x0800, answers: 0xFF, commands: 0xFF),
      CardApplication(name: travelDocument),
    ]
  }

  /// The three parts of GET VERSION of a DESFire EV1 with 8 kB: hardware, software, UID with production.
  private static func desfireVersion(uid: [UInt8]) -> [UInt8] {
    [0x04, 0x01, 0x01, 0x01, 0x00, 0x1A, 0x05, 0x04, 0x01, 0x01, 0x01, 0x04, 0x1A, 0x05]
      + (uid + [0, 0, 0]).prefix(7) + [0xBA, 0x45, 0x19, 0xE3, 0x20, 0x49, 0x13]
  }
}
