/// One thing that is declared, with its name in a station file and in an app's property lists.
package enum DeclaredKey: String, Sendable, CaseIterable {
  case formats
  case usageDescription
  case selectIdentifiers
  case systemCodes

  /// Which of an app's two property lists.
  package enum List: Sendable, Equatable {
    case infoPlist
    case entitlements

    /// The file's name in words.
    var name: String {
      switch self {
      case .infoPlist: "Info.plist"
      case .entitlements: "the entitlements"
      }
    }
  }

  /// The key in a property list, as Apple spells it.
  package var propertyListKey: String {
    switch self {
    case .formats: "com.apple.developer.nfc.readersession.formats"
    case .usageDescription: "NFCReaderUsageDescription"
    case .selectIdentifiers: "com.apple.developer.nfc.readersession.iso7816.select-identifiers"
    case .systemCodes: "com.apple.developer.nfc.readersession.felica.systemcodes"
    }
  }

  /// The property list in which iOS looks for it.
  package var list: List { self == .formats ? .entitlements : .infoPlist }
}
