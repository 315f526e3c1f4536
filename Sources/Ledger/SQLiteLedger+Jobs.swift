internal import Bytes

extension SQLiteLedger {
  package func writesDigest(series: String, job: String) throws(LedgerError) -> [UInt8]? {
    try connection.first(
      "SELECT writes FROM job WHERE series=? AND job=?", [.text(series), .text(job)]
    ) { $0.bytes(0) }
  }

  package func setWritesDigest(
    series: String, job: String, digest: [UInt8], reason: String?
  ) throws(LedgerError) {
    let old = try writesDigest(series: series, job: job)
    if old == digest { return }
    let set = { () throws(LedgerError) -> Void in
      _ = try self.connection.run(
        """
        INSERT INTO job(series,job,writes) VALUES(?,?,?)
        ON CONFLICT(series,job) DO UPDATE SET writes=excluded.writes
        """, [.text(series), .text(job), .blob(digest)])
    }
    if old == nil { return try change(set) }
    guard let reason, hasText(reason) else {
      throw .refused(detail: "what job \(job) writes in series \(series) changed; say why")
    }
    try record { () throws(LedgerError) in
      try set()
      _ = try events.append(
        "ledger.changed",
        of: EventOrigin(station: station, job: job, run: nil, virtual: run?.virtual ?? false),
        [
          ("by", .string("person")), ("action", .string("acceptChange")),
          ("series", .string(series)), ("key", .null), ("reason", .string(reason)),
        ])
    }
  }

  package func wasChecked(_ digest: [UInt8]) throws(LedgerError) -> Bool {
    try connection.first("SELECT 1 FROM checked WHERE digest=?", [.blob(digest)]) { _ in true }
      ?? false
  }

  package func rememberChecked(_ digest: [UInt8]) throws(LedgerError) {
    if try wasChecked(digest) { return }
    try change { () throws(LedgerError) in
      _ = try connection.run("INSERT OR IGNORE INTO checked(digest) VALUES(?)", [.blob(digest)])
    }
  }

  /// Whether a reason says anything.
  func hasText(_ reason: String) -> Bool { !reason.allSatisfy(\.isWhitespace) }
}
