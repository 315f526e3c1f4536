// InDataExchange and InCommunicateThru.
extension PN532 {
  /// The most data bytes that one frame carries.
  static let longestData = 262

  mutating func exchangeData(_ parameters: [UInt8]) -> Reply {
    field.commanded()
    guard let first = parameters.first else { return .syntaxError }
    let number = first & 0x3F
    guard let target = targets[number] else { return .payload([ChipStatus.wrongContext]) }
    let data = Array(parameters.dropFirst())
    if first & 0x40 != 0 {
      chained += data
      return .payload([ChipStatus.good])
    }
    if data.isEmpty && chained.isEmpty && !restOfAnswer.isEmpty { return pieceOfAnswer() }
    let command = chained + data
    chained = []
    restOfAnswer = []
    guard makeActive(number) else { return silence() }
    switch field.withChip(target.tag, { $0.exchange(command) }) {
    case .answer(let status, let data, let time):
      spend(time)
      if status != ChipStatus.good { return .payload([status]) }
      restOfAnswer = data
      return pieceOfAnswer()
    case .malformed: return .syntaxError
    case .silence, nil: return silence(attempts: Int(settings.exchangeRetries) + 1)
    }
  }

  /// As much of an answer as fits, with the status that says whether more follows.
  private mutating func pieceOfAnswer() -> Reply {
    let piece = Array(restOfAnswer.prefix(Self.longestData))
    restOfAnswer.removeFirst(piece.count)
    return .payload([restOfAnswer.isEmpty ? ChipStatus.good : ChipStatus.more] + piece)
  }

  mutating func communicateThrough(_ parameters: [UInt8]) -> Reply {
    field.commanded()
    guard !parameters.isEmpty, !registers.hasParityOff else { return silence() }
    let technology = registers.technology
    let check = registers.sendsCRC ? technology.crc(of: parameters) : []
    let frame = AirFrame(
      technology: technology, bytes: parameters + check, lastBits: registers.sentBits,
      rate: registers.rate)
    let answers = field.forEachChip { $0.receive(frame) }.compactMap(\.self)
    guard let answer = answers.first else { return silence(after: frame) }
    spend(AirTime.exchange(frame, answer))
    if answers.contains(where: { $0.frame != answer.frame }) {
      return .payload([ChipStatus.collision])
    }
    registers.setReceivedBits(answer.frame.lastBits)
    var data = answer.frame.bytes
    if registers.checksCRC {
      guard let stripped = technology.strip(data) else { return .payload([ChipStatus.crcError]) }
      data = stripped
    }
    guard data.count <= Self.longestData else { return .payload([ChipStatus.bufferTooSmall]) }
    return .payload([ChipStatus.good] + data)
  }

  /// Nothing came back within the time limit.
  private mutating func silence(after frame: AirFrame? = nil, attempts: Int = 1) -> Reply {
    spend((settings.silence + (frame.map(AirTime.sent) ?? .zero)) * attempts)
    return .payload([ChipStatus.timeout])
  }
}
