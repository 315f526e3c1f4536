/// A virtual card with ISO/IEC 14443-4: type A or B, its blocks, and what it makes of commands.
struct CardChip: VirtualChip {
  private enum Air {
    case typeA(TypeAState)
    case typeB(TypeBState)
  }

  private let name: String
  private let uid: [UInt8]
  private let interface: CardContent.Interface
  private let version: [UInt8]
  private var air: Air
  private var kernel: any CardKernel
  /// Set while the card is in its block protocol.
  private var blocks: CardBlocks?
  private var reader = ReaderBlocks(cardFrame: 64, cid: 0)
  private var rate = BitRate.kilobits106

  /// A card that holds `image`; `nil` if the image fits no model.
  init?(_ image: ChipImage) {
    guard let model = CardModel.named(image.chip), let card = image.card,
      let kernel = model.kernel(card, version: image.version)
    else { return nil }
    switch card.interface {
    case .typeA(let ats):
      guard [4, 7, 10].contains(image.uid.count), let length = ats.first,
        Int(length) == ats.count, ats.count <= 20
      else { return nil }
      air = .typeA(TypeAState(uid: image.uid, atqa: image.atqa, sak: image.sak))
    case .typeB(let applicationData, let protocolInfo):
      guard image.uid.count == 4, applicationData.count == 4, protocolInfo.count == 3 else {
        return nil
      }
      air = .typeB(
        TypeBState(
          identifier: image.uid, applicationData: applicationData, protocolInfo: protocolInfo))
    }
    name = image.chip
    uid = image.uid
    interface = card.interface
    version = image.version
    self.kernel = kernel
  }

  var image: ChipImage {
    var image = ChipImage(
      chip: name, uid: uid, version: version,
      card: CardContent(interface: interface, applications: kernel.applications))
    if case .typeA(let state) = air { (image.atqa, image.sak) = (state.atqa, state.sak) }
    return image
  }

  var revision: Int { kernel.revision }

  private var technology: AirFrame.Technology {
    switch air {
    case .typeA: .typeA
    case .typeB: .typeB
    }
  }

  // MARK: Listings

  func speaks(_ listing: Listing) -> Bool {
    switch (air, listing) {
    case (.typeA(let state), .typeA(let wanted, let isoDEP, _)):
      isoDEP != false && (wanted == nil || wanted == state.uid)
    case (.typeB(let state), .typeB(let family)): state.isOf(family: family)
    default: false
    }
  }

  /// A card in its block protocol takes a request for a damaged block and does not answer.
  func hears(_ listing: Listing) -> Bool {
    guard speaks(listing), blocks == nil else { return false }
    return switch (air, listing) {
    case (.typeA(let state), .typeA(let wanted, _, _)): state.hears(waking: wanted != nil)
    case (.typeB(let state), _): state.state != .halt
    default: false
    }
  }

  var precedence: [UInt8] {
    switch air {
    case .typeA(let state): state.precedence
    case .typeB: uid
    }
  }

  mutating func activate(_ listing: Listing) -> Activation {
    switch (air, listing) {
    case (.typeA(var state), .typeA(_, _, let rats)):
      leaveProtocol()
      state.activate()
      air = .typeA(state)
      var activation = state.activation
      if rats, state.sak & 0x20 != 0,
        let (ats, time) = send([0xE0, ReaderBlocks.frameCode << 4])
      {
        activation.data += ats
        activation.time += time
        startReader(cid: 0)
      }
      return activation
    case (.typeB(var state), .typeB(let family)):
      leaveProtocol()
      state.powerOff()
      air = .typeB(state)
      return activateTypeB(state, family: family)
    default: return Activation(data: [], time: .zero)
    }
  }

  private mutating func activateTypeB(_ state: TypeBState, family: UInt8) -> Activation {
    let cid = state.takesIdentifier ? ReaderBlocks.typeBIdentifier : 0
    let choice = [0x1D] + uid + [0x00, ReaderBlocks.frameCode, 0x01, cid]
    guard let (atqb, first) = send([0x05, family, 0x00]), let (answer, second) = send(choice)
    else { return Activation(data: [], time: .zero) }
    startReader(cid: cid)
    return Activation(data: atqb + [UInt8(answer.count)] + answer, time: first + second)
  }

  private mutating func startReader(cid: UInt8) {
    reader = ReaderBlocks(cardFrame: cardFrame, cid: cid)
  }

  /// FSC, from the format byte of the ATS or from the protocol info of the ATQB.
  private var cardFrame: Int {
    switch interface {
    case .typeA(let ats): CardBlocks.frameSize(code: ats.count > 1 ? ats[1] & 0x0F : 2)
    case .typeB(_, let protocolInfo): CardBlocks.frameSize(code: protocolInfo[1] >> 4)
    }
  }

