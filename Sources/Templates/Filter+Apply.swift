internal import Bytes
internal import Digests

extension Filter {
  /// The value after this filter; a missing one passes all but `default` and `required` untouched.
  func apply(
    to value: TemplateValue, of path: [String], at offset: Int
  ) throws(TemplateError) -> TemplateValue {
    switch self {
    case .default(let other): return value.isEmpty ? .text(other) : value
    case .required(let message):
      if value.isEmpty { throw TemplateError(message, offset: offset) }
      return value
    default: break
    }
    switch value {
    case .missing, .unknown: return value
    default: break
    }
    switch self {
    case .default, .required: return value
    case .date(let format, let local):
      guard case .moment(let seconds) = value else {
        throw TemplateError(
          "`date` needs a moment, which `\(Template.name(of: path))` is not", offset: offset,
          help: "`now` is one")
      }
      guard let text = Moment.text(seconds, format: format, local: local) else {
        throw Moment.outOfRange(at: offset)
      }
      return .text(text)
    case .hex: return .text(try Self.bytes(of: value, at: offset).hex)
    case .base64url: return .text(Self.base64url(try Self.bytes(of: value, at: offset)))
    case .sha256: return .bytes(SHA256.digest(of: try Self.bytes(of: value, at: offset)))
    default: return .text(try edit(try Self.text(of: value, at: offset), at: offset))
    }
  }

  /// The filters from text to text.
  private func edit(_ text: String, at offset: Int) throws(TemplateError) -> String {
    switch self {
    case .pad(let width, let filler):
      return String(repeating: filler, count: max(width - text.count, 0)) + text
    case .upper: return text.uppercased()
    case .lower: return text.lowercased()
    case .trim:
      let rest = text.drop(while: \.isWhitespace)
      guard let last = rest.lastIndex(where: { !$0.isWhitespace }) else { return "" }
      return String(rest[...last])
    case .slice(let from, let count):
      let rest = from < 0 ? text.suffix(Int(clamping: from.magnitude)) : text.dropFirst(from)
      return String(count.map { rest.prefix($0) } ?? rest)
    case .urlencode: return Self.urlencode(text)
    case .luhn, .mod10:
      let digits = text.utf8.map { $0 &- UInt8(ascii: "0") }
      guard !digits.isEmpty, digits.allSatisfy({ $0 < 10 }) else {
        throw TemplateError("a check digit needs digits and nothing else", offset: offset)
      }
      let check = self == .luhn ? CheckDigit.luhn(of: digits) : CheckDigit.gs1(of: digits)
      return text + String(check)
    default: return text
    }
  }

  private static func text(of value: TemplateValue, at offset: Int) throws(TemplateError) -> String
  {
    switch value {
    case .text(let text): return text
    case .bytes(let bytes): return bytes.hex
    case .moment(let seconds):
      guard let text = Moment.rfc3339(seconds) else { throw Moment.outOfRange(at: offset) }
      return text
    case .missing, .unknown: return ""
    }
  }

  /// The bytes themselves, else the UTF-8 of the text.
  private static func bytes(
    of value: TemplateValue, at offset: Int
  ) throws(TemplateError) -> [UInt8] {
    if case .bytes(let bytes) = value { return bytes }
    return Array(try text(of: value, at: offset).utf8)
  }

  /// Percent-encodes all but the unreserved letters of RFC 3986 section 2.3.
  private static func urlencode(_ text: String) -> String {
    if text.utf8.allSatisfy(isUnreserved) { return text }
    var encoded: [UInt8] = []
    for byte in text.utf8 {
      if isUnreserved(byte) {
        encoded.append(byte)
      } else {
        encoded.append(UInt8(ascii: "%"))
        encoded += CollectionOfOne(byte).hex.utf8
      }
    }
    return String(decoding: encoded, as: UTF8.self)
  }

  private static func isUnreserved(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "-"), UInt8(ascii: "."),
      UInt8(ascii: "_"), UInt8(ascii: "~"):
      true
    default: false
    }
  }

  /// The URL-safe alphabet of RFC 4648 section 5, without padding.
  private static func base64url(_ bytes: [UInt8]) -> String {
    let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
    var encoded: [UInt8] = []
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let group = bytes[start..<min(start + 3, bytes.count)]
      var bits = 0
      for place in 0..<3 {
        bits = bits << 8 | (place < group.count ? Int(group[start + place]) : 0)
      }
      // n bytes need n + 1 letters of six bits.
      for letter in 0...group.count { encoded.append(alphabet[bits >> (18 - 6 * letter) & 63]) }
    }
    return String(decoding: encoded, as: UTF8.self)
  }
}

extension TemplateValue {
  /// Whether nothing would be printed for it.
  fileprivate var isEmpty: Bool {
    switch self {
    case .text(let text): text.isEmpty
    case .bytes(let bytes): bytes.isEmpty
    case .moment: false
    case .missing, .unknown: true
    }
  }
}
