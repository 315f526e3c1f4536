internal import Bytes
internal import Digests

/// The ledger's events: numbered without gaps from 1 and chained by their hashes.
final class EventStore {
  /// The ledger's identity.
  let identity: String
  /// Whether these are the events of a rehearsal, which have no numbers in their lines.
  private let isRehearsal: Bool
  private let connection: Connection
  private let now: @Sendable () -> EventTime

  /// What stands before the first event's line when its hash is made.
  static let genesis = [UInt8](repeating: 0, count: 32)

  init(
    identity: String, on connection: Connection, isRehearsal: Bool = false,
    now: @escaping @Sendable () -> EventTime
  ) {
    self.identity = identity
    self.isRehearsal = isRehearsal
    self.connection = connection
    self.now = now
  }

  /// SHA-256 of the previous event's hash and the line.
  static func hash(after previous: [UInt8], _ line: [UInt8]) -> [UInt8] {
    SHA256.digest(of: previous + line)
  }

  /// The number of the last event, zero if there is none.
  var headSeq: Int64 {
    get throws(LedgerError) { try head.seq }
  }

  /// The last event's number and hash.
  var head: (seq: Int64, hash: [UInt8]) {
    get throws(LedgerError) {
      try connection.first("SELECT seq,hash FROM event ORDER BY seq DESC LIMIT 1") {
        ($0.integer(0), $0.bytes(1))
      } ?? (0, Self.genesis)
    }
  }

  /// The line of an event, without its line feed.
  func line(_ seq: Int64) throws(LedgerError) -> [UInt8]? {
    try connection.first("SELECT line FROM event WHERE seq=?", [.integer(seq)]) { $0.bytes(0) }
  }

  /// The number that a line carries, if it is the line of an event.
  func number(of line: [UInt8]) throws(LedgerError) -> Int64? {
    let text = String(decoding: line, as: UTF8.self)
    let sql = """
      SELECT CASE WHEN json_valid(?1) THEN
        CASE WHEN json_type(?1,'$.seq')='integer' THEN json_extract(?1,'$.seq') END END
      """
    return try connection.first(sql, [.text(text)]) { $0.optionalInteger(0) } ?? nil
  }

  /// Whose event it was.
  func origin(of seq: Int64) throws(LedgerError) -> EventOrigin? {
    let sql = """
      SELECT json_extract(line,'$.station'),json_extract(line,'$.job'),json_extract(line,'$.run'),
        json_extract(line,'$.virtual') FROM event WHERE seq=?
      """
    return try connection.first(sql, [.integer(seq)]) {
      EventOrigin(
        station: $0.optionalText(0), job: $0.optionalText(1), run: $0.optionalText(2),
        virtual: $0.integer(3) != 0)
    }
  }

  /// Adds an event within the open transaction; returns its number.
  func append(
    _ event: String, of origin: EventOrigin, _ fields: [EventField]
  ) throws(LedgerError) -> Int64 {
    let last = try head
    let seq = last.seq + 1
    let text = { (value: String?) -> JSON in value.map { .string($0) } ?? .null }
    let common: [EventField] = [
      ("v", .integer(1)), ("time", .string(now().text)), ("event", .string(event)),
      ("station", text(origin.station)), ("job", text(origin.job)), ("run", text(origin.run)),
      ("seq", isRehearsal ? .null : .integer(seq)),
      ("virtual", .bool(origin.virtual)),
    ]
    let line = JSON.object(common + fields).text
    try connection.run(
      "INSERT INTO event(seq,line,hash) VALUES(?,?,?)",
      [.integer(seq), .text(line), .blob(Self.hash(after: last.hash, Array(line.utf8)))])
    return seq
  }
}
