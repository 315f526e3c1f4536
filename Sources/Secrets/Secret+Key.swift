extension Secret {
  /// The key of `size` bytes that it holds: as they are, or in hexadecimal with or without `:`, `-` and
  /// spaces between bytes.
  package func key(of size: Int) throws(SecretFault) -> Secret {
    if count == size { return self }
    return try unsafe Secret(capacity: size) { buffer throws(SecretFault) in
      let isWhole = withBytes { text in unsafe Self.decode(text, into: buffer) }
      guard isWhole else {
        throw SecretFault(
          .malformed, "the secret is no key of \(size) bytes",
          help: "it must be \(2 * size) hexadecimal digits, or exactly \(size) bytes")
      }
      return size
    }
  }

  /// Whether `text` spells exactly the bytes that `buffer` has room for.
  private static func decode(
    _ text: Span<UInt8>, into buffer: UnsafeMutableRawBufferPointer
  ) -> Bool {
    var filled = 0
    var high: UInt8?
    for index in text.indices {
      let character = text[index]
      if let value = digit(character) {
        guard let first = high else {
          high = value
          continue
        }
        guard filled < buffer.count else { return false }
        unsafe buffer[filled] = first << 4 | value
        filled += 1
        high = nil
      } else if high != nil || ![UInt8(ascii: ":"), UInt8(ascii: "-"), 0x20].contains(character) {
        return false
      }
    }
    return high == nil && filled == buffer.count
  }

  private static func digit(_ character: UInt8) -> UInt8? {
    switch character {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): character - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): character - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): character - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}
