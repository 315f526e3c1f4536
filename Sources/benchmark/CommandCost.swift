/// What commands to a PN532 and a type 2 tag cost: bytes on the line and time on the air.
///
/// It shares no code with the virtual reader's clock, so that neither repeats the other's mistake. Times are
/// in milliseconds, for type A at 106 kbit/s with a UID of seven bytes.
struct CommandCost: Equatable {
  /// One command of the host.
  enum Command: Equatable {
    /// Looks for any tag: InListPassiveTarget.
    case select
    /// The same, and nobody answers.
    case selectNothing
    /// Wakes one tag by its UID.
    case selectByUID
    /// Halts the selected tag: InDeselect.
    case deselect
    /// Field off or on, with its guard time: RFConfiguration.
    case field
    /// GET_VERSION.
    case version
    /// GET_VERSION to a chip that does not know it.
    case versionUnanswered
    /// READ: four pages.
    case read
    /// FAST_READ of so many pages.
    case fastRead(pages: Int)
    /// WRITE: one page.
    case write
  }

  /// One elementary time unit: 128/13.56 MHz.
  static let unit = 0.0094395
  /// Frame delays to the tag and to the reader (ISO/IEC 14443-3, section 6.2.1.1).
  static let delayToTag = 0.0912
  static let delayToReader = 0.0864
  /// Programming one page.
  static let programming = 4.1
  /// Field off or on (ISO/IEC 14443-3, section 5.2.1).
  static let fieldGuard = 5.0
  /// From REQA to SAK over two cascade levels.
  static let activation = 4.59
  /// Three tries of REQA that nobody answers.
  static let unanswered = 0.6
  /// How long the chip waits for a tag that stays silent: 100 µs · 2^9 (UM0701-02, RFConfiguration item 02).
  static let silence = 51.2

  /// Bytes on the line in both directions, ACKs included.
  var bytes: Int
  /// Milliseconds of radio, EEPROM and guard time.
  var radio: Double

  init(_ command: Command) {
    switch command {
    case .select: self.init(sent: 2, answered: 13, radio: Self.activation)
    case .selectNothing: self.init(sent: 2, answered: 1, radio: Self.unanswered)
    case .selectByUID: self.init(sent: 10, answered: 13, radio: Self.activation)
    case .deselect:
      // HLTA has two bytes and two of CRC, and no answer.
      self.init(sent: 1, answered: 1, radio: Double(9 * 4 + 3) * Self.unit + Self.delayToReader)
    case .field: self.init(sent: 2, answered: 0, radio: Self.fieldGuard)
    case .version: self.init(through: 1, answer: 8)
    case .versionUnanswered:
      self.init(sent: 1, answered: 1, radio: Double(9 * 3 + 3) * Self.unit + Self.silence)
    case .read: self.init(managed: 2, answer: 16)
    case .fastRead(let pages): self.init(through: 3, answer: 4 * pages)
    case .write:
      // The acknowledgement has four bits: six units.
      let frames = Double(9 * (6 + 2) + 3 + 6) * Self.unit
      self.init(
        sent: 7, answered: 1, radio: frames + Self.programming + Self.delayToReader)
    }
  }

  /// InDataExchange: target number before the command, status before the answer.
  private init(managed command: Int, answer: Int) {
    self.init(sent: 1 + command, answered: 1 + answer, radio: Self.air(command, answer))
  }

  /// InCommunicateThru: status before the answer.
  private init(through command: Int, answer: Int) {
    self.init(sent: command, answered: 1 + answer, radio: Self.air(command, answer))
  }

  /// `sent` and `answered` count what follows the command's or the reply's code.
  private init(sent: Int, answered: Int, radio: Double) {
    let acknowledgement = 6
    bytes = Self.frame(sent) + acknowledgement + Self.frame(answered)
    self.radio = radio
  }

  /// A frame of the host protocol (UM0701-02, section 6.2.1): preamble, start, length twice, direction, code,
  /// content, checksum, postamble; three bytes more where direction, code and content exceed 255.
  private static func frame(_ content: Int) -> Int { content + 9 + (content + 2 > 255 ? 3 : 0) }

  /// A command and its answer on the air, each with two bytes of CRC.
  private static func air(_ command: Int, _ answer: Int) -> Double {
    Double(9 * (command + 2) + 3 + 9 * (answer + 2) + 2) * unit + delayToTag + delayToReader
  }
}
