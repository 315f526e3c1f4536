// Commands on targets that the host knows by number; number 0 stands for all.
extension PN532 {
  mutating func deselect(_ parameters: [UInt8]) -> Reply {
    field.commanded()
    return onTargets(parameters) { reader, number in
      guard number == reader.active else { return }
      reader.spend(AirTime.sent(.typeA([0x50, 0x00])) + AirTime.delayToReader)
      reader.active = nil
    }
  }

  mutating func release(_ parameters: [UInt8]) -> Reply {
    onTargets(parameters) { reader, number in
      reader.targets[number] = nil
      if reader.active == number { reader.active = nil }
    }
  }

  private mutating func onTargets(
    _ parameters: [UInt8], _ then: (inout PN532, UInt8) -> Void
  ) -> Reply {
    guard parameters.count == 1 else { return .syntaxError }
    let number = parameters[0]
    if number != 0 && targets[number] == nil { return .payload([ChipStatus.wrongContext]) }
    for (key, target) in targets where number == 0 || key == number {
      if key == active { _ = field.withChip(target.tag) { $0.deselect() } }
      then(&self, key)
    }
    return .payload([ChipStatus.good])
  }

  mutating func select(_ parameters: [UInt8]) -> Reply {
    field.commanded()
    guard parameters.count == 1 else { return .syntaxError }
    guard targets[parameters[0]] != nil else { return .payload([ChipStatus.wrongContext]) }
    return .payload([makeActive(parameters[0]) ? ChipStatus.good : ChipStatus.timeout])
  }

  /// InPSL: a speed is accepted from chips that have the block protocol, which sets it.
  mutating func switchSpeed(_ parameters: [UInt8]) -> Reply {
    field.commanded()
    guard parameters.count == 3, let received = BitRate(rawValue: parameters[1]),
      let sent = BitRate(rawValue: parameters[2])
    else { return .syntaxError }
    guard let target = targets[parameters[0]] else { return .payload([ChipStatus.wrongContext]) }
    if makeActive(parameters[0]),
      field.withChip(target.tag, { $0.switchSpeed(to: sent) }) == true
    {
      registers.setSpeed(sent: sent, received: received)
    }
    return .payload([ChipStatus.good])
  }

  /// Makes a known target the one that answers: the one before it is put to sleep, this one woken by its UID.
  mutating func makeActive(_ number: UInt8) -> Bool {
    guard let target = targets[number] else { return false }
    if active == number { return true }
    if let other = active.flatMap({ targets[$0] }) {
      _ = field.withChip(other.tag) { $0.deselect() }
    }
    active = nil
    guard let activation = field.withChip(target.tag, { $0.activate(target.listing) }) else {
      return false
    }
    spend(activation.time)
    active = number
    return true
  }
}
