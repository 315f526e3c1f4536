/// A Read or Write Without Encryption (JIS X 6319-4; FeliCa Lite-S User's Manual).
struct FeliCaRequest: Equatable {
  /// An element of the block list.
  struct Element: Equatable {
    /// Index into the service code list.
    let service: Int
    let accessMode: UInt8
    let number: Int
  }

  let services: [UInt16]
  let elements: [Element]
  /// What follows the block list, in blocks.
  let data: [[UInt8]]

  /// The parameters after the IDm; `nil` if they are cut short or go on too long.
  init?(_ bytes: [UInt8], isWrite: Bool) {
    var rest = bytes[...]
    func take(_ count: Int) -> [UInt8]? {
      guard rest.count >= count else { return nil }
      defer { rest = rest.dropFirst(count) }
      return Array(rest.prefix(count))
    }
    guard let serviceCount = take(1)?.first, let codes = take(Int(serviceCount) * 2),
      let elementCount = take(1)?.first
    else { return nil }
    services = stride(from: 0, to: codes.count, by: 2).map {
      UInt16(codes[$0]) | UInt16(codes[$0 + 1]) << 8
    }
    var elements: [Element] = []
    for _ in 0..<elementCount {
      guard let head = take(1)?.first, let number = take(head & 0x80 != 0 ? 1 : 2) else {
        return nil
      }
      elements.append(
        Element(
          service: Int(head & 0x0F), accessMode: head >> 4 & 0x07,
          number: number.reversed().reduce(0) { $0 << 8 | Int($1) }))
    }
    self.elements = elements
    guard rest.count == (isWrite ? elements.count * 16 : 0) else { return nil }
    let all = Array(rest)
    data = stride(from: 0, to: all.count, by: 16).map { Array(all[$0..<$0 + 16]) }
  }
}

/// Status flags of an answer that reports an error.
struct FeliCaFault: Error, Equatable {
  let first: UInt8
  let second: UInt8

  /// The number of services is wrong.
  static let serviceCount = FeliCaFault(first: 0xFF, second: 0xA1)
  /// The number of blocks is wrong.
  static let blockCount = FeliCaFault(first: 0xFF, second: 0xA2)
  /// There is no such service, or not for this command.
  static let service = FeliCaFault(first: 0x01, second: 0xA6)

  /// The fault lies with an element of the block list.
  static func element(_ index: Int, _ second: UInt8) -> FeliCaFault {
    FeliCaFault(first: 1 << UInt8(index & 0x07), second: second)
  }
}
