/// What the data sheet says about the memory of a type 2 chip.
struct Type2Chip: Sendable, Equatable {
  /// Pages of 4 bytes, the last one included.
  var pages: Int
  /// The page after the last one for users' data.
  var userEnd: Int
  /// The capability container that the factory or a formatter writes: E1, version 1.0, size in 8 bytes, 00.
  var capabilityContainer: [UInt8]
  /// The lock control TLV that the factory puts before the NDEF TLV; empty where it puts none.
  var leadingTLV: [UInt8]
  /// The page with the dynamic lock bytes.
  var dynamicLock: DynamicLock?
  /// The page of CFG0, whose last byte is AUTH0; CFG1 follows, whose first byte has PROT in bit 7.
  var configuration: Int?
  var hasFastRead: Bool
  /// The counter's number for READ_CNT, where the chip has one that is its tap counter.
  var tapCounter: UInt8?

  struct DynamicLock: Sendable, Equatable {
    var page: Int
    /// Lock bits of bytes 0 and 1.
    ///
    /// The block-locking bits of byte 2 are left alone: lock bits cannot be cleared anyhow, and in a torn write
    /// they could freeze lock bits that are not set yet.
    var lockBits: [UInt8]
    /// How many pages one lock bit covers, from page 16 on.
    var pagesPerBit: Int
  }

  /// The facts for `chip`; `nil` where it is no type 2 chip that this program knows whole.
  ///
  /// NTAG213/215/216: NXP data sheet rev. 3.2, sections 8.5.2, 8.5.3, 8.5.6 and 8.5.7. NTAG210/212: rev. 3.0.
  /// MF0ULx1: rev. 3.3, sections 8.5.2, 8.5.3 and 8.5.6. MF0ICU1: rev. 3.9, section 7.5.
  static func facts(_ chip: Chip) -> Type2Chip? {
    switch chip {
    case .ntag210:
      Type2Chip(
        pages: 20, userEnd: 16, capabilityContainer: [0xE1, 0x10, 0x06, 0x00], leadingTLV: [],
        dynamicLock: nil, configuration: 0x10, hasFastRead: true, tapCounter: nil)
    case .ntag212:
      Type2Chip(
        pages: 41, userEnd: 36, capabilityContainer: [0xE1, 0x10, 0x10, 0x00],
        leadingTLV: [0x01, 0x03, 0x90, 0x0A, 0x34],
        dynamicLock: DynamicLock(
          page: 0x24, lockBits: [0xFF, 0x03], pagesPerBit: 2),
        configuration: 0x25, hasFastRead: true, tapCounter: nil)
    case .ntag213:
      Type2Chip(
        pages: 45, userEnd: 40, capabilityContainer: [0xE1, 0x10, 0x12, 0x00],
        leadingTLV: [0x01, 0x03, 0xA0, 0x0C, 0x34],
        dynamicLock: DynamicLock(
          page: 0x28, lockBits: [0xFF, 0x0F], pagesPerBit: 2),
        configuration: 0x29, hasFastRead: true, tapCounter: 2)
    case .ntag215:
      Type2Chip(
        pages: 135, userEnd: 130, capabilityContainer: [0xE1, 0x10, 0x3E, 0x00], leadingTLV: [],
        dynamicLock: DynamicLock(
          page: 0x82, lockBits: [0xFF, 0x00], pagesPerBit: 16),
        configuration: 0x83, hasFastRead: true, tapCounter: 2)
    case .ntag216:
      Type2Chip(
        pages: 231, userEnd: 226, capabilityContainer: [0xE1, 0x10, 0x6D, 0x00], leadingTLV: [],
        dynamicLock: DynamicLock(
          page: 0xE2, lockBits: [0xFF, 0x3F], pagesPerBit: 16),
        configuration: 0xE3, hasFastRead: true, tapCounter: 2)
    case .ultralight:
      Type2Chip(
        pages: 16, userEnd: 16, capabilityContainer: [0xE1, 0x10, 0x06, 0x00], leadingTLV: [],
        dynamicLock: nil, configuration: nil, hasFastRead: false, tapCounter: nil)
    case .ultralightEV1Small:
      Type2Chip(
        pages: 20, userEnd: 16, capabilityContainer: [0xE1, 0x10, 0x06, 0x00], leadingTLV: [],
        dynamicLock: nil, configuration: 0x10, hasFastRead: true, tapCounter: nil)
    case .ultralightEV1Large:
      Type2Chip(
        pages: 41, userEnd: 36, capabilityContainer: [0xE1, 0x10, 0x10, 0x00], leadingTLV: [],
        dynamicLock: DynamicLock(
          page: 0x24, lockBits: [0xFF, 0x03], pagesPerBit: 2),
        configuration: 0x25, hasFastRead: true, tapCounter: nil)
    default: nil
    }
  }

  /// The chip that answers GET_VERSION with `version` (8 bytes), `unknown` where none does.
  ///
  /// Byte 1 vendor (04 NXP), byte 2 product type (03 Ultralight, 04 NTAG), byte 6 storage size; the sheets
  /// named above, "GET_VERSION response".
  static func named(byVersion version: [UInt8]) -> Chip {
    guard version.count == 8, version[0] == 0, version[1] == 0x04, version[7] == 0x03 else {
      return .unknown
    }
    switch (version[2], version[4], version[6]) {
    case (0x04, 1, 0x0B): return version[5] == 0 ? .ntag210 : .unknown
    case (0x04, 1, 0x0E): return version[5] == 0 ? .ntag212 : .unknown
    case (0x04, 1, 0x0F): return version[3] == 0x02 ? .ntag213 : .unknown
    case (0x04, 1, 0x11): return version[3] == 0x02 ? .ntag215 : .unknown
    case (0x04, 1, 0x13): return version[3] == 0x02 ? .ntag216 : .unknown
    case (0x03, 1, 0x0B): return .ultralightEV1Small
    case (0x03, 1, 0x0E): return .ultralightEV1Large
    case (0x03, 4, 0x0F): return .ultralightAES
    default: return .unknown
    }
  }

  /// The largest message that a tag in factory state holds, in bytes.
  var capacity: Int {
    let area = min(Int(capabilityContainer[2]) * 8, (userEnd - 4) * 4)
    return Type2Layout.largestMessage(in: area - leadingTLV.count)
  }
}

extension Chip {
  /// The largest NDEF message, in bytes, that the chip holds as the factory made it; `nil` if not known.
  package var factoryCapacity: Int? { Type2Chip.facts(self)?.capacity }

  /// The chips that every step can treat.
  package static var treatable: [Chip] { allCases.filter { Type2Chip.facts($0) != nil } }
}
