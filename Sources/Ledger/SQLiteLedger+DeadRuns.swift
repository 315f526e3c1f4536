internal import Bytes

extension SQLiteLedger {
  /// Runs that neither ended nor live.
  func deadRuns() throws(LedgerError) -> [(run: String, began: Int64)] {
    let open = try connection.all("SELECT run,began FROM run WHERE ended IS NULL ORDER BY began") {
      (run: $0.text(0), began: $0.integer(1))
    }
    var dead: [(run: String, began: Int64)] = []
    for candidate in open where try !isLive(run: candidate.run) { dead.append(candidate) }
    return dead
  }

  /// Settles the rows of dead runs and ends those runs in their own name; returns how many rows.
  ///
  /// Part of a transaction.
  @discardableResult
  func settleDead() throws(LedgerError) -> Int {
    var count = 0
    for dead in try deadRuns() {
      let origin =
        try events.origin(of: dead.began)
        ?? EventOrigin(station: nil, job: nil, run: dead.run, virtual: false)
      count += try settleRows(of: dead.run, as: origin)
      let ended = try events.append(
        "run.ended", of: origin,
        [
          ("exit", .null), ("reason", .string("died")),
          ("counts", try tagCounts(of: dead.run, since: dead.began)),
        ])
      try connection.run(
        "UPDATE run SET ended=? WHERE run=?", [.integer(ended), .text(dead.run)])
    }
    return count
  }

  /// Moves what a run left in `writing` to `free` and in `committing` to `inDoubt`, each with its tag's
  /// event; returns how many rows.
  @discardableResult
  func settleRows(of run: String, as origin: EventOrigin) throws(LedgerError) -> Int {
    let rows = try selectRows("run=? AND state IN('writing','committing')", [.text(run)])
    for row in rows {
      let isTorn = row.state == .writing
      let tag = TagRecord(
        reader: "", position: 0, uid: row.uid, series: row.series, key: row.key,
        outcome: isTorn ? .torn : .inDoubt, cause: .tagLost)
      try moveRow(row, to: isTorn ? .free : .inDoubt, step: nil, run: run)
      try insert(
        tag, of: origin,
        [
          ("reader", .null), ("position", .null), ("uid", row.uid.map { .string($0.hex) } ?? .null),
          ("series", .string(row.series)), ("row", .string(row.key)),
          ("outcome", .string(tag.outcome.rawValue)),
          ("cause", .string(Cause.tagLost.rawValue)),
        ])
    }
    return rows.count
  }

  /// Adds the event and the record of one tag; returns the event's number.
  @discardableResult
  func insert(
    _ tag: TagRecord, of origin: EventOrigin, _ fields: [EventField]
  ) throws(LedgerError) -> Int64 {
    let seq = try events.append("tag", of: origin, fields)
    try connection.run(
      """
      INSERT INTO tag(seq,run,reader,position,uid,series,key,outcome,cause,step)
      VALUES(?,?,?,?,?,?,?,?,?,?)
      """,
      [
        .integer(seq), .text(origin.run ?? ""), .text(tag.reader), SQLValue(tag.position),
        SQLValue(tag.uid), SQLValue(tag.series), SQLValue(tag.key), .text(tag.outcome.rawValue),
        SQLValue(tag.cause?.rawValue), SQLValue(tag.step),
      ])
    return seq
  }

  private func tagCounts(of run: String, since began: Int64) throws(LedgerError) -> JSON {
    let sql = """
      SELECT outcome,count(*) FROM tag WHERE seq>? AND run=? GROUP BY outcome ORDER BY outcome
      """
    return .object(
      try connection.all(sql, [.integer(began), .text(run)]) {
        (key: $0.text(0), value: .integer($0.integer(1)))
      })
  }
}
