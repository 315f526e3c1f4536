/// A MIFARE Plus in security level 3 without any key that is known.
///
/// Its commands are native ones of one byte and their data (MF1PLUSx0y1 data sheet).
struct PlusKernel: CardKernel {
  /// Status bytes of the data sheet.
  private enum Status {
    static let keyDoesNotExist: UInt8 = 0x09
    static let notAvailable: UInt8 = 0x0B
    static let wrongLength: UInt8 = 0x0C
  }

  let applications: [CardApplication] = []
  let revision = 0

  mutating func reset() {}

  mutating func run(_ command: [UInt8]) -> CardAnswer { CardAnswer(bytes: [status(of: command)]) }

  private func status(of command: [UInt8]) -> UInt8 {
    switch command.first {
    // First authentication: key number, length of capabilities, capabilities.
    case 0x70:
      guard command.count >= 4, command.count == 4 + Int(command[3]) else {
        return Status.wrongLength
      }
      return Status.keyDoesNotExist
    // Following authentication, reading and writing want a first one before; WRITE PERSO and COMMIT
    // PERSO are of level 0, GET VERSION of later chips.
    default: return Status.notAvailable
    }
  }

  mutating func tear(_ command: [UInt8], leaving bytes: [UInt8]) {}
}
