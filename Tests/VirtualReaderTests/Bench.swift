import Bytes
import Testing

@testable import VirtualReader

/// One chip on the bench, spoken to in frames of type A with CRC.
struct Bench {
  var chip: Type2Chip

  /// A factory-new chip with the tests' UID, selected.
  init(_ name: String) throws {
    try self.init(#require(VirtualChips.make(name: name, uid: Host.uid)))
  }

  init(_ image: ChipImage) throws {
    chip = try #require(Type2Chip(image))
    select()
  }

  private static let request = Listing.typeA(uid: nil, isoDEP: nil, rats: true)

  /// Whether the chip answers a REQA; it is selected then.
  @discardableResult
  mutating func select() -> Bool {
    guard chip.hears(Self.request) else { return false }
    _ = chip.activate(Self.request)
    return true
  }

  /// Field off and on, then selects.
  mutating func powerCycle() {
    chip.powerOff()
    select()
  }

  /// The answer to a command: data in hexadecimal, `ACK`, `NAK n`, or `silence`.
  @discardableResult
  mutating func send(_ hex: String) -> String {
    guard let command = [UInt8](hex: hex) else { return "not hexadecimal" }
    guard let answer = chip.receive(.typeA(command)) else { return "silence" }
    if answer.frame.isNibble {
      return answer.frame.bytes == [0xA] ? "ACK" : "NAK \(answer.frame.bytes[0])"
    }
    return CRCA.strip(answer.frame.bytes)?.hex ?? "bad CRC"
  }

  /// The same, selecting first; for commands that may be refused one after another.
  @discardableResult
  mutating func fresh(_ hex: String) -> String {
    select()
    return send(hex)
  }

  /// A page as READ shows it.
  mutating func page(_ number: Int) -> String {
    select()
    return String(send("30" + [UInt8(number)].hex).prefix(8))
  }
}
