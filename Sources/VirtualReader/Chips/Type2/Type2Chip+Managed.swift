// What the firmware does for type 2 chips in InDataExchange: CRC both ways, the four-bit answers, both
// halves of a COMPATIBILITY_WRITE, and authentication for the code 60, which it takes for MIFARE Classic.
extension Type2Chip {
  mutating func exchange(_ command: [UInt8]) -> ManagedAnswer {
    guard let code = command.first else { return .malformed }
    switch code {
    case 0x60, 0x61:
      guard command.count == 12 else { return .malformed }
      let answer = send(Array(command[..<2]))
      if case .answer(_, _, let time) = answer {
        return .answer(status: ChipStatus.authenticationFailed, time: time)
      }
      return answer
    case 0xA0:
      guard command.count == 18 else { return .malformed }
      let half = send(Array(command[..<2]))
      guard case .answer(ChipStatus.good, _, let first) = half else { return half }
      guard case .answer(let status, let data, let second) = send(Array(command[2...])) else {
        return .silence
      }
      return .answer(status: status, data: data, time: first + second)
    default: return send(command)
    }
  }

  private mutating func send(_ content: [UInt8]) -> ManagedAnswer {
    let frame = AirFrame.typeA(content)
    guard let answer = receive(frame) else { return .silence }
    let time = AirTime.exchange(frame, answer)
    if answer.frame.isNibble {
      let isGood = answer.frame.bytes == [0xA]
      return .answer(status: isGood ? ChipStatus.good : ChipStatus.refused, time: time)
    }
    guard let data = CRCA.strip(answer.frame.bytes) else {
      return .answer(status: ChipStatus.crcError, time: time)
    }
    guard data.count <= PN532.longestData else {
      return .answer(status: ChipStatus.bufferTooSmall, time: time)
    }
    return .answer(status: ChipStatus.good, data: data, time: time)
  }
}
