/// Well-formedness of UTF-8 (The Unicode Standard, table 3-7).
enum UTF8Check {
  /// The first byte that is a NUL or begins an ill-formed sequence; `nil` if there is none.
  static func firstFault(in bytes: [UInt8], from start: Int) -> Int? {
    let span = bytes.span
    var at = start
    while at < span.count {
      let byte = span[at]
      if byte < 0x80 {
        if byte == 0 { return at }
        at += 1
        continue
      }
      let length: Int
      // What the second byte may be; the third and fourth are always 80 to BF.
      var second: ClosedRange<UInt8> = 0x80...0xBF
      switch byte {
      case 0xC2...0xDF: length = 2
      case 0xE0:
        length = 3
        second = 0xA0...0xBF
      case 0xED:
        length = 3
        second = 0x80...0x9F
      case 0xE1...0xEF: length = 3
      case 0xF0:
        length = 4
        second = 0x90...0xBF
      case 0xF1...0xF3: length = 4
      case 0xF4:
        length = 4
        second = 0x80...0x8F
      default: return at
      }
      guard at + length <= span.count, second.contains(span[at + 1]) else { return at }
      for index in 2..<max(length, 2) where span[at + index] & 0xC0 != 0x80 { return at }
      at += length
    }
    return nil
  }
}
