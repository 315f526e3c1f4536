internal import Glibc
internal import Platform

/// The file that has each event's line, in the order of their numbers and without gaps.
///
/// The ledger is the record and the log its copy: what a dead process left out or left half is written
/// again from the ledger before anything follows it. Every call is made under the ledger's lock.
final class EventLog {
  private let path: String
  private let events: EventStore
  private var file: OpenFile?
  /// What the file is and how it ended after the last write from here; `nil` if that is not known.
  private var known: State?
  /// The number in the mark as it was last read or written from here.
  private var marked: Int64?

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
    known = nil
    try onFile(at: path) { () throws(SystemError) in _ = try LedgerFiles.makeShared(path) }
    let tail = try open()
    let last = try begin(tail, head: head)
    try append(after: try complete(tail, after: last), to: head)
  }

  /// Throws if the ledger is not the one the log was written from, or is older than the log.
  ///
  /// Nothing is changed.
  func check() throws(LedgerError) {
    let tail = Files.exists(path) ? try open() : nil
    known = nil
    _ = try check(tail, head: try events.headSeq)
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
    if marked != seq { try mark(seq, durable: false) }
    known = file.flatMap { FileIdentity(of: $0.descriptor) }.map { State(identity: $0, seq: seq) }
  }

  /// Makes the mark durable, as far as the ledger goes now.
  func keepMark() throws(LedgerError) { try mark(try events.headSeq, durable: true) }

  private func open() throws(LedgerError) -> LogTail {
    let opened = try onFile(at: path) { () throws(SystemError) in
      let opened = OpenFile(
        try Descriptor(opening: path, flags: O_RDWR | O_APPEND | O_NONBLOCK | O_NOCTTY))
      guard FileIdentity(of: opened.descriptor)?.isRegular == true else {
        throw SystemError("append to \(path)", code: EINVAL)
      }
      return opened
    }
    file = opened
    return try LogTail(of: opened.descriptor) { line throws(LedgerError) in
      try events.number(of: line)
    }
  }

  /// The number of the last event that the log has, or had before it was rotated.
  ///
  /// A log without lines and mark begins where the ledger is now.
  private func begin(_ tail: LogTail, head: Int64) throws(LedgerError) -> Int64 {
    let mark = try check(tail, head: head)
    let last = tail.seq ?? mark?.seq ?? head
    marked = mark?.seq
    if mark == nil { try self.mark(last, durable: true) }
    return last
  }

  private func check(_ tail: LogTail?, head: Int64) throws(LedgerError) -> LogMark? {
    let mark = try LogMark(at: Self.markPath(of: path))
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
    return mark
  }

  /// Completes a torn line that is the beginning of the next event's, or removes it.
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

  private func mark(_ seq: Int64, durable: Bool) throws(LedgerError) {
    let mark = LogMark(ledger: events.identity, seq: seq)
    try mark.write(to: Self.markPath(of: path), durable: durable)
    marked = seq
  }

  private func add(_ line: [UInt8]) throws(LedgerError) {
    guard let file else { throw .io(detail: "\(path) is not open") }
    try onFile(at: path) { () throws(SystemError) in
      try file.descriptor.write(line + [0x0A])
    }
  }
}