  mutating func overhear(_ listing: Listing) {
    guard case .typeA(var state) = air, case .typeA = listing, blocks == nil,
      state.state != .idle, state.state != .halt
    else { return }
    state.fallBack()
    air = .typeA(state)
  }

  mutating func deselect() {
    leaveProtocol()
    halt()
  }

  mutating func powerOff() {
    leaveProtocol()
    switch air {
    case .typeA(var state):
      state.powerOff()
      air = .typeA(state)
    case .typeB(var state):
      state.powerOff()
      air = .typeB(state)
    }
  }

  private mutating func halt() {
    switch air {
    case .typeA(var state):
      state.halt()
      air = .typeA(state)
    case .typeB(var state):
      state.halt()
      air = .typeB(state)
    }
  }

  private mutating func leaveProtocol() {
    blocks = nil
    rate = .kilobits106
    kernel.reset()
  }

  mutating func switchSpeed(to rate: BitRate) -> Bool {
    guard blocks != nil else { return false }
    self.rate = rate
    return true
  }

  mutating func tear(_ command: [UInt8], leaving bytes: [UInt8]) {
    kernel.tear(command, leaving: bytes)
  }

  // MARK: Frames

  mutating func receive(_ frame: AirFrame) -> AirAnswer? {
    guard frame.technology == technology else { return nil }
    if blocks != nil { return receiveBlock(frame) }
    switch air {
    case .typeA(var state):
      let outcome = state.receive(frame)
      defer { air = .typeA(state) }
      switch outcome {
      case .answer(let answer): return AirAnswer(frame: answer)
      case .command(let command):
        guard command.count == 2, command[0] == 0xE0, case .typeA(let ats) = interface else {
          state.fallBack()
          return nil
        }
        enterProtocol(frameCode: command[1] >> 4, cid: command[1] & 0x0F)
        return AirAnswer(frame: .typeA(ats))
      case .damaged:
        state.fallBack()
        return nil
      case .silent: return nil
      }
    case .typeB(var state):
      guard let content = technology.strip(frame.bytes) else { return nil }
      let outcome = state.receive(content)
      air = .typeB(state)
      switch outcome {
      case .silent: return nil
      case .answer(let answer): return AirAnswer(frame: .checked(.typeB, answer))
      case .chosen(let frameCode, let cid):
        enterProtocol(frameCode: frameCode, cid: cid)
        return AirAnswer(frame: .checked(.typeB, [cid]))
      }
    }
  }

  private mutating func enterProtocol(frameCode: UInt8, cid: UInt8) {
    kernel.reset()
    blocks = CardBlocks(
      readerFrame: CardBlocks.frameSize(code: frameCode), cardFrame: cardFrame, cid: cid)
  }

  /// A frame that is damaged or no block is passed over.
  private mutating func receiveBlock(_ frame: AirFrame) -> AirAnswer? {
    guard frame.lastBits == 0, let block = technology.strip(frame.bytes),
      let outcome = blocks?.receive(block)
    else { return nil }
    switch outcome {
    case .silence: return nil
    case .block(let answer): return AirAnswer(frame: checked(answer))
    case .command(let command):
      let answer = kernel.run(command)
      guard let block = blocks?.answer(answer.bytes) else { return nil }
      return AirAnswer(frame: checked(block), programming: answer.programming)
    case .deselected(let farewell):
      let answer = AirAnswer(frame: checked(farewell))
      leaveProtocol()
      halt()
      return answer
    }
  }

  private func checked(_ content: [UInt8]) -> AirFrame {
    .checked(technology, content, at: rate)
  }

  /// Sends a frame with CRC to the card itself; what came back without CRC, and the time on the air.
  private mutating func send(_ content: [UInt8]) -> (content: [UInt8], time: Duration)? {
    let frame = checked(content)
    guard let answer = receive(frame), let content = technology.strip(answer.frame.bytes) else {
      return nil
    }
    return (content, AirTime.exchange(frame, answer))
  }

  /// Without block protocol the firmware sends what it is given as a frame.
  mutating func exchange(_ command: [UInt8]) -> ManagedAnswer {
    var time = Duration.zero
    guard blocks != nil else {
      guard let (answer, time) = send(command) else { return .silence }
      return .answer(status: ChipStatus.good, data: answer, time: time)
    }
    var firmware = reader
    let answer = firmware.run(command) { block in
      guard let (answer, spent) = send(block) else { return nil }
      time += spent
      return answer
    }
    reader = firmware
    guard let answer else { return .silence }
    return .answer(status: ChipStatus.good, data: answer, time: time)
  }
}
