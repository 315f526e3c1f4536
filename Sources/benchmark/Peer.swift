internal import Bytes
internal import FoundationEssentials
internal import Platform
internal import VirtualReader

/// What another program needs to put the same message on the same virtual tag and to read it back.
struct Peer: Equatable {
  /// The programs, by what they do here.
  enum Program: String, CaseIterable {
    case nfcpy = "nfcpy: sense, write, sense, read"
    case mfultralight = "nfc-mfultralight: w, r"
  }

  let program: Program
  let chip: String
  let work: ReaderWorkCount

  init(_ program: Program, _ job: TagJob) throws(BenchmarkError) {
    self.program = program
    chip = job.chip.name
    work =
      switch program {
      case .nfcpy: try Self.nfcpy(job)
      case .mfultralight: try Self.mfultralight(job)
      }
  }

  private static let uid: [UInt8] = [0x04, 0x51, 0x52, 0x53, 0x54, 0x00, 0x02]

  // MARK: nfcpy

  /// Opens DEVICE and, with a message in hexadecimal, senses a tag, writes the message and reads it back.
  private static let script = """
    import sys
    import nfc
    import nfc.clf.transport
    # nfcpy gives the chip 100 ms for an ACK, which a busy machine may miss.
    read_in_time = nfc.clf.transport.TTY.read
    nfc.clf.transport.TTY.read = lambda tty, timeout: read_in_time(tty, max(timeout, 5000))
    with nfc.ContactlessFrontend(sys.argv[1]) as frontend:
      if len(sys.argv) > 2:
        message = bytes.fromhex(sys.argv[2])
        target = frontend.sense(nfc.clf.RemoteTarget("106A"))
        tag = nfc.tag.activate(frontend, target)
        tag.ndef.octets = message
        again = nfc.tag.activate(frontend, frontend.sense(nfc.clf.RemoteTarget("106A")))
        assert again.ndef.octets == message
    """

  /// nfcpy's sense, write and read back; what it needs to open and close its reader is taken off.
  private static func nfcpy(_ job: TagJob) throws(BenchmarkError) -> ReaderWorkCount {
    let environment = ProcessInfo.processInfo.environment
    let python = try (environment["NFCPY_PYTHON"] ?? found("python3", in: environment)).orThrow(
      "there is no python3")
    guard try run(python, ["-c", "import nfc"]) == 0 else {
      throw BenchmarkError("\(python) has no nfcpy: set NFCPY_PYTHON to a Python that has")
    }
    let frame = try nfcpy(python, job, [])
    var work = try nfcpy(python, job, [job.message.hex])
    work.hostCommands -= frame.hostCommands
    work.tagCommands -= frame.tagCommands
    work.modelled -= frame.modelled
    return work
  }

  private static func nfcpy(
    _ python: String, _ job: TagJob, _ words: [String]
  ) throws(BenchmarkError) -> ReaderWorkCount {
    // nfcpy takes ports in /dev only.
    let port = "ttyVBENCH\(ProcessInfo.processInfo.processIdentifier)"
    let reader = try reader(job, link: "/dev/\(port)")
    defer { reader.stop() }
    let status = try run(python, ["-c", script, "tty:\(port):pn532"] + words)
    guard status == 0 else { throw BenchmarkError("nfcpy ended with status \(status)") }
    return reader.work
  }

  // MARK: nfc-mfultralight

  /// `nfc-mfultralight w`, which writes the whole memory, then `r`, each from opening to closing the reader.
  private static func mfultralight(_ job: TagJob) throws(BenchmarkError) -> ReaderWorkCount {
    let environment = ProcessInfo.processInfo.environment
    let path = try found("nfc-mfultralight", in: environment).orThrow(
      "nfc-mfultralight is not installed (Debian package libnfc-examples)")
    let reader = try reader(job, link: nil)
    defer { reader.stop() }
    let folder = try ScratchFolder()
    var memory = try reader.images.first.orThrow("no virtual tag").pages
    let start = 16 + job.chip.messageOffset
    let length = job.message.count
    let header: [UInt8] =
      length < 255
      ? [0x03, UInt8(length)] : [0x03, 0xFF, UInt8(length >> 8), UInt8(length & 0xFF)]
    memory.replaceSubrange(start..<start + header.count + length, with: header + job.message)
    try folder.write("tag.mfd", memory)
    let settings = [
      "LIBNFC_DEVICE": reader.connectionString, "LIBNFC_AUTO_SCAN": "false",
      "LIBNFC_LOG_LEVEL": "0",
    ]
    for (action, file) in [("w", "tag.mfd"), ("r", "again.mfd")] {
      _ = try run(path, [action, "\(folder.path)/\(file)"], settings)
    }
    let written = try reader.images.first.orThrow("no virtual tag").pages
    let message = start..<start + header.count + length
    guard written[message] == memory[message] else {
      throw BenchmarkError("nfc-mfultralight did not write the message")
    }
    return reader.work
  }

  // MARK: Parts

  private static func reader(
    _ job: TagJob, link: String?
  ) throws(BenchmarkError) -> VirtualReader {
    let image = try VirtualChips.make(name: job.chip.name, uid: uid).orThrow(
      "no virtual \(job.chip.name)")
    do throws(SystemError) {
      return try VirtualReader(
        configuration: VirtualReaderConfiguration(timing: .none, hold: .forever, link: link),
        deck: [DeckEntry(make: { image })])
    } catch {
      throw BenchmarkError(error.description)
    }
  }

  private static func found(_ name: String, in environment: [String: String]) -> String? {
    (environment["PATH"] ?? "").split(separator: ":").map { "\($0)/\(name)" }
      .first(where: Files.exists)
  }

  private static func run(
    _ path: String, _ arguments: [String], _ settings: [String: String] = [:]
  ) throws(BenchmarkError) -> Int32 {
    try ChildProcess.measured(path, arguments, settings).status
  }
}

extension ChildProcess {
  /// Runs a program with this process's variables and `settings`.
  static func measured(
    _ path: String, _ arguments: [String], _ settings: [String: String] = [:]
  ) throws(BenchmarkError) -> ChildProcess {
    let environment = ProcessInfo.processInfo.environment.merging(settings) { $1 }
    do throws(SystemError) {
      return try ChildProcess(running: path, arguments, environment: environment)
    } catch {
      throw BenchmarkError(error.description)
    }
  }
}
