/// Upper-case hexadecimal text of bytes, and back.
extension Sequence where Element == UInt8 {
  /// Two upper-case digits a byte, nothing between them: how UIDs and identifiers are written.
  package var hex: String {
    var text: [UInt8] = []
    for byte in self {
      text.append(hexDigit(byte >> 4))
      text.append(hexDigit(byte & 15))
    }
    return String(decoding: text, as: UTF8.self)
  }
}

extension [UInt8] {
  /// The bytes that `text` spells, two digits each, in either case; `nil` where it is not hexadecimal.
  ///
  /// `:`, `-` and spaces around bytes are passed over, as people copy them from other tools. A text
  /// of no digits is no bytes.
  package init?(hex text: some StringProtocol) {
    var bytes: [UInt8] = []
    var high: UInt8?
    for character in text.utf8 {
      if let value = hexValue(character) {
        if let first = high {
          bytes.append(first << 4 | value)
          high = nil
        } else {
          high = value
        }
      } else if high != nil || ![UInt8(ascii: ":"), UInt8(ascii: "-"), 0x20].contains(character) {
        return nil
      }
    }
    if high != nil { return nil }
    self = bytes
  }
}

private func hexDigit(_ value: UInt8) -> UInt8 {
  value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") + value - 10
}

private func hexValue(_ character: UInt8) -> UInt8? {
  switch character {
  case UInt8(ascii: "0")...UInt8(ascii: "9"): character - UInt8(ascii: "0")
  case UInt8(ascii: "a")...UInt8(ascii: "f"): character - UInt8(ascii: "a") + 10
  case UInt8(ascii: "A")...UInt8(ascii: "F"): character - UInt8(ascii: "A") + 10
  default: nil
  }
}
