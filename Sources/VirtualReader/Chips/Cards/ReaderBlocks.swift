/// The firmware's side of the block protocol for one activated card (ISO/IEC 14443-4 section 7.5).
struct ReaderBlocks: Sendable {
  /// The code of the longest frame that the firmware takes, 64 bytes.
  static let frameCode: UInt8 = 5
  /// The identifier that the firmware gives to cards of type B.
  static let typeBIdentifier: UInt8 = 1

  private let cardFrame: Int
  private let cid: UInt8
  private var number: UInt8 = 0

  init(cardFrame: Int, cid: UInt8) {
    self.cardFrame = cardFrame
    self.cid = cid
  }

  /// Sends a command in blocks by `exchange` and gathers the answer; `nil` if the card fell silent or
  /// answered against the protocol.
  mutating func run(
    _ command: [UInt8], _ exchange: ([UInt8]) -> [UInt8]?
  ) -> [UInt8]? {
    let space = cardFrame - 3 - (cid == 0 ? 0 : 1)
    var position = 0
    while command.count - position > space {
      let piece = Array(command[position..<position + space])
      guard let block = exchange(prologue(0x12 | number) + piece), let control = block.first,
        control & 0xF7 == 0xA2 | number
      else { return nil }
      number ^= 1
      position += space
    }
    var block = exchange(prologue(0x02 | number) + command[position...])
    var answer: [UInt8] = []
    while let received = block, let control = received.first, control & 0xE7 == 0x02 | number {
      number ^= 1
      answer += received.dropFirst(control & 0x08 == 0 ? 1 : 2)
      if control & 0x10 == 0 { return answer }
      block = exchange(prologue(0xA2 | number))
    }
    return nil
  }

  private func prologue(_ control: UInt8) -> [UInt8] {
    cid == 0 ? [control] : [control | 0x08, cid]
  }
}
