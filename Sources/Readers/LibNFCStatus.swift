internal import CLibNFC

/// What a libnfc call returned when it failed.
struct LibNFCStatus: RawRepresentable, Error, Equatable {
  let rawValue: Int32

  /// Wrong framing or checksum, an error frame, or a line that is gone.
  static let io = LibNFCStatus(rawValue: NFC_EIO)
  /// The chip found the command out of place: no such target.
  static let invalidArgument = LibNFCStatus(rawValue: NFC_EINVARG)
  static let notSupported = LibNFCStatus(rawValue: NFC_EDEVNOTSUPP)
  /// The chip's answer did not come.
  static let timeout = LibNFCStatus(rawValue: NFC_ETIMEOUT)
  /// `nfc_abort_command` ended the wait.
  static let aborted = LibNFCStatus(rawValue: NFC_EOPABORTED)
  /// The chip gave the target up.
  static let targetReleased = LibNFCStatus(rawValue: NFC_ETGRELEASED)
  /// No answer, a refusal or a bad one over the air; the chip does not say which.
  static let radio = LibNFCStatus(rawValue: NFC_ERFTRANS)
  static let mifareAuthentication = LibNFCStatus(rawValue: NFC_EMFCAUTHFAIL)
  /// The chip reported a fault of its own.
  static let chip = LibNFCStatus(rawValue: NFC_ECHIP)

  /// The reason in words, for people.
  var reason: String {
    switch self {
    case .io: "the reader's answer was malformed, or an error"
    case .invalidArgument: "the reader refused the command as out of place"
    case .notSupported: "this reader cannot do it"
    case .timeout: "the reader did not answer in time"
    case .aborted: "the wait was cut short"
    case .targetReleased: "the tag was released"
    case .radio: "the tag did not answer, or refused"
    case .mifareAuthentication: "the tag refused the key"
    case .chip: "the reader chip reported a fault"
    default: "libnfc error \(rawValue)"
    }
  }
}
