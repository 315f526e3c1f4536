/// The blocks of a FeliCa Lite-S with their rules (FeliCa Lite-S User's Manual).
///
/// No MAC is computed: what needs one is refused as before RC was ever written.
struct LiteMemory: Sendable {
  /// Block numbers in the order in which images keep them.
  static let numbers = Array(0x00...0x0E) + Array(0x80...0x88) + [0x90, 0x91, 0x92, 0xA0]

  /// Block numbers by name.
  enum Number {
    static let register = 0x0E
    static let randomChallenge = 0x80
    static let mac = 0x81
    static let identifier = 0x82
    static let deviceIdentifier = 0x83
    static let serviceCode = 0x84
    static let systemCode = 0x85
    static let keyVersion = 0x86
    static let key = 0x87
    static let memoryConfiguration = 0x88
    static let writeCount = 0x90
    static let macA = 0x91
  }

  /// Second status flags.
  private enum Flag {
    static let serviceOrder: UInt8 = 0xA3
    static let accessMode: UInt8 = 0xA7
    static let blockNumber: UInt8 = 0xA8
    static let needsAuthentication: UInt8 = 0xB1
    static let needsMAC: UInt8 = 0xB2
  }

  private static let readWrite: UInt16 = 0x0009
  private static let readOnly: UInt16 = 0x000B

  private(set) var blocks: [[UInt8]]
  private(set) var revision = 0

  /// `nil` unless there are 28 blocks of 16 bytes.
  init?(_ blocks: [[UInt8]]) {
    guard blocks.count == Self.numbers.count, blocks.allSatisfy({ $0.count == 16 }) else {
      return nil
    }
    self.blocks = blocks
  }

  /// The systems that Polling finds: its own, and NDEF's if SYS_OP says so.
  var systemCodes: [UInt16] { configuration[3] & 0x01 != 0 ? [0x88B4, 0x12FC] : [0x88B4] }

  private var configuration: [UInt8] { self[Number.memoryConfiguration] }

  private subscript(number: Int) -> [UInt8] {
    get { Self.index(number).map { blocks[$0] } ?? [] }
    set {
      guard let index = Self.index(number), blocks[index] != newValue else { return }
      blocks[index] = newValue
      revision += 1
    }
  }

  private static func index(_ number: Int) -> Int? { numbers.firstIndex(of: number) }

  /// Bit `number` of a little-endian pair of configuration bytes.
  private func configures(_ byte: Int, _ number: Int) -> Bool {
    configuration[byte + number / 8] & 1 << UInt8(number % 8) != 0
  }

  // MARK: Reading

  func read(_ request: FeliCaRequest) throws(FeliCaFault) -> [[UInt8]] {
    guard request.services.count == 1 else { throw .serviceCount }
    guard (1...4).contains(request.elements.count) else { throw .blockCount }
    guard [Self.readWrite, Self.readOnly].contains(request.services[0]) else { throw .service }
    var found: [[UInt8]] = []
    for (index, element) in request.elements.enumerated() {
      try check(element, at: index)
      let number = element.number
      if number == Number.mac || number == Number.macA { throw .element(index, Flag.needsMAC) }
      if number <= Number.register {
        if !configures(0, number) && request.services[0] == Self.readWrite {
          throw .element(index, Flag.blockNumber)
        }
        if configures(6, number) { throw .element(index, Flag.needsAuthentication) }
      }
      let isSecret = number == Number.key || number == Number.randomChallenge
      found.append(isSecret ? [UInt8](repeating: 0, count: 16) : self[number])
    }
    return found
  }

  private func check(_ element: FeliCaRequest.Element, at index: Int) throws(FeliCaFault) {
    guard element.service == 0 else { throw .element(index, Flag.serviceOrder) }
    guard element.accessMode == 0 else { throw .element(index, Flag.accessMode) }
    guard Self.index(element.number) != nil else { throw .element(index, Flag.blockNumber) }
  }

  // MARK: Writing

