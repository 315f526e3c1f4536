import Foundation
import Platform
import VirtualReader

/// A small job on a virtual reader of the test's own that lets things happen at chosen frames.
final class FrameRig {
  struct Ending {
    var statuses: [Int32] = []
    var findings: [String] = []
    /// How many rows are left in doubt.
    var inDoubt = 0
    /// Rows whose tag can never be locked: the bits that freeze lock bits were set before those.
    var unlockable = 0
    /// Whether the fault came to pass.
    var reached = false
    /// Of the run with the fault.
    var tagCommands = 0
    var hostCommands = 0
    /// The commands to the tag or the field that were WRITEs, and those that were open listings.
    var writes: [Int] = []
    var listings: [Int] = []
    /// The lines that the run with the fault showed, and what it said.
    var lines: [String] = []
    var errors = ""
    /// What the tags hold at the end.
    var images: [ChipImage] = []
    /// What second tags hold that came beside the deck's.
    var strangers: [ChipImage] = []

    func events(_ name: String) -> [String] {
      lines.filter { $0.contains("\"event\":\"\(name)\"") }
    }
  }

  private final class Happening: Sendable {
    let pid = Locked<Int32>(0)
    let hasHappened = Locked(false)
    let writes = Locked<[Int]>([])
    let listings = Locked<[Int]>([])

    func kill(_ signal: Int32 = SIGKILL) {
      for _ in 0..<5000 where pid.withLock({ $0 }) == 0 { usleep(1000) }
      let process = pid.withLock { $0 }
      if process > 0 { Glibc.kill(process, signal) }
    }
  }

  /// How long a run may take before it counts as one that does not end by itself.
  private static let patience = Duration.seconds(120)

  let folder: RigFolder
  /// The tags with what they hold.
  let shelf: Locked<[ChipImage]>
  private let rows: Int
  /// The tags of the deck, by their places on the shelf.
  private let deck: [Int]
  /// Tags that the checker does not look at: two with one UID are more than a ledger knows.
  var unchecked: Set<Int>
  /// Another reader of the station, with a tag on it, which nobody may touch.
  private let decoy: VirtualReader

  /// A rig with these tags, of which `deck` are presented, and a job with so many rows.
  init(
    _ tags: [ChipImage]? = nil, deck: [Int]? = nil, rows: Int = 1, accept: String = "{}",
    unchecked: Set<Int> = [], comeBack: String = "50ms"
  ) throws {
    folder = try RigFolder()
    let tags = try tags ?? [Self.fresh(1)]
    shelf = Locked(tags)
    self.rows = rows
    self.deck = deck ?? Array(tags.indices)
    self.unchecked = unchecked
    decoy = try VirtualReader(
      configuration: VirtualReaderConfiguration(
        timing: .none, hold: .forever, link: folder.url.appending(path: "other").path()))
    decoy.place(try Self.fresh(0xEE))
    try folder.write(
      "station.yaml",
      """
      station: rig
      declarations: {formats: [TAG], usageDescription: Encode test tags}
      readers:
        only: "pn532_uart:\(folder.url.appending(path: "port").path())"
        other: "pn532_uart:\(folder.url.appending(path: "other").path())"
        second: "pn532_uart:\(folder.url.appending(path: "port-2").path())"
      ledger: ledger.sqlite
      log: log.jsonl
      """)
    let keys = (1...rows).map { String(format: "ROW-%04d", $0) }
    try folder.write("rows.csv", (["code"] + keys).joined(separator: "\n") + "\n")
    try folder.write(
      "job.yaml",
      """
      job: rig
      reader: only
      data: {csv: rows.csv, key: code}
      accept: \(accept)
      session: {kind: tag, polling: [iso14443]}
      retries: {comeBack: \(comeBack)}
      stop: {whenIdleFor: 1500ms}
      steps:
        - write:
            - uri: "https://example.com/c/${row.code | urlencode}"
        - verify
        - lock
      """)
  }

