extension AirFrame.Technology {
  /// The two bytes that follow `bytes` on the air: CRC_A, CRC_B (ISO/IEC 14443-3 annex B) or FeliCa's (JIS X 6319-4).
  func crc(of bytes: some Sequence<UInt8>) -> [UInt8] {
    switch self {
    case .typeA: CRCA.of(bytes)
    case .typeB:
      CRCA.of(bytes, preset: 0xFFFF).map(~)
    case .feliCa:
      Self.feliCaCRC(of: bytes)
    }
  }

  /// `frame` without its CRC, `nil` if that is missing or wrong.
  func strip(_ frame: [UInt8]) -> [UInt8]? {
    guard frame.count > 2 else { return nil }
    let content = frame.dropLast(2)
    return crc(of: content) == Array(frame.suffix(2)) ? Array(content) : nil
  }

  /// Polynomial 1021, high bit first, preset 0, high byte first.
  private static func feliCaCRC(of bytes: some Sequence<UInt8>) -> [UInt8] {
    var register: UInt16 = 0
    for byte in bytes {
      register ^= UInt16(byte) << 8
      for _ in 0..<8 { register = register << 1 ^ (register & 0x8000 != 0 ? 0x1021 : 0) }
    }
    return [UInt8(truncatingIfNeeded: register >> 8), UInt8(truncatingIfNeeded: register)]
  }
}