  mutating func write(_ request: FeliCaRequest) throws(FeliCaFault) {
    guard request.services.count == 1 else { throw .serviceCount }
    guard (1...2).contains(request.elements.count) else { throw .blockCount }
    guard request.services[0] == Self.readWrite else { throw .service }
    for (index, element) in request.elements.enumerated() { try check(element, at: index) }
    // Two blocks are one with its MAC_A.
    guard request.elements.count == 1 else { throw .element(1, Flag.needsMAC) }
    try write(request.data[0], to: request.elements[0].number)
  }

  private mutating func write(_ data: [UInt8], to number: Int) throws(FeliCaFault) {
    let isOpen = configuration[2] == 0xFF
    switch number {
    case ...Number.register:
      guard configures(0, number), !configures(10, number) else {
        throw .element(0, Flag.blockNumber)
      }
      if configures(8, number) { throw .element(0, Flag.needsAuthentication) }
      if number == Number.register {
        // REGA and REGB only ever fall.
        guard Self.value(data[0..<4]) <= Self.value(self[number][0..<4]),
          Self.value(data[4..<8]) <= Self.value(self[number][4..<8])
        else { throw .element(0, Flag.blockNumber) }
      }
      self[number] = data
    case Number.randomChallenge: return
    case Number.identifier where isOpen: self[number] = Array(self[number][..<8] + data[8...])
    case Number.serviceCode where isOpen, Number.keyVersion where isOpen, Number.key where isOpen:
      self[number] = data
    case Number.memoryConfiguration: try configure(data)
    default: throw .element(0, Flag.blockNumber)
    }
    count()
  }

  /// MC: access only ever gets narrower, and not at all where its own bit is gone.
  private mutating func configure(_ data: [UInt8]) throws(FeliCaFault) {
    let isFree = configures(0, 15)
    let isOpen = configuration[2] == 0xFF
    guard isFree || isOpen else { throw .element(0, Flag.blockNumber) }
    var new = configuration
    for index in 0..<13 {
      switch index {
      case 0, 1: if isFree { new[index] &= data[index] }
      case 2...5: if isOpen { new[index] = data[index] }
      default: if isFree { new[index] |= data[index] }
      }
    }
    self[Number.memoryConfiguration] = new
  }

  /// WCNT counts writes in three bytes.
  private mutating func count() {
    let old = self[Number.writeCount]
    let most = configuration[2] == 0xFF ? 0xFF_FFFF : 0xFF_FE00
    let value = min(Self.value(old[..<3]) + 1, most)
    self[Number.writeCount] =
      (0..<3).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) } + old[3...]
  }

  private static func value(_ bytes: some BidirectionalCollection<UInt8>) -> Int {
    bytes.reversed().reduce(0) { $0 << 8 | Int($1) }
  }

  /// Puts `data` into a block past all rules, as an interrupted write may.
  mutating func overwrite(_ number: Int, with data: [UInt8]) { self[number] = data }
}

extension LiteMemory {
  /// The blocks of a new Lite-S with NDEF format and an empty message.
  static func newBlocks(idm: [UInt8], pmm: [UInt8]) -> [[UInt8]] {
    var blocks = numbers.map { _ in [UInt8](repeating: 0, count: 16) }
    func set(_ number: Int, _ bytes: [UInt8]) {
      if let index = index(number) { blocks[index].replaceSubrange(0..<bytes.count, with: bytes) }
    }
    // NDEF 1.0, four blocks a Check, one an Update, 13 blocks, writable; the checksum is last.
    set(0, [0x10, 0x04, 0x01, 0x00, 0x0D, 0x00, 0x00, 0x00, 0x00, 0x00, 0x01])
    set(0, blocks[0][..<14] + [0x00, 0x23])
    set(Number.register, [UInt8](repeating: 0xFF, count: 8))
    set(Number.identifier, idm)
    set(Number.deviceIdentifier, idm + pmm)
    set(Number.systemCode, [0x88, 0xB4])
    set(Number.memoryConfiguration, [0xFF, 0xFF, 0xFF, 0x01, 0x07])
    return blocks
  }
}
