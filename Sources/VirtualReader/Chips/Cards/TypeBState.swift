/// The states of a type B card before its block protocol (ISO/IEC 14443-3 section 7).
struct TypeBState: Sendable {
  enum State: Sendable, Equatable {
    case idle
    /// Has answered a request.
    case ready
    case active
    case halt
  }

  /// What becomes of a frame.
  enum Outcome: Equatable {
    case silent
    case answer([UInt8])
    /// ATTRIB has chosen the card: the code of the reader's frame size, and the card's identifier.
    case chosen(frameCode: UInt8, cid: UInt8)
  }

  /// PUPI.
  let identifier: [UInt8]
  let applicationData: [UInt8]
  let protocolInfo: [UInt8]
  private(set) var state = State.idle

  /// The answer to a request.
  var atqb: [UInt8] { [0x50] + identifier + applicationData + protocolInfo }

  /// Whether blocks may carry an identifier of the card.
  var takesIdentifier: Bool { protocolInfo.last.map { $0 & 0x01 != 0 } ?? false }

  init(identifier: [UInt8], applicationData: [UInt8], protocolInfo: [UInt8]) {
    self.identifier = identifier
    self.applicationData = applicationData
    self.protocolInfo = protocolInfo
  }

  /// Whether the card is of the application family that a request asks for.
  ///
  /// The family is the first byte of application data that follows the standard's coding.
  func isOf(family: UInt8) -> Bool {
    guard family != 0 else { return true }
    let isCoded = protocolInfo.last.map { $0 & 0x0C == 0x04 } ?? false
    guard isCoded, let own = applicationData.first else { return false }
    if family & 0x0F == 0 { return own & 0xF0 == family }
    return own == family || (family & 0xF0 == 0 && own & 0x0F == family)
  }

  mutating func receive(_ content: [UInt8]) -> Outcome {
    switch content.first {
    case 0x05 where content.count == 3:
      guard state != .active, isOf(family: content[1]),
        state != .halt || content[2] & 0x08 != 0
      else { return .silent }
      state = .ready
      return .answer(atqb)
    case 0x50 where content.count == 5 && Array(content[1...]) == identifier && state == .ready:
      state = .halt
      return .answer([0x00])
    case 0x1D where content.count >= 9 && Array(content[1..<5]) == identifier && state == .ready:
      let cid = content[8] & 0x0F
      guard takesIdentifier || cid == 0 else { return .silent }
      state = .active
      return .chosen(frameCode: content[6] & 0x0F, cid: cid)
    default: return .silent
    }
  }

  mutating func halt() { state = .halt }

  mutating func powerOff() { state = .idle }
}
