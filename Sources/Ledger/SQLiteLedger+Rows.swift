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

  package func row(series: String, message: [UInt8]) throws(LedgerError) -> LedgerRow? {
    // `NOT fixed` is spelled as in the index `row_message`, which SQLite uses only then.
    let rows = try selectRows(
      "series=? AND message=? AND NOT fixed", [.text(series), .blob(message)], by: "row_message")
    for state in [RowState.onTag, .inDoubt, .done] {
      if let row = rows.first(where: { $0.state == state }) { return row }
    }
    return nil
  }

  package func eachUsedRow(
    series: String, _ visit: (_ key: String, _ state: RowState, _ record: [UInt8]) -> Void
  ) throws(LedgerError) {
    var last: LedgerRow?
    try connection.eachRow("series=?", [.text(series)]) { row, sum in
      guard sum == RowSum.of(row) else {
        last = row
        return false
      }
      if row.state != .free { visit(row.key, row.state, row.record) }
      return true
    }
    if let last { throw changed(last) }
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
    try connection.rows(condition, values, by: index).map { found throws(LedgerError) in
      if found.sum != RowSum.of(found.row) { throw changed(found.row) }
      return found.row
    }
  }

  /// Every row has the sum that was kept with it; throws at the first that has not.
  func verifySums() throws(LedgerError) {
    var last: LedgerRow?
    try connection.eachRow("true") { row, sum in
      if sum == RowSum.of(row) { return true }
      last = row
      return false
    }
    if let last { throw changed(last) }
  }

  private func changed(_ row: LedgerRow) -> LedgerError {
    .damaged(detail: "row \(row.key) of series \(row.series) was changed by something else")
  }

  private func known(_ state: String) throws(LedgerError) -> RowState {
    guard let state = RowState(rawValue: state) else {
      throw .damaged(detail: "a row has no known state")
    }
    return state
  }
}
