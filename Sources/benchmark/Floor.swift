/// The fewest commands that do a job on one tag and keep the promises.
///
/// Counted as written: the pages that hold the message and its TLV, without a page for the terminator alone,
/// and nothing read of lock bytes or configuration before the first write.
struct Floor: Equatable {
  let commands: [CommandCost.Command]
  let baud: Int

  /// Bytes on the line in both directions.
  var bytes: Int { commands.reduce(0) { $0 + CommandCost($1).bytes } }
  /// Milliseconds on line and air, one after the other; a byte on the line has ten bits.
  var milliseconds: Double { Double(bytes) * 10_000 / Double(baud) + radio }
  /// Milliseconds on the air alone.
  var radio: Double { commands.reduce(0) { $0 + CommandCost($1).radio } }

  init(commands: [CommandCost.Command], baud: Int = 115_200) {
    self.commands = commands
    self.baud = baud
  }

  init(_ job: TagJob) {
    let chip = job.chip
    let message = chip.pages(ofMessage: job.message)
    var commands: [CommandCost.Command] = [.select]
    if job.alone { commands += [.deselect, .selectNothing, .selectByUID] }
    // A chip without the command falls silent and is selected again.
    commands += chip.answersVersion ? [.version] : [.versionUnanswered, .selectByUID]
    commands.append(.read)
    if !chip.isFormatted {
      // All of users' memory must be zero; then the capability container is written.
      commands += chip.reading(4..<chip.userEnd) + [.write]
    }
    if job.isRewrite {
      commands += chip.reading(message)
      // Length zero, the page that differs, the length.
      commands += [.write, .write, .write]
    } else {
      commands += message.map { _ in .write }
    }
    // verify
    commands += [.field, .field, .select, .read] + chip.reading(message)
    if job.locks {
      commands +=
        chip.hasDynamicLock ? [.write, .write, .write, .read, .read] : [.write, .write, .read]
    }
    self.init(commands: commands, baud: job.baud)
  }
}

/// What the floor needs to know of a chip.
struct FloorChip: Equatable {
  let name: String
  /// Bytes of the data area before the message's TLV.
  let messageOffset: Int
  let answersVersion: Bool
  let hasFastRead: Bool
  let hasDynamicLock: Bool
  /// Whether it leaves the factory with a capability container.
  var isFormatted = true
  /// The page behind users' data, of chips that are not.
  var userEnd = 0

  /// NTAG21x data sheet, sections 8.5.3 and 8.5.6: NTAG213 leaves the factory with a lock control TLV.
  static let ntag213 = FloorChip(
    name: "NTAG213", messageOffset: 5, answersVersion: true, hasFastRead: true, hasDynamicLock: true
  )
  static let ntag215 = FloorChip(
    name: "NTAG215", messageOffset: 0, answersVersion: true, hasFastRead: true, hasDynamicLock: true
  )
  static let ntag216 = FloorChip(
    name: "NTAG216", messageOffset: 0, answersVersion: true, hasFastRead: true, hasDynamicLock: true
  )
  /// MF0ICU1 data sheet, section 7.
  static let ultralight = FloorChip(
    name: "Ultralight", messageOffset: 0, answersVersion: false, hasFastRead: false,
    hasDynamicLock: false, isFormatted: false, userEnd: 16)

  /// The pages of a message with the type and length of its TLV (NFC Forum Type 2 Tag, section 2.3).
  func pages(ofMessage message: [UInt8]) -> Range<Int> {
    let first = 16 + messageOffset
    let end = first + (message.count < 255 ? 2 : 4) + message.count
    return first / 4..<(end + 3) / 4
  }

  /// The commands that read `pages`, after a READ of page 2 brought pages 2 to 5.
  func reading(_ pages: Range<Int>) -> [CommandCost.Command] {
    let count = max(0, pages.upperBound - 6)
    guard hasFastRead else { return (0..<(count + 3) / 4).map { _ in .read } }
    // The PN532 carries 262 bytes of answer: 65 pages.
    return stride(from: 0, to: count, by: 65).map { .fastRead(pages: min(65, count - $0)) }
  }
}
