internal import Bytes
internal import Diagnostics

/// What one entry of a declared list has to be, in a station file, a job's session or a property list.
package enum DeclaredEntry {
  /// How strictly the text of an entry is taken.
  package enum Spelling: Sendable {
    /// As in station and job files: `:`, `-` and spaces may stand around bytes.
    case loose
    /// As iOS takes it: hexadecimal digits and nothing else.
    case exact
  }

  /// The bytes that an application identifier may have (ISO/IEC 7816-4 section 8.2.1.2).
  package static let identifierLengths = 5...16
  /// The bytes that a FeliCa system code has.
  package static let codeLengths = 2...2
  /// The formats that a station knows.
  package static let formats = ["TAG", "NDEF", "PACE", "PAYMENT"]

  /// The application identifier that `text` spells.
  package static func identifier(
    _ text: String, _ spelling: Spelling
  ) throws(EntryFault) -> [UInt8] {
    try bytes(text, spelling, identifierLengths, what: "an application identifier")
  }

  /// The system code that `text` spells; a wildcard, which Core NFC does not take, is none.
  package static func systemCode(
    _ text: String, _ spelling: Spelling
  ) throws(EntryFault) -> [UInt8] {
    let code = try bytes(text, spelling, codeLengths, what: "a system code")
    if code.contains(0xFF) { throw .wildcard }
    return code
  }

  /// The format that `text` names.
  package static func format(_ text: String) throws(EntryFault) -> String {
    if text.isEmpty { throw .empty("a format") }
    if isBuildSetting(text) { throw .buildSetting(text) }
    if formats.contains(text) { return text }
    throw .unknownFormat(text)
  }

  /// Whether a format is accepted, and changes nothing.
  package static func isWithoutEffect(format: String) -> Bool {
    format == "NDEF" || format == "PACE"
  }

  private static func bytes(
    _ text: String, _ spelling: Spelling, _ lengths: ClosedRange<Int>, what: String
  ) throws(EntryFault) -> [UInt8] {
    if text.isEmpty { throw .empty(what) }
    if isBuildSetting(text) { throw .buildSetting(text) }
    guard let bytes = [UInt8](hex: text) else {
      if spelling == .exact, let bytes = [UInt8](hex: text.trimmed), lengths.contains(bytes.count) {
        throw .otherCharacters(text, meant: bytes.hex)
      }
      let digits = text.unicodeScalars.filter { $0 != ":" && $0 != "-" && $0 != " " }
      let areHex = digits.allSatisfy { $0.properties.isASCIIHexDigit }
      throw areHex && digits.count % 2 == 1 ? .oddLength(text) : .notHexadecimal(text)
    }
    if bytes.isEmpty { throw .empty(what) }
    if !lengths.contains(bytes.count) { throw .length(what, bytes.count, lengths) }
    if spelling == .exact, text.utf8.count != bytes.count * 2 {
      throw .otherCharacters(text, meant: bytes.hex)
    }
    return bytes
  }

  /// Whether `text` stands for a value that Xcode fills in when it builds the app.
  static func isBuildSetting(_ text: String) -> Bool {
    text.hasPrefix("$(") && text.hasSuffix(")") || text.hasPrefix("${") && text.hasSuffix("}")
  }
}

extension String {
  /// The text without spaces and line ends around it.
  var trimmed: String {
    var scalars = unicodeScalars[...]
    while scalars.first?.properties.isWhitespace == true { scalars.removeFirst() }
    while scalars.last?.properties.isWhitespace == true { scalars.removeLast() }
    return String(scalars)
  }
}
