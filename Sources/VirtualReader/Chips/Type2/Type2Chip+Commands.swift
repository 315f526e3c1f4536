extension Type2Chip {
  /// Carries out a command that came in the ACTIVE state, without its CRC.
  mutating func perform(_ command: [UInt8]) throws(Refusal) -> Reply {
    if let page = volatile.compatibilityPage {
      volatile.compatibilityPage = nil
      guard command.count == 16 else { throw .invalidArgument }
      return try write(Array(command[..<4]), to: page)
    }
    guard let code = command.first else { throw .invalidArgument }
    let parameters = Array(command.dropFirst())
    switch (code, parameters.count) {
    case (0x30, 1): return .data(try read(from: Int(parameters[0])))
    case (0xA2, 5): return try write(Array(parameters[1...]), to: Int(parameters[0]))
    case (0xA0, 1):
      try allowWriting(Int(parameters[0]))
      volatile.compatibilityPage = Int(parameters[0])
      return .acknowledge(programming: .zero)
    default:
      // The plain Ultralight does not answer codes that it does not know.
      if model.version.isEmpty { return .silence }
      return try performLater(code, parameters)
    }
  }

  /// The commands that came with EV1 and NTAG21x.
  private mutating func performLater(
    _ code: UInt8, _ parameters: [UInt8]
  ) throws(Refusal) -> Reply {
    switch (code, parameters.count) {
    case (0x60, 0): return .data(version)
    case (0x3A, 2): return .data(try fastRead(Int(parameters[0]), Int(parameters[1])))
    case (0x3C, 1) where parameters[0] == 0x00 && signature.count == 32: return .data(signature)
    case (0x1B, 4): return .data(try authenticate(parameters))
    case (0x39, 1): return .data(try readCounter(parameters[0]))
    case (0xA5, 5): return try increment(parameters[0], by: Array(parameters[1..<4]))
    case (0x3E, 1):
      guard case .three = model.counters, parameters[0] < 3 else { throw .invalidArgument }
      return .data([tearing[Int(parameters[0])]])
    case (0x4B, 20):
      guard case .three = model.counters else { throw .invalidArgument }
      return .data([memory.virtualCardType])
    default: throw .invalidArgument
    }
  }

  /// READ: four pages, rolling over from the last one that may be read to page 0.
  private mutating func read(from page: Int) throws(Refusal) -> [UInt8] {
    let end = readableEnd
    guard page < end else { throw .invalidArgument }
    countReading()
    return (0..<4).flatMap { memory.shown((page + $0) % end) }
  }

  private mutating func fastRead(_ first: Int, _ last: Int) throws(Refusal) -> [UInt8] {
    guard first <= last, last < readableEnd else { throw .invalidArgument }
    countReading()
    return (first...last).flatMap { memory.shown($0) }
  }

  /// The first page that may not be read now.
  private var readableEnd: Int {
    memory.protectsReading && !volatile.authenticated
      ? min(memory.firstProtected, model.pageCount) : model.pageCount
  }

  private func allowWriting(_ page: Int) throws(Refusal) {
    guard memory.isWritable(page, configurationLocked: volatile.configurationLocked),
      volatile.authenticated || page < memory.firstProtected
    else { throw .invalidArgument }
  }

  private mutating func write(_ data: [UInt8], to page: Int) throws(Refusal) -> Reply {
    try allowWriting(page)
    if memory.write(data, to: page) { revision += 1 }
    return .acknowledge(programming: AirTime.programming)
  }

  /// PWD_AUTH: the answer is PACK.
  private mutating func authenticate(_ password: [UInt8]) throws(Refusal) -> [UInt8] {
    guard let right = memory.password, let acknowledge = memory.acknowledge else {
      throw .invalidArgument
    }
    let limit = memory.authenticationLimit
    if limit > 0 && failedAuthentications >= limit { throw .limitReached }
    guard password == right else {
      if limit > 0 {
        failedAuthentications += 1
        revision += 1
      }
      throw .invalidArgument
    }
    if failedAuthentications > 0 {
      failedAuthentications = 0
      revision += 1
    }
    volatile.authenticated = true
    return acknowledge
  }
}

// Counters: NTAG21x has one, numbered 2, EV1 has 0 to 2; all 24 bits, low byte first.
extension Type2Chip {
  private static let readingCounter = 2

  private mutating func countReading() {
    guard case .reading = model.counters, memory.countsReading, !volatile.counted else { return }
    volatile.counted = true
    guard counters[Self.readingCounter] < Self.highestCount else { return }
    counters[Self.readingCounter] += 1
    revision += 1
  }

  private func readCounter(_ number: UInt8) throws(Refusal) -> [UInt8] {
    let value: UInt32
    switch model.counters {
    case .none: throw .invalidArgument
    case .reading:
      guard number == Self.readingCounter, memory.countsReading,
        !memory.protectsCounter || volatile.authenticated
      else { throw .invalidArgument }
      value = counters[Self.readingCounter]
    case .three:
      guard number < 3 else { throw .invalidArgument }
      value = counters[Int(number)]
    }
    return (0..<3).map { UInt8(truncatingIfNeeded: value >> UInt32(8 * $0)) }
  }

  private mutating func increment(_ number: UInt8, by bytes: [UInt8]) throws(Refusal) -> Reply {
    guard case .three = model.counters, number < 3 else { throw .invalidArgument }
    let step = UInt32(bytes[0]) | UInt32(bytes[1]) << 8 | UInt32(bytes[2]) << 16
    let sum = counters[Int(number)] + step
    guard sum <= Self.highestCount else { throw .limitReached }
    if step > 0 { revision += 1 }
    counters[Int(number)] = sum
    return .acknowledge(programming: AirTime.programming)
  }
}
