/// A command of ISO/IEC 7816-4 section 5.1, short or extended.
struct CommandAPDU: Sendable, Equatable {
  let instructionClass: UInt8
  let instruction: UInt8
  let p1: UInt8
  let p2: UInt8
  let data: [UInt8]
  /// How many bytes are wanted at most, `nil` for none.
  let expected: Int?

  /// `nil` if the lengths do not agree.
  init?(_ bytes: [UInt8]) {
    guard bytes.count >= 4 else { return nil }
    (instructionClass, instruction, p1, p2) = (bytes[0], bytes[1], bytes[2], bytes[3])
    let body = Array(bytes[4...])
    switch body.count {
    case 0: (data, expected) = ([], nil)
    case 1: (data, expected) = ([], body[0] == 0 ? 256 : Int(body[0]))
    case _ where body[0] != 0:
      let end = 1 + Int(body[0])
      guard body.count == end || body.count == end + 1 else { return nil }
      data = Array(body[1..<end])
      expected = body.count == end ? nil : body[end] == 0 ? 256 : Int(body[end])
    case 3...:
      let count = Self.number(body[1], body[2])
      if body.count == 3 {
        (data, expected) = ([], count == 0 ? 65_536 : count)
        return
      }
      let end = 3 + count
      guard count > 0, body.count == end || body.count == end + 2 else { return nil }
      data = Array(body[3..<end])
      if body.count == end {
        expected = nil
      } else {
        let wanted = Self.number(body[end], body[end + 1])
        expected = wanted == 0 ? 65_536 : wanted
      }
    default: return nil
    }
  }

  /// P1 and P2 as one number.
  var offset: Int { Self.number(p1, p2) }

  private static func number(_ high: UInt8, _ low: UInt8) -> Int { Int(high) << 8 | Int(low) }
}