  /// A factory-new tag, an NTAG213 unless another chip is named.
  static func fresh(_ number: UInt8, chip: String = "NTAG213") throws -> ChipImage {
    guard let image = VirtualChips.make(name: chip, uid: [0x04, 0x51, 0xC3, 1, 2, 3, 3 + number])
    else { throw CocoaError(.featureUnsupported) }
    return image
  }

  /// A factory-new NTAG213 with a random UID: four bytes that begin with 08.
  static func random(_ number: UInt8) throws -> ChipImage {
    var image = try fresh(number)
    image.uid = [0x08, 0x11, 0x22, number]
    image.atqa = 0x0004
    return image
  }

  /// The job with a fault, then without until it ends well, with the checker after each.
  func play(_ fault: FrameFault?) throws -> Ending {
    var ending = Ending()
    try run(fault, &ending)
    if case .signal(let signal)? = fault?.kind {
      try checkStop(signal, &ending)
    } else {
      try check(&ending, "after the fault", killed: fault?.kind.kills ?? false)
    }
    if fault != nil {
      for _ in 0..<4 where ending.statuses.last != 0 || ending.statuses.count == 1 {
        try run(nil, &ending)
      }
    }
    try check(&ending, "at the end", killed: false)
    let states = try states()
    ending.inDoubt = states.count { $0 == "inDoubt" }
    if case .tear(.oldThenNew, _)? = fault?.kind, ending.statuses.last == 3 {
      ending.unlockable = states.count { $0 == "onTag" }
    }
    if states.count(where: { $0 == "done" }) + ending.inDoubt + ending.unlockable != rows {
      ending.findings.append("a row is lost: \(states)")
    }
    ending.images = shelf.withLock { $0 }
    if decoy.work.hostCommands != 0 { ending.findings.append("another reader was used") }
    return ending
  }

