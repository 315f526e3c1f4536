extension NDEFRecord {
  /// A URI record, with the code of the longest beginning that has one.
  package static func uri(_ uri: String) throws(NDEFError) -> NDEFRecord {
    try wellKnown("U", URIPayload.encode(uri))
  }

  /// A text record.
  package static func text(
    _ text: String, language: String, encoding: NDEFText.Encoding = .utf8
  ) throws(NDEFError) -> NDEFRecord {
    try wellKnown("T", try NDEFText(text, language: language, encoding: encoding).payload)
  }

  /// A smart poster record.
  package static func smartPoster(_ poster: SmartPoster) throws(NDEFError) -> NDEFRecord {
    try wellKnown("Sp", try poster.payload)
  }

  /// A record of a media type, in the letters given: a reader compares without regard to case.
  package static func mime(_ type: String, _ bytes: [UInt8]) throws(NDEFError) -> NDEFRecord {
    let parts = type.utf8.split(
      separator: UInt8(ascii: "/"), maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty,
      type.utf8.allSatisfy({ $0.isVisible || $0 == 0x20 })
    else { throw .mediaType(type) }
    return try NDEFRecord(typeNameFormat: .media, type: Array(type.utf8), payload: bytes)
  }

  /// A record of an external type `domain:type`, in lower case, as Android's dispatch needs it.
  package static func external(_ type: String, _ bytes: [UInt8]) throws(NDEFError) -> NDEFRecord {
    let parts = type.utf8.split(
      separator: UInt8(ascii: ":"), maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty,
      type.utf8.allSatisfy(\.isVisible)
    else { throw .externalType(type) }
    return try NDEFRecord(
      typeNameFormat: .external, type: Array(type.lowercased().utf8), payload: bytes)
  }

  /// An Android application record: the named package opens, or its page in the store.
  package static func application(_ name: String) throws(NDEFError) -> NDEFRecord {
    let parts = name.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    let isPackage =
      parts.count >= 2
      && parts.allSatisfy { part in
        part.first?.isLetter == true
          && part.allSatisfy { $0.isLetterOrDigit || $0 == UInt8(ascii: "_") }
      }
    guard isPackage else { throw .packageName(name) }
    return try external(NDEFContent.applicationType, Array(name.utf8))
  }

  /// A record whose type is a URI, which describes what the payload is.
  package static func absoluteURI(
    _ uri: String, payload: [UInt8] = []
  ) throws(NDEFError) -> NDEFRecord {
    if uri.isEmpty { throw .emptyURI }
    return try NDEFRecord(typeNameFormat: .absoluteURI, type: Array(uri.utf8), payload: payload)
  }

  private static func wellKnown(
    _ type: String, _ payload: [UInt8]
  ) throws(NDEFError) -> NDEFRecord {
    try NDEFRecord(typeNameFormat: .wellKnown, type: Array(type.utf8), payload: payload)
  }

  /// Whether it is of the NFC Forum type `type`; the case of letters counts.
  func isWellKnown(_ type: String) -> Bool {
    typeNameFormat == .wellKnown && self.type.elementsEqual(type.utf8)
  }
}
