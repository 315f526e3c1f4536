internal import Diagnostics

/// How a data file's letters are written as bytes.
enum TextEncoding: Sendable {
  case utf8, utf16, utf16LittleEndian, utf16BigEndian, latin1, windows1252

  /// The names that may be declared.
  static let names = ["utf-8", "utf-16", "utf-16le", "utf-16be", "latin1", "windows-1252"]

  /// The encoding that a name of another program stands for, or a slip of typing.
  static func meant(by name: String) -> String? {
    switch name.lowercased() {
    case "ansi", "latin9", "iso-8859-15", "western": "windows-1252"
    case "ascii", "us-ascii", "utf-8-sig", "utf-8-bom": "utf-8"
    case "unicode", "ucs-2": "utf-16"
    default: closest(to: name, in: names)
    }
  }

  init?(name: String) {
    switch name.lowercased() {
    case "utf-8", "utf8": self = .utf8
    case "utf-16", "utf16": self = .utf16
    case "utf-16le", "utf16le": self = .utf16LittleEndian
    case "utf-16be", "utf16be": self = .utf16BigEndian
    case "latin1", "latin-1", "iso-8859-1": self = .latin1
    case "windows-1252", "cp1252": self = .windows1252
    default: return nil
    }
  }

  enum Decoded {
    case text([UInt8], start: Int)
    /// Text in an encoding that was not declared, and the first byte that says so.
    case guess([UInt8], TextFault)
    case fault(TextFault)
  }

