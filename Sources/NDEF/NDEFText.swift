/// The content of a text record (Text RTD 1.0).
package struct NDEFText: Sendable, Hashable {
  /// How the text is written.
  package enum Encoding: String, Sendable, CaseIterable {
    case utf8 = "utf-8"
    /// Written big-endian behind a byte order mark, so that no reader has to guess.
    case utf16 = "utf-16"
  }

  /// The text itself.
  package var text: String
  /// The language code; tags with an empty one are found, though section 3.3 asks for one.
  package var language: String
  /// How the text is written, or was found.
  package var encoding: Encoding

  /// A text in a language.
  package init(_ text: String, language: String, encoding: Encoding = .utf8) {
    self.text = text
    self.language = language
    self.encoding = encoding
  }

  /// The payload: status byte, language, text (section 3.2.1).
  var payload: [UInt8] {
    get throws(NDEFError) {
      guard Self.isLanguage(language) else { throw .language(language) }
      let code = Array(language.utf8)
      var bytes = [UInt8(truncatingIfNeeded: code.count)] + code
      switch encoding {
      case .utf8:
        bytes += text.utf8
      case .utf16:
        bytes[0] |= 0x80
        bytes += [0xFE, 0xFF]
        for unit in text.utf16 {
          bytes.append(UInt8(truncatingIfNeeded: unit >> 8))
          bytes.append(UInt8(truncatingIfNeeded: unit))
        }
      }
      return bytes
    }
  }

  /// The text that `payload` carries, or in words why it carries none.
  ///
  /// UTF-16 is read in the order of its byte order mark, without one big-endian (section 3.4).
  static func decode(_ payload: [UInt8]) -> Result<NDEFText, NDEFContent.Fault> {
    guard let status = payload.first else { return .failure("the text record has no bytes") }
    let length = Int(status & 0x3F)
    guard length < payload.count else {
      return .failure("the language code of the text record is longer than the record")
    }
    let code = payload[1..<1 + length]
    guard code.allSatisfy({ $0 < 0x80 }) else {
      return .failure("the language code of the text record is not US-ASCII")
    }
    let encoding: Encoding = status & 0x80 == 0 ? .utf8 : .utf16
    let bytes = payload[(1 + length)...]
    guard let text = encoding == .utf8 ? utf8(bytes) : utf16(bytes) else {
      return .failure("the text of the text record is not \(encoding.rawValue.uppercased())")
    }
    let language = String(decoding: code, as: UTF8.self)
    return .success(NDEFText(text, language: language, encoding: encoding))
  }

  private static func utf8(_ bytes: ArraySlice<UInt8>) -> String? {
    String(validating: bytes, as: UTF8.self)
  }

  private static func utf16(_ bytes: ArraySlice<UInt8>) -> String? {
    guard bytes.count.isMultiple(of: 2) else { return nil }
    let start = bytes.startIndex
    let little = bytes.starts(with: [0xFF, 0xFE])
    let marked = little || bytes.starts(with: [0xFE, 0xFF])
    let units = stride(from: marked ? start + 2 : start, to: bytes.endIndex, by: 2).map { index in
      let (first, second) = (UInt16(bytes[index]), UInt16(bytes[index + 1]))
      return little ? second << 8 | first : first << 8 | second
    }
    return String(validating: units, as: UTF16.self)
  }

  /// Letters, digits and hyphens, as RFC 5646 section 2.1 builds language tags.
  private static func isLanguage(_ code: String) -> Bool {
    (1...63).contains(code.utf8.count)
      && code.utf8.allSatisfy { $0.isLetterOrDigit || $0 == UInt8(ascii: "-") }
  }
}

extension UInt8 {
  var isLetter: Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self | 0x20)
  }

  var isLetterOrDigit: Bool {
    isLetter || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self)
  }

  /// Whether it is a US-ASCII character that can be seen.
  var isVisible: Bool { (0x21...0x7E).contains(self) }
}
