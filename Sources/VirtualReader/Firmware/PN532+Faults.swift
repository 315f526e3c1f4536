// What the chip makes of tags that do not hear it, or that it does not hear.
extension PN532 {
  /// Nothing comes back: no answer to an exchange, nothing found by a listing; other commands go on.
  ///
  /// `reply` is that of a command whose work was done.
  mutating func missed(_ point: FaultPoint, else reply: Reply? = nil) -> Reply {
    switch point.code {
    case 0x40, 0x42:
      if reply == nil {
        field.commanded()
        spend(settings.silence)
      }
      return .payload([ChipStatus.timeout])
    case 0x4A, 0x60:
      if reply == nil { turnField(on: true) }
      forgetTargets()
      return .payload([0x00])
    default: return reply ?? perform(point.code, point.parameters)
    }
  }

  /// The tag gets the command with a wrong CRC: it refuses, or says nothing.
  mutating func refused(_ point: FaultPoint) -> Reply {
    field.commanded()
    let target = point.code == 0x40 ? point.parameters.first.map { $0 & 0x3F } : active
    guard let known = target.flatMap({ targets[$0] }) else {
      return .payload([ChipStatus.wrongContext])
    }
    var frame = AirFrame.typeA(point.tagBytes)
    frame.bytes[frame.bytes.count - 1] ^= 0xFF
    let answer = field.withChip(known.tag) { $0.receive(frame) } ?? nil
    guard let answer else {
      spend(settings.silence)
      return .payload([ChipStatus.timeout])
    }
    spend(AirTime.exchange(frame, answer))
    if point.code == 0x40 { return .payload([ChipStatus.refused]) }
    // Four bits where a CRC is wanted are a wrong CRC.
    if registers.checksCRC { return .payload([ChipStatus.crcError]) }
    registers.setReceivedBits(answer.frame.lastBits)
    return .payload([ChipStatus.good] + answer.frame.bytes)
  }
}
