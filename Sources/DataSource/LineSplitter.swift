/// Cuts bytes into lines as they come; lines end with LF, CR LF or CR, and blank ones are passed over.
struct LineSplitter {
  /// Most bytes of a line.
  static let limit = 4096

  private var line: [UInt8] = []
  private var isTooLong = false
  private var endedWithCR = false
  private var number = 1

  /// The lines that end within `bytes`.
  mutating func take(_ bytes: [UInt8]) -> [LineFeed.Item] {
    var items: [LineFeed.Item] = []
    for byte in bytes {
      let follows = endedWithCR && byte == 0x0A
      endedWithCR = byte == 0x0D
      if follows { continue }
      if byte == 0x0A || byte == 0x0D {
        if let item = finish() { items.append(item) }
        number += 1
      } else if line.count < Self.limit {
        line.append(byte)
      } else {
        isTooLong = true
      }
    }
    return items
  }

  /// The line in hand, which ends here; `nil` for a blank one.
  mutating func finish() -> LineFeed.Item? {
    defer {
      line = []
      isTooLong = false
    }
    if number == 1, line.starts(with: [0xEF, 0xBB, 0xBF]) { line.removeFirst(3) }
    if isTooLong {
      return .refused(number: number, why: "it is longer than \(Self.limit) bytes")
    }
    if line.allSatisfy({ $0 == 0x20 || $0 == 0x09 }) { return nil }
    if let at = UTF8Check.firstFault(in: line, from: 0), line[at] != 0 {
      return .refused(number: number, why: "it is not UTF-8")
    }
    let text = String(decoding: line, as: UTF8.self)
    if let control = text.unicodeScalars.first(where: { $0.properties.generalCategory == .control })
    {
      let digits = String(control.value, radix: 16, uppercase: true)
      return .refused(
        number: number,
        why: "it holds the control character U+"
          + String(repeating: "0", count: 4 - digits.count) + digits)
    }
    return .line(text, number: number)
  }
}
