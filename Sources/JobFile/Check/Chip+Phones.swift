internal import TagFormats

extension Chip {
  /// Whether an iPhone reads its NDEF message: not NFC Forum type 1, and not MIFARE Classic.
  var isReadByPhones: Bool {
    switch self {
    case .topaz96, .topaz512, .classicMini, .classic1K, .classic4K: false
    default: true
    }
  }
}
