/// CRC_A of ISO/IEC 14443-3 annex B.
enum CRCA {
  /// The two bytes that follow `bytes` on the air, low byte first.
  static func of(_ bytes: some Sequence<UInt8>, preset: UInt16 = 0x6363) -> [UInt8] {
    var register = preset
    for byte in bytes {
      var mixed = byte ^ UInt8(truncatingIfNeeded: register)
      mixed ^= mixed << 4
      let wide = UInt16(mixed)
      register = (register >> 8) ^ (wide << 8) ^ (wide << 3) ^ (wide >> 4)
    }
    return [UInt8(truncatingIfNeeded: register), UInt8(truncatingIfNeeded: register >> 8)]
  }

  /// `frame` without its CRC, `nil` if that is missing or wrong.
  static func strip(_ frame: [UInt8]) -> [UInt8]? {
    guard frame.count > 2 else { return nil }
    let content = frame.dropLast(2)
    return of(content) == Array(frame.suffix(2)) ? Array(content) : nil
  }
}
