internal import Bytes
internal import CSystem
internal import Glibc
package import Platform

/// Who uses a reader and who waits for it, first come first served, across processes.
///
/// Each run draws a ticket: a file in the runtime folder whose number says the order and whose lock
/// (flock(2)) says that its process lives. The lowest living ticket has the reader; a killed process lets its
/// lock go with its life, so nothing has to be cleaned up before the next one goes on.
package struct ReaderQueue: Sendable {
  private let folder: String
  private let name: String

  /// The queue of the reader whose lock file or device node is `path`; `folder` is another one in tests.
  package init(of path: String, in folder: String? = nil) throws(SystemError) {
    if let folder {
      self.folder = folder
    } else {
      self.folder = try RuntimeFolder.path()
    }
    name = Self.name(of: Files.real(path) ?? path)
  }

  /// The queue of `source`, found by what its runs lock.
  package init(of source: ReaderSource) throws(ReaderError) {
    let connection = try source.connection()
    let path = source.virtual?.lockPath ?? connection.devicePath ?? source.name
    do throws(SystemError) {
      try self.init(of: path)
    } catch {
      throw .fault(operation: "queue", detail: error.description)
    }
  }

  /// Everyone in the queue, the holder first.
  package func entries() -> [QueueEntry] {
    let names = (try? Files.names(in: folder)) ?? []
    return names.compactMap { file in
      guard let number = number(of: file), isLive(file) else { return nil }
      return QueueEntry(number: number, text: text(of: file))
    }
  }

  /// Draws a ticket at the end of the queue.
  func draw(_ run: QueueEntry.Run) throws(SystemError) -> ReaderTicket {
    let gate = try FileLock(waitingFor: "\(folder)/\(name).gate", limit: .seconds(10), mode: 0o666)
    let names = try Files.names(in: folder)
    let numbers = names.compactMap(number(of:))
    // Numbers go on after the last one drawn, also when all tickets are gone.
    let drawn = Int(String(decoding: try gate.content(), as: UTF8.self).prefix { $0.isNumber })
    let number = max(numbers.max() ?? 0, drawn ?? 0) + 1
    let path = "\(folder)/\(name).\(Self.digits(number))"
    let ticket = try ReaderTicket(path: path, number: number, queue: self, run: run)
    try gate.setContent(Array("\(number)\n".utf8))
    gate.release()
    return ticket
  }

  /// Draws a ticket for a job that waits at most `wait`.
  package func draw(
    job: String, station: String, for wait: Duration
  ) throws(ReaderError) -> ReaderTicket {
    let now = WallTime.now()
    let run = QueueEntry.Run(
      job: job, station: station, since: WallTime.text(now),
      until: wait > .zero ? WallTime.text(now + wait / .seconds(1)) : "")
    do throws(SystemError) {
      return try draw(run)
    } catch {
      throw .fault(operation: "queue", detail: error.description)
    }
  }

  /// Whether no living ticket is lower than `number`.
  func isFirst(_ number: Int) -> Bool {
    let names = (try? Files.names(in: folder)) ?? []
    for file in names {
      guard let other = self.number(of: file), other < number else { continue }
      if isLive(file) { return false }
      // Its process died; what remains is swept by whoever may.
      unsafe unlink("\(folder)/\(file)")
    }
    return true
  }

  private func text(of file: String) -> String {
    String(decoding: (try? Files.read("\(folder)/\(file)", limit: 4096)) ?? [], as: UTF8.self)
  }

  /// Whether the process that drew the ticket still lives: its lock cannot be had.
  private func isLive(_ file: String) -> Bool {
    let number = unsafe tagstation_open("\(folder)/\(file)", O_RDONLY | O_NONBLOCK, 0)
    guard number >= 0 else { return false }
    let descriptor = Descriptor(owning: number)
    let isFree = flock(descriptor.number, LOCK_SH | LOCK_NB) == 0
    if isFree { flock(descriptor.number, LOCK_UN) }
    return !isFree
  }

  private func number(of file: String) -> Int? {
    guard file.hasPrefix("\(name)."), file.utf8.count == name.utf8.count + 13 else { return nil }
    return Int(file.suffix(12))
  }

  private static func digits(_ number: Int) -> String {
    let text = String(number)
    return String(repeating: "0", count: max(0, 12 - text.utf8.count)) + text
  }

  /// A file name for the path: its letters, and a digest (FNV-1a, 64 bits) that keeps two paths apart.
  private static func name(of path: String) -> String {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in path.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    let bytes = (0..<8).map { UInt8(truncatingIfNeeded: hash >> (56 - 8 * $0)) }
    let letters = path.utf8.suffix(40).map { byte -> UInt8 in
      let isPlain =
        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
      return isPlain ? byte : UInt8(ascii: "-")
    }
    return "\(String(decoding: letters, as: UTF8.self))-\(bytes.hex)"
  }
}

/// One place in a reader's queue.
package struct QueueEntry: Sendable, Equatable {
  /// Who draws a ticket.
  package struct Run: Sendable, Equatable {
    package var job: String
    package var station: String
    /// RFC 3339, in UTC.
    package var since: String
    /// Until when it waits; empty where it has no end.
    package var until: String

    package init(job: String, station: String, since: String, until: String) {
      self.job = job
      self.station = station
      self.since = since
      self.until = until
    }
  }

  package var number: Int
  package var process: Int32
  package var run: Run

  /// The ticket's text: a line for each member, so that `cat` shows it to people.
  static func text(_ run: Run) -> String {
    func line(_ text: String) -> String {
      String(String.UnicodeScalarView(text.unicodeScalars.filter { !$0.actsOnDisplay }))
    }
    return """
      process \(getpid())
      job \(line(run.job))
      station \(line(run.station))
      since \(line(run.since))
      until \(line(run.until))

      """
  }

  init(number: Int, text: String) {
    self.number = number
    var members: [Substring: String] = [:]
    for line in text.split(separator: "\n") {
      let parts = line.split(separator: " ", maxSplits: 1)
      if parts.count == 2 { members[parts[0]] = String(parts[1]) }
    }
    process = members["process"].flatMap { Int32($0) } ?? 0
    run = Run(
      job: members["job"] ?? "", station: members["station"] ?? "",
      since: members["since"] ?? "", until: members["until"] ?? "")
  }

  /// For people: `job loyalty-cards (process 1234) since 2026-01-02T03:04:05.678Z`.
  package var text: String { "job \(run.job) (process \(process)) since \(run.since)" }
}

/// A place in a reader's queue, given up when it goes out of scope or its process ends.
package final class ReaderTicket: Sendable {
  private let queue: ReaderQueue
  private let number: Int
  private let path: String
  private let lock: FileLock

  init(
    path: String, number: Int, queue: ReaderQueue, run: QueueEntry.Run
  ) throws(SystemError) {
    // Somebody may look at the new file for a moment.
    let lock = try FileLock(waitingFor: path, limit: .seconds(1), mode: 0o644)
    self.path = path
    self.number = number
    self.queue = queue
    try lock.setContent(Array(QueueEntry.text(run).utf8))
    self.lock = lock
  }

  deinit { unsafe unlink(path) }

  /// Whether it is this ticket's turn.
  package var isFirst: Bool { queue.isFirst(number) }

  /// Who has the reader while it is not this ticket's turn.
  package var holder: QueueEntry? {
    let entries = queue.entries()
    return entries.first { $0.number < number }
  }

  /// Whether someone waits behind this ticket.
  package var isWaitedFor: Bool { queue.entries().contains { $0.number > number } }
}
