import Bytes
import NDEF
import Platform
import Readers
import TagFormats

/// A tag made of the input: its memory, or whatever it answers.
enum TagTrial {
  /// The first byte chooses the chip by its answer to GET_VERSION, the rest is memory from page 0 on.
  static func memory(_ bytes: [UInt8]) {
    guard let choice = bytes.first else { return }
    use(
      FuzzedTag(memory: Array(bytes.dropFirst()), version: versions[Int(choice) % versions.count]))
  }

  /// Each answer is a length byte and so many bytes; `FF` stands for silence.
  static func answers(_ bytes: [UInt8]) {
    guard let choice = bytes.first else { return }
    let technologies: [Target.Technology] = [
      .typeA(atqa: 0x0044, sak: 0x00, ats: []), .typeA(atqa: 0x0344, sak: 0x20, ats: [0x75]),
      .typeA(atqa: 0x0004, sak: 0x08, ats: []),
      .typeB(applicationData: [0, 0, 0, 0], protocolInfo: [0, 0, 0]),
      .feliCa(pmm: [0, 1, 2, 3, 4, 5, 6, 7], systemCode: 0x12FC), .jewel(atqa: 0x0C00),
    ]
    use(
      FuzzedTag(
        answers: Array(bytes.dropFirst()),
        technology: technologies[Int(choice) % technologies.count]))
  }

  /// A message as it would be read from a tag, then written again.
  static func message(_ bytes: [UInt8]) {
    guard let message = try? NDEFMessage(parsing: bytes) else { return }
    _ = message.json.text
    let again = message.bytes
    precondition((try? NDEFMessage(parsing: again)) == message, "a message changes when written")
  }

  private static let versions: [[UInt8]] = [
    [0x00, 0x04, 0x04, 0x02, 0x01, 0x00, 0x0F, 0x03],
    [0x00, 0x04, 0x04, 0x02, 0x01, 0x00, 0x11, 0x03],
    [0x00, 0x04, 0x04, 0x02, 0x01, 0x00, 0x13, 0x03],
    [0x00, 0x04, 0x03, 0x01, 0x01, 0x00, 0x0B, 0x03], [],
  ]

  /// All that a job may do with a tag.
  private static func use(_ link: FuzzedTag) {
    guard let tag = try? TagFormats.identify(link) else { return }
    if let survey = try? tag.survey(), case .message(let bytes) = survey.content { message(bytes) }
    _ = try? tag.counter()
    _ = try? tag.bytes(at: 0, count: 16)
    let uri = Array("https://example.com/0123456789".utf8)
    let message = [0xD1, 0x01, UInt8(uri.count + 1), 0x55, 0x00] + uri
    if let plan = try? tag.plan(message) {
      try? tag.perform(plan.body)
      if let commit = plan.commit { try? tag.perform([commit]) }
    }
    tag.forget()
    _ = try? tag.survey()
    _ = try? tag.remainder(of: message)
    try? tag.writeZeroLength()
    try? tag.lock()
    tag.forgetMessage()
    _ = try? tag.survey()
  }
}

/// A tag behind no reader; every command costs one of a fixed number, so that a loop without end shows.
private final class FuzzedTag: TagLink {
  let target: Target
  let clock: any StationClock = WallClock()
  let longestCommand = 252
  private var memory: [UInt8] = []
  private var version: [UInt8] = []
  private var answers: ArraySlice<UInt8>?
  private var commands = 0

  init(memory: [UInt8], version: [UInt8]) {
    target = Target(
      .typeA(atqa: 0x0044, sak: 0, ats: []), uid: [4, 0x51, 0x52, 0x53, 0x54, 0x55, 0x56])
    self.memory = Array(memory.prefix(1024))
    self.memory += [UInt8](
      repeating: 0, count: max(64, (self.memory.count + 3) / 4 * 4) - self.memory.count)
    self.version = version
  }

  init(answers: [UInt8], technology: Target.Technology) {
    target = Target(technology, uid: [4, 0x51, 0x52, 0x53, 0x54, 0x55, 0x56])
    self.answers = answers[...]
  }

  func exchange(
    _ command: [UInt8], framing: Framing, timeout: Duration
  ) throws(ReaderError) -> [UInt8] {
    commands += 1
    precondition(commands < 100_000, "commands without end")
    if answers != nil { return try scripted() }
    let pages = memory.count / 4
    switch (command.first, command.count) {
    case (0x60, 1) where !version.isEmpty: return version
    case (0x30, 2):
      guard Int(command[1]) < pages else { throw .noAnswer }
      return (0..<16).map { memory[(Int(command[1]) * 4 + $0) % memory.count] }
    case (0x3A, 3):
      guard command[1] <= command[2], Int(command[2]) < pages else { throw .noAnswer }
      return Array(memory[Int(command[1]) * 4..<Int(command[2]) * 4 + 4])
    case (0xA2, 6):
      guard (2..<pages).contains(Int(command[1])) else { throw .noAnswer }
      memory.replaceSubrange(Int(command[1]) * 4..<Int(command[1]) * 4 + 4, with: command[2...])
      return []
    default: throw .noAnswer
    }
  }

  private func scripted() throws(ReaderError) -> [UInt8] {
    guard let length = answers?.popFirst() else { throw .tagGone }
    if length == 0xFF { throw .noAnswer }
    let answer = Array(answers?.prefix(Int(length)) ?? [])
    answers = answers?.dropFirst(answer.count)
    return answer
  }

  func reselect() throws(ReaderError) {}
  func dropField() throws(ReaderError) {}
}
