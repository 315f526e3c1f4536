internal import Bytes

extension SQLiteLedger {
  package func row(series: String, key: String) throws(LedgerError) -> LedgerRow? {
    try selectRows("series=? AND key=?", [.text(series), .text(key)]).first
  }

  package func row(series: String, uid: [UInt8]) throws(LedgerError) -> LedgerRow? {
    // The states are spelled as in the index `row_uid_once`, which SQLite uses only then.
    try selectRows(
      """
      series=? AND uid=? AND fixed AND state IN('writing','committing','onTag','inDoubt','done')
      """, [.text(series), .blob(uid)]
    ).first
  }

  package func refusal(series: String, uid: [UInt8]) throws(LedgerError) -> String? {
    try connection.first(
      "SELECT key FROM refused WHERE series=? AND uid=?", [.text(series), .blob(uid)]
    ) { $0.text(0) }
  }

  package func counts(series: String) throws(LedgerError) -> [RowState: Int] {
    let sql = "SELECT state,count(*) FROM row WHERE series=? GROUP BY state"
    var counts: [RowState: Int] = [:]
    for (state, count) in try connection.all(sql, [.text(series)], { ($0.text(0), $0.integer(1)) })
    {
      counts[try known(state)] = Int(count)
    }
    return counts
  }

  package func rows(series: String?, state: RowState?) throws(LedgerError) -> [LedgerRow] {
    // What is free is few and asked for at every tag; SQLite does not find that index by itself.
    let index = state == .free ? "row_free" : nil
    var conditions: [String] = []
    if series != nil { conditions.append("series=?") }
    if let state { conditions.append("state='\(state.rawValue)'") }
    return try selectRows(
      conditions.isEmpty ? "true" : conditions.joined(separator: " AND "),
      series.map { [.text($0)] } ?? [], by: index)
  }

  package func hasRows(series: String) throws(LedgerError) -> Bool {
    try connection.first("SELECT 1 FROM row WHERE series=? LIMIT 1", [.text(series)]) { _ in true }
      ?? false
  }

  /// The rows that fit a condition, in the order of series and key.
  func selectRows(
    _ condition: String, _ values: [SQLValue], by index: String? = nil
  ) throws(LedgerError) -> [LedgerRow] {
    let sql = """
      SELECT series,key,serial,record,place,state,uid,fixed,message,step,run FROM row
      \(index.map { "INDEXED BY \($0)" } ?? "")
      WHERE \(condition) ORDER BY series,key
      """
    let rows = try connection.all(sql, values) { row in
      RowState(rawValue: row.text(5)).map { state in
        LedgerRow(
          series: row.text(0), key: row.text(1), serial: row.optionalInteger(2).map { Int($0) },
          record: row.bytes(3), place: row.text(4), state: state, uid: row.optionalBytes(6),
          fixed: row.integer(7) != 0, message: row.optionalBytes(8),
          step: row.optionalInteger(9).flatMap { Int(exactly: $0) }, run: row.optionalText(10))
      }
    }
    return try rows.map { row throws(LedgerError) in
      guard let row else { throw LedgerError.damaged(detail: "a row has no known state") }
      return row
    }
  }

  private func known(_ state: String) throws(LedgerError) -> RowState {
    guard let state = RowState(rawValue: state) else {
      throw .damaged(detail: "a row has no known state")
    }
    return state
  }
}
