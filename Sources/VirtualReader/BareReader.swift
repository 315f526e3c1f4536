/// A simulated PN532 without a port: what a host would send goes in, what the chip would send comes out.
///
/// For programs that try what the chip makes of any bytes at all; nothing waits for a clock.
package struct BareReader {
  private var chip: PN532

  /// A reader with these tags in its field one after the other, each until nothing more is done with it.
  package init(_ images: [ChipImage]) {
    let deck = images.map { image in DeckEntry(make: { image }) }
    chip = PN532(
      clock: ModelClock(timing: .none),
      field: RadioField(deck: deck, hold: .forever, gap: .zero))
  }

  /// Takes bytes as they come over the line; what the chip has sent by then.
  package mutating func receive(_ bytes: [UInt8]) -> [[UInt8]] {
    chip.receive(bytes)
    return chip.takeDue()
  }

  /// Takes a command, its code first, in a frame as it should be.
  package mutating func send(_ command: [UInt8]) -> [[UInt8]] {
    receive(Frame.encode([Frame.toChip] + command))
  }
}
