/// A chip whose content a tag file can hold, by the name that job files use.
package enum ImageChip: String, Sendable, CaseIterable {
  case ultralight = "Ultralight"
  case ultralightC = "UltralightC"
  case ultralightEV1Small = "UltralightEV1-48"
  case ultralightEV1Large = "UltralightEV1-128"
  case ultralightAES = "UltralightAES"
  case ntag203 = "NTAG203"
  case ntag210 = "NTAG210"
  case ntag212 = "NTAG212"
  case ntag213 = "NTAG213"
  case ntag215 = "NTAG215"
  case ntag216 = "NTAG216"
  case ntagI2C1K = "NTAGI2C1K"
  case ntagI2C2K = "NTAGI2C2K"
  case ntagI2CPlus1K = "NTAGI2CPlus1K"
  case ntagI2CPlus2K = "NTAGI2CPlus2K"
  case plus = "Plus"
  case desfireEV1 = "DESFireEV1"
  case type4A = "Type4A"
  case type4B = "Type4B"
  case iso7816 = "ISO7816"
  case feliCaLiteS = "FeliCaLiteS"
  case feliCaStandard = "FeliCaStandard"

  /// What a file of the chip is made of.
  enum Family {
    case type2
    case card
    case feliCa
  }

  var family: Family {
    switch self {
    case .plus, .desfireEV1, .type4A, .type4B, .iso7816: .card
    case .feliCaLiteS, .feliCaStandard: .feliCa
    default: .type2
    }
  }

  /// Whether the chip's content is its pages.
  package var isType2: Bool { family == .type2 }

  /// Whether it answers with ATQA and SAK.
  var isTypeA: Bool { family != .feliCa && self != .type4B }

  /// How long UIDs are, also in words.
  var uidLengths: ([Int], String) {
    switch self {
    case .type4B: ([4], "4")
    case .feliCaLiteS, .feliCaStandard: ([8], "8")
    default: ([4, 7, 10], "4, 7 or 10")
    }
  }

  /// The pages of a whole image, as Flipper counts them, 0 outside the Type 2 family; for I2C chips both sectors and session registers.
  package var pageCount: Int {
    switch self {
    case .ultralight: 16
    case .ultralightC: 48
    case .ultralightEV1Small, .ntag210: 20
    case .ultralightEV1Large, .ntag212: 41
    case .ultralightAES: 60
    case .ntag203: 42
    case .ntag213: 45
    case .ntag215: 135
    case .ntag216, .ntagI2C1K: 231
    case .ntagI2C2K: 485
    case .ntagI2CPlus1K: 236
    case .ntagI2CPlus2K: 492
    case .plus, .desfireEV1, .type4A, .type4B, .iso7816, .feliCaLiteS, .feliCaStandard: 0
    }
  }

  /// The chip's answer to GET_VERSION (its data sheet's table of that command); zeros where it has none.
  package var version: [UInt8] {
    switch self {
    case .ultralight, .ultralightC, .ntag203, .plus, .desfireEV1, .type4A, .type4B, .iso7816,
      .feliCaLiteS, .feliCaStandard:
      [UInt8](repeating: 0, count: 8)
    case .ultralightEV1Small: [0, 4, 3, 1, 1, 0, 0x0B, 3]
    case .ultralightEV1Large: [0, 4, 3, 1, 1, 0, 0x0E, 3]
    case .ultralightAES: [0, 4, 3, 1, 4, 0, 0x0F, 3]
    case .ntag210: [0, 4, 4, 1, 1, 0, 0x0B, 3]
    case .ntag212: [0, 4, 4, 1, 1, 0, 0x0E, 3]
    case .ntag213: [0, 4, 4, 2, 1, 0, 0x0F, 3]
    case .ntag215: [0, 4, 4, 2, 1, 0, 0x11, 3]
    case .ntag216: [0, 4, 4, 2, 1, 0, 0x13, 3]
    case .ntagI2C1K: [0, 4, 4, 5, 2, 1, 0x13, 3]
    case .ntagI2C2K: [0, 4, 4, 5, 2, 1, 0x15, 3]
    case .ntagI2CPlus1K: [0, 4, 4, 5, 2, 2, 0x13, 3]
    case .ntagI2CPlus2K: [0, 4, 4, 5, 2, 2, 0x15, 3]
    }
  }

  /// Flipper's name for the chip.
  ///
  /// Flipper has none for NTAG210, NTAG212 and Ultralight AES; they stand as plain Ultralight, and
  /// their version tells them apart again.
  package var flipperType: String {
    switch self {
    case .ultralight, .ultralightAES, .ntag210, .ntag212: "Mifare Ultralight"
    case .ultralightC: "Mifare Ultralight C"
    case .ultralightEV1Small: "Mifare Ultralight 11"
    case .ultralightEV1Large: "Mifare Ultralight 21"
    case .ntag203, .ntag213, .ntag215, .ntag216: rawValue
    case .ntagI2C1K: "NTAG I2C 1K"
    case .ntagI2C2K: "NTAG I2C 2K"
    case .ntagI2CPlus1K: "NTAG I2C Plus 1K"
    case .ntagI2CPlus2K: "NTAG I2C Plus 2K"
    case .plus: "Mifare Plus"
    case .desfireEV1: "Mifare DESFire"
    case .type4A, .iso7816: "ISO14443-4A"
    case .type4B: "ISO14443-4B"
    case .feliCaLiteS, .feliCaStandard: "FeliCa"
    }
  }

  /// Flipper's device type in version 4.
  var deviceType: String { isType2 ? "NTAG/Ultralight" : flipperType }

  /// The chip that Flipper calls `type`, where the file gives `version`; `nil` for another type.
  package init?(flipperType type: String, version: [UInt8]) {
    let named = Self.allCases.filter { $0.flipperType == type }
    guard let chip = named.first(where: { $0.version == version }) ?? named.first else {
      return nil
    }
    self = chip
  }

  /// The chip whose raw image has `size` bytes; of two with one size, the Ultralight.
  package init?(rawSize size: Int) {
    guard size > 0, let chip = Self.allCases.first(where: { $0.pageCount * 4 == size }) else {
      return nil
    }
    self = chip
  }
}
