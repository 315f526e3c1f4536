import Bytes
@testable import VirtualReader

/// A host that speaks to the chip without a port, in whole frames and hexadecimal.
struct Host {
  static let uid: [UInt8] = [0x04, 0xA1, 0xB2, 0xC3, 0xD4, 0xE5, 0xF6]

  var chip: PN532

  /// A chip with these tags in its deck.
  init(
    _ images: [ChipImage] = [], hold: DeckHold = .forever, gap: Duration = .zero,
    timing: ModelClock.Timing = .none, faults: (@Sendable (FaultPoint) -> [Fault])? = nil
  ) {
    let entries = images.map { image in DeckEntry(make: { image }) }
    chip = PN532(
      clock: ModelClock(timing: timing), field: RadioField(deck: entries, hold: hold, gap: gap),
      faults: faults)
  }

  /// A chip with one factory-new tag on it.
  static func with(_ name: String, uid: [UInt8] = Host.uid) -> Host {
    Host(VirtualChips.make(name: name, uid: uid).map { [$0] } ?? [])
  }

  /// Sends bytes as they are; what came back, piece by piece.
  mutating func sendRaw(_ hex: String) -> [String] {
    chip.receive([UInt8](hex: hex) ?? [])
    return chip.takeDue().map(\.hex)
  }

  /// Sends a command in a frame; what the chip answered after its ACK and after the reply's code,
  /// `error` for the error frame, `none` if nothing came.
  @discardableResult
  mutating func send(_ command: String) -> String {
    guard let content = [UInt8](hex: command) else { return "not hexadecimal" }
    let answers = sendRaw(Frame.encode([0xD4] + content).hex)
    guard answers.count == 2, answers[0] == "0000FF00FF00" else { return "none" }
    if answers[1] == "0000FF01FF7F8100" { return "error" }
    let reply = [UInt8](hex: answers[1]) ?? []
    let start = reply.starts(with: [0x00, 0x00, 0xFF, 0xFF, 0xFF]) ? 8 : 5
    guard reply.count >= start + 4, reply[start] == 0xD5, reply[start + 1] == content[0] + 1 else {
      return "bad"
    }
    return reply[(start + 2)..<(reply.count - 2)].hex
  }

  /// The memory of the first tag on the reader.
  var memory: [UInt8] { chip.field.tags.first?.chip.image.pages ?? [] }
}
