/// What sets one type 2 chip apart from another: sizes, places and factory contents.
///
/// From the data sheets NTAG210/212, NTAG213/215/216, MF0ULx1 (Ultralight EV1) and MF0ICU1 (Ultralight).
struct Type2Model: Sendable {
  /// One-way counters and how they count.
  enum Counters: Sendable {
    case none
    /// One, numbered 2, that counts the first reading after power-up.
    case reading
    /// Three, counted by INCR_CNT.
    case three
  }

  let name: String
  let pageCount: Int
  /// Empty where GET_VERSION and all that came with it are missing.
  let version: [UInt8]
  let dynamicLocks: DynamicLocks?
  /// The page of CFG0, `nil` where there is none; CFG1, PWD and PACK follow it.
  let configuration: Int?
  let counters: Counters
  /// The capability container at page 3 and the pages after it, as the factory writes them.
  let content: [[UInt8]]
  let cfg0: [UInt8]

  static let all = [
    ntag210, ntag212, ntag213, ntag215, ntag216, ultralight, ultralightEV1Small, ultralightEV1Large,
  ]

  static func named(_ name: String) -> Type2Model? { all.first { $0.name == name } }

  static let ntag210 = Type2Model(
    name: "NTAG210", pageCount: 20, version: [0x00, 0x04, 0x04, 0x01, 0x01, 0x00, 0x0B, 0x03],
    dynamicLocks: nil, configuration: 16, counters: .none,
    content: [[0xE1, 0x10, 0x06, 0x00], [0x03, 0x00, 0xFE, 0x00]],
    cfg0: [0x00, 0x00, 0x00, 0xFF])

  static let ntag212 = Type2Model(
    name: "NTAG212", pageCount: 41, version: [0x00, 0x04, 0x04, 0x01, 0x01, 0x00, 0x0E, 0x03],
    dynamicLocks: DynamicLocks(page: 36, lockSpan: 2, blockSpan: 4),
    configuration: 37, counters: .none,
    content: [
      [0xE1, 0x10, 0x10, 0x00], [0x01, 0x03, 0x90, 0x0A], [0x34, 0x03, 0x00, 0xFE],
    ],
    cfg0: [0x00, 0x00, 0x00, 0xFF])

  static let ntag213 = Type2Model(
    name: "NTAG213", pageCount: 45, version: [0x00, 0x04, 0x04, 0x02, 0x01, 0x00, 0x0F, 0x03],
    dynamicLocks: DynamicLocks(page: 40, lockSpan: 2, blockSpan: 4),
    configuration: 41, counters: .reading,
    content: [
      [0xE1, 0x10, 0x12, 0x00], [0x01, 0x03, 0xA0, 0x0C], [0x34, 0x03, 0x00, 0xFE],
    ],
    cfg0: [0x04, 0x00, 0x00, 0xFF])

  static let ntag215 = Type2Model(
    name: "NTAG215", pageCount: 135, version: [0x00, 0x04, 0x04, 0x02, 0x01, 0x00, 0x11, 0x03],
    dynamicLocks: DynamicLocks(page: 130, lockSpan: 16, blockSpan: 32),
    configuration: 131, counters: .reading,
    content: [[0xE1, 0x10, 0x3E, 0x00], [0x03, 0x00, 0xFE, 0x00]],
    cfg0: [0x04, 0x00, 0x00, 0xFF])

  static let ntag216 = Type2Model(
    name: "NTAG216", pageCount: 231, version: [0x00, 0x04, 0x04, 0x02, 0x01, 0x00, 0x13, 0x03],
    dynamicLocks: DynamicLocks(page: 226, lockSpan: 16, blockSpan: 32),
    configuration: 227, counters: .reading,
    content: [[0xE1, 0x10, 0x6D, 0x00], [0x03, 0x00, 0xFE, 0x00]],
    cfg0: [0x04, 0x00, 0x00, 0xFF])

  static let ultralight = Type2Model(
    name: "Ultralight", pageCount: 16, version: [], dynamicLocks: nil, configuration: nil,
    counters: .none, content: [], cfg0: [])

  /// MF0UL11.
  static let ultralightEV1Small = Type2Model(
    name: "UltralightEV1-48", pageCount: 20,
    version: [0x00, 0x04, 0x03, 0x01, 0x01, 0x00, 0x0B, 0x03], dynamicLocks: nil,
    configuration: 16, counters: .three, content: [], cfg0: [0x00, 0x00, 0x00, 0xFF])

  /// MF0UL21.
  static let ultralightEV1Large = Type2Model(
    name: "UltralightEV1-128", pageCount: 41,
    version: [0x00, 0x04, 0x03, 0x01, 0x01, 0x00, 0x0E, 0x03],
    dynamicLocks: DynamicLocks(page: 36, lockSpan: 2, blockSpan: 4),
    configuration: 37, counters: .three, content: [], cfg0: [0x00, 0x00, 0x00, 0xFF])

  /// The memory as the factory delivers it with this seven-byte UID.
  func factoryPages(uid: [UInt8]) -> [UInt8] {
    var pages = [UInt8](repeating: 0, count: pageCount * 4)
    let first = uid[..<3] + [0x88 ^ uid[0] ^ uid[1] ^ uid[2]]
    pages.replaceSubrange(0..<10, with: first + uid[3...] + [uid[3...].reduce(0, ^), 0x48])
    func set(_ page: Int, _ bytes: [UInt8]) {
      pages.replaceSubrange(page * 4..<page * 4 + 4, with: bytes)
    }
    for (index, page) in content.enumerated() { set(3 + index, page) }
    if let dynamicLocks { set(dynamicLocks.page, [0x00, 0x00, 0x00, 0xBD]) }
    if let configuration {
      set(configuration, cfg0)
      set(configuration + 1, [0x00, 0x05, 0x00, 0x00])
      set(configuration + 2, [0xFF, 0xFF, 0xFF, 0xFF])
    }
    return pages
  }

  /// Images number the counters as the commands do, so that the only one of NTAG21x is the third.
  var counterCount: Int {
    switch counters {
    case .none: 0
    case .reading, .three: 3
    }
  }

  /// The image of a new chip.
  func factoryImage(uid: [UInt8]) -> ChipImage {
    ChipImage(
      chip: name, uid: uid, atqa: 0x0044, sak: 0x00, pages: factoryPages(uid: uid),
      version: version, signature: version.isEmpty ? [] : [UInt8](repeating: 0, count: 32),
      counters: [UInt32](repeating: 0, count: counterCount),
      tearing: [UInt8](repeating: 0xBD, count: counterCount))
  }
}
