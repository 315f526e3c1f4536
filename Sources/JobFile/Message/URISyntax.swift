/// The syntax of URIs, as RFC 3986 has it.
enum URISyntax {
  /// Why a text is no URI, and what mends it.
  struct Fault: Equatable {
    var message: String
    var help: String?
  }

  /// What keeps `text` from being a URI with a scheme (RFC 3986 section 3); `nil` if nothing does.
  static func fault(in text: String) -> Fault? {
    let bytes = Array(text.utf8)
    if let index = bytes.firstIndex(where: { !isAllowed($0) }) {
      let isBrace = bytes[index] == UInt8(ascii: "{") || bytes[index] == UInt8(ascii: "}")
      return Fault(
        message: "\(name(ofScalarAt: index, in: bytes)) cannot stand in a URI: `\(text)`",
        help: isBrace
          ? "a value is filled in with `${row.code | urlencode}`"
          : "pass the value through `urlencode`, for example `${row.code | urlencode}`")
    }
    for index in bytes.indices where bytes[index] == UInt8(ascii: "%") {
      let digits = bytes[(index + 1)...].prefix(2)
      if digits.count < 2 || !digits.allSatisfy(isHexDigit) {
        return Fault(
          message: "`%` without two hexadecimal digits cannot stand in a URI: `\(text)`",
          help: "pass the value through `urlencode`, for example `${row.code | urlencode}`")
      }
    }
    guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")), isScheme(bytes[..<colon]) else {
      return Fault(
        message: "the URI has no scheme: `\(text)`",
        help: "begin it with `https://`, `tel:`, `mailto:` or another scheme")
    }
    return structure(bytes[(colon + 1)...]).map {
      Fault(message: "\($0): `\(text)`", help: "pass the value through `urlencode`")
    }
  }

  /// What is wrong behind the scheme: one fragment, and brackets only around an address.
  private static func structure(_ rest: ArraySlice<UInt8>) -> String? {
    let hash = UInt8(ascii: "#")
    if rest.count(where: { $0 == hash }) > 1 { return "a URI has one `#` at most" }
    guard rest.contains(UInt8(ascii: "[")) || rest.contains(UInt8(ascii: "]")) else { return nil }
    let slashes = "//".utf8
    var authority = ArraySlice<UInt8>()
    if rest.starts(with: slashes) {
      let ends: [UInt8] = [UInt8(ascii: "/"), UInt8(ascii: "?"), hash]
      authority = rest.dropFirst(2).prefix { !ends.contains($0) }
    }
    let brackets = { (part: ArraySlice<UInt8>) in
      part.count { $0 == UInt8(ascii: "[") || $0 == UInt8(ascii: "]") }
    }
    let host = authority.split(separator: UInt8(ascii: "@")).last ?? authority
    let isAddress =
      host.first == UInt8(ascii: "[") && host.contains(UInt8(ascii: "]")) && brackets(host) == 2
    if brackets(rest) == 2 && isAddress { return nil }
    return "`[` and `]` stand in a URI only around an IPv6 address"
  }

  /// `ALPHA *( ALPHA / DIGIT / "+" / "-" / "." )` (section 3.1).
  private static func isScheme(_ bytes: ArraySlice<UInt8>) -> Bool {
    guard let first = bytes.first, isLetter(first) else { return false }
    return bytes.allSatisfy {
      isLetter($0) || isDigit($0) || "+-.".utf8.contains($0)
    }
  }

  /// `unreserved`, `reserved` or `%` (section 2).
  private static func isAllowed(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    case UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"),
      UInt8(ascii: ":"), UInt8(ascii: "/"), UInt8(ascii: "?"), UInt8(ascii: "#"),
      UInt8(ascii: "["), UInt8(ascii: "]"), UInt8(ascii: "@"), UInt8(ascii: "!"),
      UInt8(ascii: "$"), UInt8(ascii: "&"), UInt8(ascii: "'"), UInt8(ascii: "("),
      UInt8(ascii: ")"), UInt8(ascii: "*"), UInt8(ascii: "+"), UInt8(ascii: ","),
      UInt8(ascii: ";"), UInt8(ascii: "="), UInt8(ascii: "%"):
      true
    default: false
    }
  }

  private static func name(ofScalarAt index: Int, in bytes: [UInt8]) -> String {
    if bytes[index] == 0x20 { return "a space" }
    let scalar = String(decoding: bytes[index...], as: UTF8.self).unicodeScalars.first ?? "?"
    return "`\(scalar)`"
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }

  private static func isHexDigit(_ byte: UInt8) -> Bool {
    isDigit(byte) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte | 0x20)
  }
}
