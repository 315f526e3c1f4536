extension PN532 {
  /// Carries out a command after its ACK.
  mutating func perform(_ code: UInt8, _ parameters: [UInt8]) -> Reply {
    switch code {
    case 0x00: diagnose(parameters)
    case 0x02: .payload([0x32, 0x01, 0x06, 0x07])
    case 0x04: .payload(generalStatus)
    case 0x06: readRegisters(parameters)
    case 0x08: writeRegisters(parameters)
    case 0x0C: .payload([0xFF, 0xFF, 0x00])
    case 0x0E: parameters.count == 2 ? .payload([]) : .syntaxError
    case 0x10: setBaudRate(parameters)
    case 0x12: setParameters(parameters)
    case 0x14: (1...4).contains(parameters.first ?? 0) ? .payload([]) : .syntaxError
    case 0x16: powerDown(parameters)
    case 0x32: configure(parameters)
    case 0x40: exchangeData(parameters)
    case 0x42: communicateThrough(parameters)
    case 0x44: deselect(parameters)
    case 0x46, 0x56: .payload([ChipStatus.timeout])
    case 0x4A: listPassiveTarget(parameters)
    case 0x4E: switchSpeed(parameters)
    case 0x50: .payload([ChipStatus.wrongContext])
    case 0x52: release(parameters)
    case 0x54: select(parameters)
    case 0x60: autoPoll(parameters)
    default: .syntaxError
    }
  }

  /// Whether a command touches a tag or the field.
  func touchesTag(_ code: UInt8, _ parameters: [UInt8]) -> Bool {
    switch code {
    case 0x40, 0x42, 0x44, 0x46, 0x4A, 0x4E, 0x50, 0x52, 0x54, 0x56, 0x60: true
    case 0x32: parameters.first == 0x01
    default: false
    }
  }

  private func diagnose(_ parameters: [UInt8]) -> Reply {
    switch parameters.first {
    case 0x00: return .payload(parameters)
    case 0x01, 0x02: return .payload([0x00])
    case 0x06:
      let isThere = active.flatMap { targets[$0] }.map { target in
        field.isOn && field.tags.contains { $0.id == target.tag }
      }
      return .payload([isThere == true ? ChipStatus.good : ChipStatus.timeout])
    default: return .syntaxError
    }
  }

  private var generalStatus: [UInt8] {
    var status: [UInt8] = [0x00, field.isOn ? 0x01 : 0x00, UInt8(targets.count)]
    for number in targets.keys.sorted() {
      let mode = targets[number]?.listing.mode ?? 0
      let speed = mode >> 4 & 0x07
      status += [number, speed, speed, mode & 0x03 == 0x02 ? 0x10 : 0x00]
    }
    return status + [0x80]
  }

  private func readRegisters(_ parameters: [UInt8]) -> Reply {
    guard !parameters.isEmpty, parameters.count % 2 == 0 else { return .syntaxError }
    return .payload(
      stride(from: 0, to: parameters.count, by: 2).map {
        registers[UInt16(parameters[$0]) << 8 | UInt16(parameters[$0 + 1])]
      })
  }

  private mutating func writeRegisters(_ parameters: [UInt8]) -> Reply {
    guard !parameters.isEmpty, parameters.count % 3 == 0 else { return .syntaxError }
    for start in stride(from: 0, to: parameters.count, by: 3) {
      let address = UInt16(parameters[start]) << 8 | UInt16(parameters[start + 1])
      registers[address] = parameters[start + 2]
    }
    return .payload([])
  }

  private mutating func setBaudRate(_ parameters: [UInt8]) -> Reply {
    guard parameters.count == 1, Int(parameters[0]) < BaudRate.codes.count else {
      return .syntaxError
    }
    switchBaudOnAcknowledge(to: BaudRate.codes[Int(parameters[0])])
    return .payload([])
  }

  private mutating func setParameters(_ parameters: [UInt8]) -> Reply {
    guard parameters.count == 1 else { return .syntaxError }
    settings.flags = parameters[0]
    return .payload([])
  }

  private mutating func powerDown(_ parameters: [UInt8]) -> Reply {
    guard (1...2).contains(parameters.count) else { return .syntaxError }
    turnField(on: false)
    return .payload([ChipStatus.good])
  }

  /// RFConfiguration.
  private mutating func configure(_ parameters: [UInt8]) -> Reply {
    guard let item = parameters.first else { return .syntaxError }
    let values = Array(parameters.dropFirst())
    switch (item, values.count) {
    case (0x01, 1): turnField(on: values[0] & 0x01 != 0)
    case (0x02, 3): settings.exchangeTimeout = values[2]
    case (0x04, 1): settings.exchangeRetries = values[0]
    case (0x05, 3): settings.activationRetries = values[2]
    case (0x0A, 11), (0x0B, 8), (0x0C, 3), (0x0D, 9): break
    default: return .syntaxError
    }
    return .payload([])
  }

  /// Without field, no tag stays selected.
  mutating func turnField(on: Bool) {
    field.turn(on: on)
    registers.setField(on: on)
    if !on { forgetTargets() }
  }
}
