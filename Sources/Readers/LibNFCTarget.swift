extension Poll {
  /// The PN532 command that looks for it: InListPassiveTarget for one target (UM0701-02, section 7.3.5).
  var listing: [UInt8] {
    switch self {
    case .typeA: [0x4A, 1, 0x00]
    case .typeAUID(let uid): [0x4A, 1, 0x00] + Self.cascaded(uid)
    // Application family 00: all.
    case .typeB: [0x4A, 1, 0x03, 0x00]
    // JIS X 6319-4 Polling: command 00, system code, request code 01 (answer with the system code), one slot.
    case .feliCa(let code): [0x4A, 1, 0x01, 0x00, UInt8(code >> 8), UInt8(code & 0xFF), 0x01, 0x00]
    case .jewel: [0x4A, 1, 0x04]
    }
  }

  /// The PN532 command that looks for two FeliCa tags in four time slots (JIS X 6319-4: slot number 03).
  static func listingOfTwo(systemCode code: UInt16) -> [UInt8] {
    [0x4A, 2, 0x01, 0x00, UInt8(code >> 8), UInt8(code & 0xFF), 0x01, 0x03]
  }

  /// `uid` with the cascade tag 88 before each level that another one follows (ISO/IEC 14443-3, section 6.5.4).
  private static func cascaded(_ uid: [UInt8]) -> [UInt8] {
    switch uid.count {
    case 7: [0x88] + uid
    case 10: [0x88] + uid[..<3] + [0x88] + uid[3...]
    default: uid
    }
  }
}

extension Target {
  /// The FeliCa tags in the chip's answer to a listing of two, as far as they make sense.
  static func feliCas(_ answer: [UInt8]) -> [Target] {
    var rest = answer.dropFirst()
    var found: [Target] = []
    for _ in 0..<(answer.first ?? 0) {
      // The target's number, then a length that counts itself.
      guard let length = rest.dropFirst().first, length > 0, rest.count > Int(length),
        let target = Target(
          [1] + rest.prefix(1 + Int(length)), to: .feliCa(systemCode: 0xFFFF))
      else { break }
      found.append(target)
      rest = rest.dropFirst(1 + Int(length))
    }
    return found
  }

  /// The target in the chip's answer to `poll`; `nil` if it is none that a tag can give.
  ///
  /// `answer` begins with how many were found and the target's number.
  init?(_ answer: [UInt8], to poll: Poll) {
    let data = answer.dropFirst(2)
    func bytes(_ from: Int, _ count: Int) -> [UInt8] {
      Array(data.dropFirst(from).prefix(count))
    }
    func word(_ from: Int) -> UInt16 { bytes(from, 2).reduce(0) { $0 << 8 | UInt16($1) } }
    switch poll {
    case .typeA, .typeAUID:
      guard data.count >= 4, let length = bytes(3, 1).first.map({ Int($0) }),
        [4, 7, 10].contains(length), data.count >= 4 + length
      else { return nil }
      // The ATS counts its length byte; it comes from the tag and may be anything.
      let rest = bytes(4 + length, 255)
      let ats = rest.prefix(rest.first.map { Int($0) } ?? 0).dropFirst()
      self.init(
        .typeA(atqa: word(0), sak: bytes(2, 1)[0], ats: Array(ats)), uid: bytes(4, length))
    case .typeB:
      // ATQB: 50, PUPI, application data, protocol info (ISO/IEC 14443-3, section 7.9).
      guard data.count >= 12, bytes(0, 1) == [0x50] else { return nil }
      self.init(
        .typeB(applicationData: bytes(5, 4), protocolInfo: bytes(9, 3)), uid: bytes(1, 4))
    case .feliCa:
      // The answer's length counts itself: 18, or 20 with a system code; then response code 01, IDm, PMm.
      guard data.count >= 18, bytes(1, 1) == [0x01] else { return nil }
      let code = bytes(0, 1)[0] >= 20 && data.count >= 20 ? word(18) : nil
      self.init(.feliCa(pmm: bytes(10, 8), systemCode: code), uid: bytes(2, 8))
    case .jewel:
      guard data.count >= 6 else { return nil }
      self.init(.jewel(atqa: word(0)), uid: bytes(2, 4))
    }
  }
}
