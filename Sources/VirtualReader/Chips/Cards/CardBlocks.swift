/// A card's side of the block protocol (ISO/IEC 14443-4 section 7.5).
struct CardBlocks: Sendable {
  /// What becomes of a block.
  enum Outcome: Equatable {
    case silence
    case block([UInt8])
    /// A whole command, which `answer` is to be called for.
    case command([UInt8])
    /// The block is the card's farewell.
    case deselected([UInt8])
  }

  /// The longest frame that the reader takes, CRC included.
  let readerFrame: Int
  /// The longest frame that the card takes, CRC included.
  let cardFrame: Int
  /// 0 if the card is spoken to without.
  let cid: UInt8

  private var number: UInt8 = 1
  private var hasCID = false
  private var command: [UInt8] = []
  /// What is left of the answer.
  private var rest: [UInt8] = []
  private var last: [UInt8] = []

  init(readerFrame: Int, cardFrame: Int, cid: UInt8) {
    self.readerFrame = readerFrame
    self.cardFrame = cardFrame
    self.cid = cid
  }

  /// Frame sizes by their codes FSDI and FSCI.
  static func frameSize(code: UInt8) -> Int {
    let sizes = [16, 24, 32, 40, 48, 64, 96, 128, 256]
    return sizes[min(Int(code), sizes.count - 1)]
  }

  /// Takes a block without its CRC.
  mutating func receive(_ block: [UInt8]) -> Outcome {
    guard let control = block.first, block.count + 2 <= cardFrame else { return .silence }
    let namesCard = control & 0x08 != 0
    if namesCard {
      guard block.count > 1, block[1] & 0x0F == cid else { return .silence }
    } else if cid != 0 {
      return .silence
    }
    hasCID = namesCard
    let data = Array(block.dropFirst(namesCard ? 2 : 1))
    switch control {
    case _ where control & 0xE6 == 0x02: return takeData(data, isChained: control & 0x10 != 0)
    case _ where control & 0xE6 == 0xA2 && data.isEmpty:
      return takeReceipt(number: control & 0x01, isRefusal: control & 0x10 != 0)
    case _ where control & 0xF7 == 0xC2 && data.isEmpty: return .deselected(prologue(0xC2))
    default: return .silence
    }
  }

  /// The first block of the answer to a command.
  mutating func answer(_ bytes: [UInt8]) -> [UInt8] {
    rest = bytes
    return nextPiece()
  }

  /// Rule D: an I-block turns the card's block number.
  private mutating func takeData(_ data: [UInt8], isChained: Bool) -> Outcome {
    number ^= 1
    rest = []
    command += data
    if isChained { return .block(send(prologue(0xA2 | number))) }
    defer { command = [] }
    return .command(command)
  }

  /// Rules 11 to 13 and E for R(ACK) and R(NAK).
  private mutating func takeReceipt(number other: UInt8, isRefusal: Bool) -> Outcome {
    if other == number { return last.isEmpty ? .silence : .block(last) }
    if isRefusal { return .block(send(prologue(0xA2 | number))) }
    guard !rest.isEmpty else { return .silence }
    number ^= 1
    return .block(nextPiece())
  }

  private mutating func nextPiece() -> [UInt8] {
    let space = readerFrame - 3 - (hasCID ? 1 : 0)
    let piece = Array(rest.prefix(space))
    rest.removeFirst(piece.count)
    return send(prologue(0x02 | (rest.isEmpty ? 0x00 : 0x10) | number) + piece)
  }

  private mutating func send(_ block: [UInt8]) -> [UInt8] {
    last = block
    return block
  }

  private func prologue(_ control: UInt8) -> [UInt8] {
    hasCID ? [control | 0x08, cid] : [control]
  }
}