  /// The states of the rows that were ever in use.
  func states() throws -> [String] {
    let list = try Rig.run(Rig.program, ["ledger", "list", "--format", "json"], in: folder.url)
    return list.lines.compactMap { line in
      line.range(of: #""state":""#).map { String(line[$0.upperBound...].prefix { $0 != "\"" }) }
    }
  }

  // MARK: One run

  /// A reader with the deck, at the link `port`; `faults` are asked with the tags as they are.
  func reader(
    _ link: String = "port", deck: [Int]? = nil, hold: DeckHold = .done,
    faults: @escaping @Sendable (FaultPoint) -> [Fault] = { _ in [] }
  ) throws -> VirtualReader {
    let shelf = shelf
    return try VirtualReader(
      configuration: VirtualReaderConfiguration(
        timing: .none, hold: hold, gap: .milliseconds(1),
        link: folder.url.appending(path: link).path(),
        faults: faults),
      deck: (deck ?? self.deck).map { place in
        DeckEntry(
          make: { shelf.withLock { $0[place] } },
          changed: { now in shelf.withLock { $0[place] = now } })
      })
  }

  /// Starts the job on the reader of that name.
  func start(on reader: String = "only") throws -> Rig.Started {
    try Rig.start(
      Rig.program,
      ["run", "job.yaml", "--reader", reader, "--no-input", "--format", "jsonl"], in: folder.url)
  }

  /// The job once, with nothing going wrong.
  func run() throws -> Ending {
    var ending = Ending()
    try run(nil, &ending)
    return ending
  }

  /// After a signal the tag in hand is finished, and all is in order.
  private func checkStop(_ signal: Int32, _ ending: inout Ending) throws {
    try check(&ending, "after the signal", killed: false)
    let wanted = FrameFault.statuses[signal]
    if ending.statuses.last != wanted && ending.statuses.last != 0 {
      ending.findings.append("signal \(signal) ended the run with \(ending.statuses)")
    }
    let rows = try Rig.run(Rig.program, ["ledger", "list", "--format", "json"], in: folder.url)
    for row in rows.lines where !row.contains(#""state":"done""#) {
      ending.findings.append("the tag in hand was not finished: \(row)")
    }
  }

  private func run(_ fault: FrameFault?, _ ending: inout Ending) throws {
    let happening = Happening()
    let (shelf, deck) = (shelf, deck)
    let reader = try reader(faults: { point in
      Self.faults(at: point, fault, happening) {
        point.position > 0 ? shelf.withLock { $0[deck[point.position - 1]] } : nil
      }
    })
    let started = try start()
    happening.pid.withLock { $0 = started.process.processIdentifier }
    if !started.ends(within: Self.patience) {
      ending.findings.append("the run did not end by itself")
    }
    let result = try started.result()
    reader.stop()
    try folder.write("shown", result.output)
    ending.statuses.append(result.status)
    guard fault != nil || ending.statuses.count == 1 else { return }
    ending.reached = happening.hasHappened.withLock { $0 }
    ending.tagCommands = reader.work.tagCommands
    ending.hostCommands = reader.work.hostCommands
    ending.writes = happening.writes.withLock { $0 }
    ending.listings = happening.listings.withLock { $0 }
    ending.lines = result.lines
    ending.errors = result.errors
    ending.strangers = reader.strangers
  }

  private static func faults(
    at point: FaultPoint, _ fault: FrameFault?, _ happening: Happening, tag: () -> ChipImage?
  ) -> [Fault] {
    let command = point.tagBytes
    let isWrite = command.first == 0xA2 && command.count == 6
    if isWrite { happening.writes.withLock { $0.append(point.tagCommand) } }
    if point.code == 0x4A, point.parameters.count == 2 {
      happening.listings.withLock { $0.append(point.tagCommand) }
    }
    guard let fault,
      (fault.countsAllFrames ? point.number : point.tagCommand) == fault.command,
      happening.hasHappened.withLock({ done in
        defer { done = true }
        return !done
      })
    else { return [] }
    switch fault.kind {
    case .reader(let fault): return [fault]
    case .signal(let signal):
      happening.kill(signal)
      return []
    case .kill(let effect):
      happening.kill()
      return effect == .unheard ? [.noAck] : []
    case .tear(let page, let killing):
      guard isWrite, let tag = tag() else { return [] }
      if killing { happening.kill() }
      let number = Int(command[1])
      let torn = page.bytes(
        isOneTime: FrameFault.isOneTime(number, of: tag.pages.count / 4),
        old: tag.page(number), new: Array(command.dropFirst(2)))
      return [.tear(torn, comeBack: nil)]
    }
  }

  // MARK: The checker

  /// What the checker finds.
  func check(_ ending: inout Ending, _ moment: String, killed: Bool) throws {
    let keep = folder.url.appending(path: "keep")
    try FileManager.default.createDirectory(at: keep, withIntermediateDirectories: true)
    for (place, image) in shelf.withLock({ $0 }).enumerated() where !unchecked.contains(place) {
      let pages = (0..<image.pages.count / 4).map { "Page \($0): \(Self.hex(image.page($0)))" }
      try folder.write(
        "keep/tag-\(place).nfc",
        (["UID: \(Self.hex(image.uid))"] + pages).joined(separator: "\n") + "\n")
    }
    if unchecked.count == shelf.withLock({ $0.count }) { return }
    let result = try Rig.python(
      "check.py",
      [
        "--keep", "keep", "--ledger", "ledger.sqlite", "--log", "log.jsonl", "--url",
        "https://example.com/c/", "--rows", "rows.csv", "--shown", "shown", "--locked",
      ] + (killed ? ["--killed"] : []), in: folder.url)
    guard result.status != 0 else { return }
    ending.findings += (result.lines + [result.errors]).map { "\(moment): \($0)" }
  }

  private static func hex(_ bytes: [UInt8]) -> String {
    bytes.map { String(format: "%02X", $0) }.joined(separator: " ")
  }
}
