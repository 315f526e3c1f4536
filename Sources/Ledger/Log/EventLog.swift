internal import Glibc
internal import Platform

/// The file that has each event's line, in the order of their numbers and without gaps.
///
/// The ledger is the record and the log its copy: what a dead process left out or left half is written
/// again from the ledger before anything follows it. Lines are not synced one by one: what a power cut
/// took or garbled after the last sync, which the mark knows, is written again too. Every call is made
/// under the ledger's lock.
final class EventLog {
  private let path: String
  private let events: EventStore
  private var file: OpenFile?
  /// What the file is and how it ended after the last write from here; `nil` if that is not known.
  private var known: State?
  /// The number in the mark as it was last read or written from here.
  private var marked: Int64?
  /// Up to which event the log is durable, as far as is known here.
  private var synced: Int64?
  /// Whether nothing was synced since the file was opened.
  ///
  /// The first lines are synced at once: a log that lost them all could not be told from a rotated one.
  private var isFresh = true

  /// Makes an optional of a descriptor that can be lent.
  private final class OpenFile {
    let descriptor: Descriptor
    init(_ descriptor: consuming Descriptor) { self.descriptor = descriptor }
  }

  private struct State: Equatable {
    var identity: FileIdentity
    var seq: Int64
  }

  /// The log at `path`, whose lines come from `events`; nothing is opened yet.
  init(at path: String, of events: EventStore) {
    self.path = path
    self.events = events
  }

  /// Where the log's mark lies.
  static func markPath(of log: String) -> String { "\(log).mark" }

  /// Opens the log if that is needed, makes sure that it belongs to the ledger, and mends it.
  ///
  /// Afterwards its last line is the ledger's last event.
  func catchUp() throws(LedgerError) {
    let head = try events.headSeq
    if let known, known.seq == head, known.identity == FileIdentity(of: path) { return }
    // A file that was rotated away keeps its lines.
    if let known, synced != known.seq { try synchronize(known.seq) }
    known = nil
    try onFile(at: path) { () throws(SystemError) in _ = try LedgerFiles.makeShared(path) }
    let mark = try LogMark(at: Self.markPath(of: path))
    let tail = try open(mark)
    let last = try begin(tail, mark, head: head)
    try append(after: try complete(tail, after: last), to: head)
  }

  /// Throws if the ledger is not the one the log was written from, or is older than the log, or if a line
  /// of the log is not the ledger's.
  ///
  /// Nothing is changed.
  func check() throws(LedgerError) {
    let mark = try LogMark(at: Self.markPath(of: path))
    let tail = Files.exists(path) ? try open(mark) : nil
    known = nil
    try check(tail, mark, head: try events.headSeq)
    if tail != nil { try checkLines() }
  }

  /// Compares every whole line with the ledger's; they follow each other without gaps.
  private func checkLines() throws(LedgerError) {
    guard let file else { return }
    var lines = LogLines(of: file.descriptor)
    var last: Int64?
    while let line = lines.next() {
      let seq = try events.number(of: line)
      let wanted = last.map { $0 + 1 } ?? seq
      guard let seq, seq == wanted, try events.line(seq) == line else {
        throw .damaged(
          detail: "line \(lines.count) of \(path) is not "
            + (wanted.map { "event \($0)" } ?? "an event"))
      }
      last = seq
    }
  }

  /// Appends the lines of the events after `last`, which is the log's last one, up to `head`.
  func append(after last: Int64, to head: Int64) throws(LedgerError) {
    known = nil
    var seq = last
    while seq < head {
      seq += 1
      guard let line = try events.line(seq) else {
        throw .damaged(detail: "event \(seq) is missing")
      }
      try add(line)
    }
    if isFresh && seq > last { try synchronize(seq) }
    if marked != seq { try mark(seq) }
    known = file.flatMap { FileIdentity(of: $0.descriptor) }.map { State(identity: $0, seq: seq) }
  }

  /// Makes the log and its mark durable, as far as the ledger goes now.
  func keep() throws(LedgerError) {
    guard let known else { return }
    if synced != known.seq { try synchronize(known.seq) }
    let mark = LogMark(ledger: events.identity, seq: known.seq, synced: synced)
    try mark.replace(at: Self.markPath(of: path))
    marked = known.seq
  }

  private func synchronize(_ seq: Int64) throws(LedgerError) {
    guard let file else { return }
    try onFile(at: path) { () throws(SystemError) in
      try file.descriptor.synchronize()
      if isFresh { try Files.synchronizeFolder(Files.folder(of: path)) }
    }
    synced = seq
    isFresh = false
  }

  private func open(_ mark: LogMark?) throws(LedgerError) -> LogTail {
    let opened = try onFile(at: path) { () throws(SystemError) in
      let opened = OpenFile(
        try Descriptor(opening: path, flags: O_RDWR | O_APPEND | O_NONBLOCK | O_NOCTTY))
      guard FileIdentity(of: opened.descriptor)?.isRegular == true else {
        throw SystemError("append to \(path)", code: EINVAL)
      }
      return opened
    }
    file = opened
    isFresh = true
    return try LogTail(of: opened.descriptor, syncedTo: mark?.synced) { line throws(LedgerError) in
      try events.number(of: line)
    }
  }

  /// The number of the last event that the log has, or had before it was rotated.
  ///
  /// A log without lines and mark begins where the ledger is now.
  private func begin(
    _ tail: LogTail, _ mark: LogMark?, head: Int64
  ) throws(LedgerError) -> Int64 {
    try check(tail, mark, head: head)
    let last = tail.seq ?? mark?.seq ?? head
    marked = mark?.seq
    synced = mark.map { $0.synced ?? last }
    if mark == nil {
      synced = last
      try self.mark(last)
    }
    return last
  }

  private func check(_ tail: LogTail?, _ mark: LogMark?, head: Int64) throws(LedgerError) {
    if let mark, mark.ledger != events.identity {
      throw .wentBack(
        detail: "\(path) was written from ledger \(mark.ledger), this one is \(events.identity)")
    }
    let highest = max(mark?.seq ?? 0, tail?.seq ?? 0)
    if highest > head {
      throw .wentBack(detail: "\(path) has event \(highest), the ledger ends at \(head)")
    }
    if let seq = tail?.seq, try events.line(seq) != tail?.line {
      throw .wentBack(detail: "event \(seq) in \(path) is not the ledger's")
    }
  }

  /// Completes a torn line that is the beginning of the next event's, or removes what cannot be used.
  private func complete(_ tail: LogTail, after last: Int64) throws(LedgerError) -> Int64 {
    if tail.torn.isEmpty { return last }
    if let line = try events.line(last + 1), line.starts(with: tail.torn) {
      try add(Array(line.dropFirst(tail.torn.count)))
      return last + 1
    }
    let size = tail.size - Int64(tail.torn.count)
    guard let file, ftruncate(file.descriptor.number, off_t(size)) == 0 else {
      throw LedgerError(.last("mend \(path)"), at: path)
    }
    return last
  }

  private func mark(_ seq: Int64) throws(LedgerError) {
    let mark = LogMark(ledger: events.identity, seq: seq, synced: synced)
    try mark.update(at: Self.markPath(of: path))
    marked = seq
  }

  private func add(_ line: [UInt8]) throws(LedgerError) {
    guard let file else { throw .io(detail: "\(path) is not open") }
    try onFile(at: path) { () throws(SystemError) in
      try file.descriptor.write(line + [0x0A])
    }
  }
}