  /// The bytes as UTF-8.
  ///
  /// Undeclared, they are UTF-8, or UTF-16 with its byte order mark; else, where it `mayGuess`,
  /// windows-1252 if nothing speaks for broken UTF-8.
  static func decode(
    _ bytes: [UInt8], declared: TextEncoding?, mayGuess: Bool
  ) -> Decoded {
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) {
      guard declared == nil || declared == .utf8 else { return .fault(.otherMark("UTF-8")) }
      return checked(bytes, start: 3, declared: declared)
    }
    let isLittle = bytes.starts(with: [0xFF, 0xFE])
    if isLittle || bytes.starts(with: [0xFE, 0xFF]) {
      switch (declared, isLittle) {
      case (nil, _), (.utf16, _), (.utf16LittleEndian, true), (.utf16BigEndian, false):
        return utf16(bytes[2...], littleEndian: isLittle)
      case (.latin1, _), (.windows1252, _): break
      default: return .fault(.otherMark(isLittle ? "UTF-16LE" : "UTF-16BE"))
      }
    }
    switch declared {
    case nil where mayGuess:
      let plain = checked(bytes, start: 0, declared: nil)
      guard case .fault(let fault) = plain else { return plain }
      return guess(bytes, after: fault) ?? plain
    case nil, .utf8: return checked(bytes, start: 0, declared: declared)
    case .utf16:
      return .fault(
        TextFault(
          code: "data-encoding", message: "the file has no byte order mark of UTF-16",
          help: "declare `encoding: utf-16le` or `utf-16be`"))
    case .utf16LittleEndian: return utf16(bytes[...], littleEndian: true)
    case .utf16BigEndian: return utf16(bytes[...], littleEndian: false)
    case .latin1: return oneByte(bytes, high: { UInt32($0) }, name: "latin1")
    case .windows1252: return oneByte(bytes, high: windows1252Scalar, name: "windows-1252")
    }
  }

  private static func checked(_ bytes: [UInt8], start: Int, declared: TextEncoding?) -> Decoded {
    guard let at = UTF8Check.firstFault(in: bytes, from: start) else {
      return .text(bytes, start: start)
    }
    let before = TextFault.Before(bytes: Array(bytes[..<at]), start: start)
    if bytes[at] == 0 {
      let looksWide = bytes.prefix(2).contains(0)
      return .fault(
        TextFault(
          code: "data-nul", message: "the file holds a NUL", before: before,
          help: looksWide
            ? "if it is UTF-16, declare `encoding: utf-16le` or `utf-16be`" : TextFault.nulHelp))
    }
    return .fault(
      TextFault(
        code: "data-encoding", message: "the byte \(hexadecimal(bytes[at])) is not UTF-8",
        before: before,
        help: "save the file as UTF-8, or declare its encoding, such as `encoding: windows-1252`"))
  }

  /// The bytes as windows-1252; `nil` where they may as well be UTF-8 with a fault in it.
  ///
  /// It has the letters of latin1 and more, so the two need not be told apart. In it a letter with an accent
  /// is hardly ever followed by one of the signs of 80 to BF; in UTF-8 it always is.
  private static func guess(_ bytes: [UInt8], after fault: TextFault) -> Decoded? {
    guard fault.code == "data-encoding" else { return nil }
    var previous: UInt8 = 0
    for byte in bytes {
      if previous >= 0xC0, byte & 0xC0 == 0x80 { return nil }
      previous = byte
    }
    guard
      case .text(let text, _) = oneByte(bytes, high: windows1252Scalar, name: "windows-1252")
    else { return nil }
    var told = fault
    told.message += "; the file is read as windows-1252"
    told.help = "declare `encoding: windows-1252` if that is right, else save the file as UTF-8"
    return .guess(text, told)
  }

  private static func utf16(_ bytes: ArraySlice<UInt8>, littleEndian: Bool) -> Decoded {
    var text: [UInt8] = []
    text.reserveCapacity(bytes.count / 2 + bytes.count / 8)
    var at = bytes.startIndex
    func unit(at index: Int) -> UInt32? {
      guard index + 1 < bytes.endIndex else { return nil }
      let first = UInt32(bytes[index])
      let second = UInt32(bytes[index + 1])
      return littleEndian ? second << 8 | first : first << 8 | second
    }
    while at < bytes.endIndex {
      guard let first = unit(at: at) else {
        return fault(after: text, "the file ends in the midst of a UTF-16 letter")
      }
      var value = first
      at += 2
      if first & 0xFC00 == 0xD800, let second = unit(at: at), second & 0xFC00 == 0xDC00 {
        value = 0x10000 + (first & 0x3FF) << 10 + second & 0x3FF
        at += 2
      }
      guard let scalar = Unicode.Scalar(value) else {
        return fault(after: text, "half of a UTF-16 pair stands alone")
      }
      if value == 0 { return nul(after: text) }
      text += UTF8.encode(scalar).map { Array($0) } ?? []
    }
    return .text(text, start: 0)
  }

  private static func oneByte(
    _ bytes: [UInt8], high: (UInt8) -> UInt32?, name: String
  ) -> Decoded {
    var text: [UInt8] = []
    text.reserveCapacity(bytes.count + bytes.count / 8)
    for byte in bytes {
      if byte == 0 { return nul(after: text) }
      if byte < 0x80 {
        text.append(byte)
      } else if let scalar = high(byte).flatMap(Unicode.Scalar.init) {
        text += UTF8.encode(scalar).map { Array($0) } ?? []
      } else {
        return fault(after: text, "the byte \(hexadecimal(byte)) is no letter of \(name)")
      }
    }
    return .text(text, start: 0)
  }

  /// The upper half of windows-1252, by the WHATWG Encoding Standard's index without its five
  /// stand-ins.
  private static func windows1252Scalar(_ byte: UInt8) -> UInt32? {
    let letters: [UInt32] = [
      0x20AC, 0, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039,
      0x0152, 0, 0x017D, 0, 0, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC,
      0x2122, 0x0161, 0x203A, 0x0153, 0, 0x017E, 0x0178,
    ]
    if byte >= 0xA0 { return UInt32(byte) }
    let letter = letters[Int(byte) - 0x80]
    return letter == 0 ? nil : letter
  }

  private static func fault(after text: [UInt8], _ message: String) -> Decoded {
    .fault(
      TextFault(
        code: "data-encoding", message: message, before: TextFault.Before(bytes: text, start: 0)))
  }

  private static func nul(after text: [UInt8]) -> Decoded {
    .fault(
      TextFault(
        code: "data-nul", message: "the file holds a NUL",
        before: TextFault.Before(bytes: text, start: 0), help: TextFault.nulHelp))
  }

  private static func hexadecimal(_ byte: UInt8) -> String {
    "0x" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
  }
}

/// Why a file's bytes are no text.
struct TextFault {
  /// The text before the fault, which tells the place.
  struct Before {
    var bytes: [UInt8]
    var start: Int
  }

  var code: String
  var message: String
  var before: Before?
  var help: String?

  static let nulHelp = "take it out: a file of text has none"

  static func otherMark(_ name: String) -> TextFault {
    TextFault(
      code: "data-encoding",
      message: "the file begins with the byte order mark of \(name), not of what is declared",
      help: "leave out `encoding`")
  }
}
