/// The host command before which faults are asked for.
package struct FaultPoint: Sendable, Equatable {
  /// Counted over all host commands, from 1.
  package var number: Int
  /// Counted over the commands that touch a tag or the field, from 1; the last one before this if this is none.
  package var tagCommand: Int
  /// Whether this command touches a tag or the field.
  package var touchesTag: Bool
  /// The PN532 command code.
  package var code: UInt8
  /// What follows the code.
  package var parameters: [UInt8]
  /// The place of the deck's tag on the reader, from 1; 0 if there is none.
  package var position: Int
  /// Time on the model's clock.
  package var now: Duration
  /// Time on the wall since the reader was made.
  package var elapsed: Duration

  /// A point of these parts.
  package init(
    number: Int, tagCommand: Int, touchesTag: Bool, code: UInt8, parameters: [UInt8] = [],
    position: Int, now: Duration = .zero, elapsed: Duration = .zero
  ) {
    self.number = number
    self.tagCommand = tagCommand
    self.touchesTag = touchesTag
    self.code = code
    self.parameters = parameters
    self.position = position
    self.now = now
    self.elapsed = elapsed
  }

  /// Whether the command is one to a tag, InDataExchange or InCommunicateThru.
  package var isExchange: Bool { code == 0x40 || code == 0x42 }

  /// What goes to the tag; empty if nothing does.
  package var tagBytes: [UInt8] {
    // InDataExchange has the target's number first, InCommunicateThru has not.
    isExchange ? Array(parameters.dropFirst(code == 0x40 ? 1 : 0)) : []
  }

  /// The page that a WRITE or COMPATIBILITY_WRITE of a type 2 tag goes to.
  package var writtenPage: Int? {
    let bytes = tagBytes
    switch (bytes.first, bytes.count) {
    case (0xA2, 6), (0xA0, 18): return Int(bytes[1])
    default: return nil
    }
  }
}
