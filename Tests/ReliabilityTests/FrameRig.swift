import Foundation
import Platform
import VirtualReader

/// What happens at one frame to the tag.
struct FrameFault: Sendable, CustomStringConvertible {
  enum Effect: Sendable, CaseIterable {
    /// The chip does what the frame says, and nobody hears of it.
    case performed
    /// The frame is lost before the chip.
    case unheard
  }

  /// What a torn page holds.
  enum Page: Sendable, CaseIterable {
    case old, new, newThenOld, oldThenNew, zero

    /// `page` 2 and 3 and the dynamic lock bits are one-time programmable: no bit of theirs goes back to 0
    /// (NTAG213 data sheet 8.5.2 to 8.5.4).
    func bytes(page: UInt8, old: [UInt8], new: [UInt8]) -> [UInt8] {
      switch self {
      case .zero where [2, 3, 40].contains(page): old
      case .old: old
      case .new: new
      case .newThenOld: Array(new.prefix(2) + old.suffix(2))
      case .oldThenNew: Array(old.prefix(2) + new.suffix(2))
      case .zero: [0, 0, 0, 0]
      }
    }
  }

  enum Kind: Sendable {
    /// The run is killed at this command.
    case kill(Effect)
    /// The tag is torn away in the middle of this WRITE; the run lives, or is killed too.
    case tear(Page, killing: Bool)
  }

  /// The command to the tag or the field, counted from 1.
  let command: Int
  let kind: Kind

  var description: String { "command \(command), \(kind)" }
}

/// A job for one tag, on a virtual reader of the test's own that lets things happen at chosen frames.
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
    var tagCommands = 0
    /// The commands that were WRITEs.
    var writes: [Int] = []
  }

  private final class Happening: Sendable {
    let pid = Locked<Int32>(0)
    let hasHappened = Locked(false)
    let writes = Locked<[Int]>([])

    func kill() {
      for _ in 0..<5000 where pid.withLock({ $0 }) == 0 { usleep(1000) }
      let process = pid.withLock { $0 }
      if process > 0 { Glibc.kill(process, SIGKILL) }
    }
  }

  private let folder: RigFolder
  private let tag: Locked<ChipImage>

  init() throws {
    folder = try RigFolder()
    guard let image = VirtualChips.make(name: "NTAG213", uid: [0x04, 0x51, 0xC3, 1, 2, 3, 4]) else {
      throw CocoaError(.featureUnsupported)
    }
    tag = Locked(image)
    try folder.write(
      "station.yaml",
      """
      station: rig
      declarations: {formats: [TAG], usageDescription: Encode test tags}
      readers: {only: "pn532_uart:\(folder.url.appending(path: "port").path())"}
      ledger: ledger.sqlite
      log: log.jsonl
      """)
    try folder.write("rows.csv", "code\nROW-0001\n")
    try folder.write(
      "job.yaml",
      """
      job: rig
      data: {csv: rows.csv, key: code}
      accept: {chips: [NTAG213]}
      session: {kind: tag, polling: [iso14443]}
      retries: {comeBack: 50ms}
      stop: {whenIdleFor: 1500ms}
      steps:
        - write:
            - uri: "https://example.com/c/${row.code | urlencode}"
        - verify
        - lock
      """)
  }

  /// The job with a fault, then without until it ends well, with the checker after each.
  func play(_ fault: FrameFault?) throws -> Ending {
    var ending = Ending()
    try run(fault, &ending)
    try check(&ending, "after the fault", killed: true)
    if fault != nil {
      for _ in 0..<4 where ending.statuses.last != 0 || ending.statuses.count == 1 {
        try run(nil, &ending)
      }
    }
    try check(&ending, "at the end", killed: false)
    let rows = try Rig.run(Rig.program, ["ledger", "list", "--format", "json"], in: folder.url)
    ending.inDoubt = rows.lines.count { $0.contains(#""state":"inDoubt""#) }
    let done = rows.lines.count { $0.contains(#""state":"done""#) }
    if case .tear(.oldThenNew, _)? = fault?.kind, ending.statuses.last == 3 {
      ending.unlockable = rows.lines.count { $0.contains(#""state":"onTag""#) }
    }
    if done + ending.inDoubt + ending.unlockable != 1 {
      ending.findings.append("a row is lost: \(rows.lines)")
    }
    return ending
  }

  private func run(_ fault: FrameFault?, _ ending: inout Ending) throws {
    let happening = Happening()
    let tag = tag
    let image = tag.withLock { $0 }
    let reader = try VirtualReader(
      configuration: VirtualReaderConfiguration(
        timing: .none, gap: .milliseconds(1),
        link: folder.url.appending(path: "port").path(),
        faults: { point in Self.faults(at: point, fault, happening, tag) }),
      deck: [DeckEntry(make: { image }, changed: { now in tag.withLock { $0 = now } })])
    let started = try Rig.start(
      Rig.program, ["run", "job.yaml", "--no-input", "--format", "jsonl"], in: folder.url)
    happening.pid.withLock { $0 = started.process.processIdentifier }
    started.process.waitUntilExit()
    let result = try started.result()
    reader.stop()
    try folder.write("shown", result.output)
    ending.statuses.append(result.status)
    if fault != nil { ending.reached = happening.hasHappened.withLock { $0 } }
    ending.tagCommands = reader.work.tagCommands
    ending.writes = happening.writes.withLock { $0 }
  }

  private static func faults(
    at point: FaultPoint, _ fault: FrameFault?, _ happening: Happening, _ tag: Locked<ChipImage>
  ) -> [Fault] {
    // InDataExchange has the target's number first, InCommunicateThru has not.
    let command = Array(point.parameters.dropFirst(point.code == 0x40 ? 1 : 0))
    let isWrite = [0x40, 0x42].contains(point.code) && command.first == 0xA2 && command.count == 6
    if isWrite { happening.writes.withLock { $0.append(point.tagCommand) } }
    guard let fault, point.tagCommand == fault.command,
      happening.hasHappened.withLock({ done in
        defer { done = true }
        return !done
      })
    else { return [] }
    switch fault.kind {
    case .kill(let effect):
      happening.kill()
      return effect == .unheard ? [.noAck] : []
    case .tear(let page, let killing):
      guard isWrite else { return [] }
      if killing { happening.kill() }
      let old = tag.withLock { $0.page(Int(command[1])) }
      return [
        .tear(
          page.bytes(page: command[1], old: old, new: Array(command.dropFirst(2))), comeBack: nil)
      ]
    }
  }

  /// What the checker finds.
  private func check(_ ending: inout Ending, _ moment: String, killed: Bool) throws {
    let image = tag.withLock { $0 }
    let keep = folder.url.appending(path: "keep")
    try FileManager.default.createDirectory(at: keep, withIntermediateDirectories: true)
    let pages = (0..<image.pages.count / 4).map { "Page \($0): \(Self.hex(image.page($0)))" }
    try folder.write(
      "keep/tag.nfc", (["UID: \(Self.hex(image.uid))"] + pages).joined(separator: "\n") + "\n")
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
