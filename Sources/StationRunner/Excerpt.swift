internal import Bytes

/// Values in a sentence for people: whole where they are short, else cut, with how long they are.
enum Excerpt {
  private static let mostLetters = 120
  private static let mostBytes = 32

  /// A text in quotes.
  static func quoted(_ text: String) -> String {
    let count = text.unicodeScalars.count
    if count <= mostLetters { return "\"\(text)\"" }
    let start = String(String.UnicodeScalarView(text.unicodeScalars.prefix(mostLetters)))
    return "\"\(start)…\" (\(count) characters)"
  }

  /// Bytes in hexadecimal.
  static func hex(_ bytes: [UInt8]) -> String {
    if bytes.isEmpty { return "no bytes" }
    if bytes.count <= mostBytes { return bytes.hex }
    return "\(bytes.prefix(mostBytes).hex)… (\(bytes.count) bytes)"
  }

  /// What was expected and what was found, from the first byte that differs on where they are long.
  static func difference(_ name: String, _ wanted: [UInt8], _ found: [UInt8]) -> String {
    if max(wanted.count, found.count) <= mostBytes {
      return "expected \(name) \(hex(wanted)), found \(hex(found))"
    }
    let same = zip(wanted, found).prefix { $0 == $1 }.count
    func rest(_ bytes: [UInt8]) -> String {
      bytes.count == same ? "its end" : hex(Array(bytes.dropFirst(same).prefix(mostBytes)))
    }
    return "expected \(name) of \(wanted.count) bytes with \(rest(wanted)) at byte \(same), "
      + "found \(found.count) bytes with \(rest(found))"
  }
}
