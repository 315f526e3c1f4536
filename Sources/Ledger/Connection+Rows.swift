extension Connection {
  /// A row with the sum that stands beside it.
  typealias SealedRow = (row: LedgerRow, sum: [UInt8])

  private static let columns =
    "series,key,serial,record,place,state,uid,fixed,message,step,run,sum"

  /// The rows that fit a condition, in the order of series and key.
  func rows(
    _ condition: String, _ values: [SQLValue], by index: String? = nil
  ) throws(LedgerError) -> [SealedRow] {
    let sql = """
      SELECT \(Self.columns) FROM row \(index.map { "INDEXED BY \($0)" } ?? "")
      WHERE \(condition) ORDER BY series,key
      """
    return try all(sql, values, Self.row).map { row throws(LedgerError) in
      guard let row else { throw LedgerError.damaged(detail: "a row has no known state") }
      return row
    }
  }

  /// Gives every row that fits a condition to `visit` until that returns `false`.
  func eachRow(
    _ condition: String, _ values: [SQLValue] = [], _ visit: (LedgerRow, [UInt8]) -> Bool
  ) throws(LedgerError) {
    var isSound = true
    let sql = "SELECT \(Self.columns) FROM row WHERE \(condition) ORDER BY series,key"
    try each(sql, values) { statement in
      guard let row = Self.row(statement) else {
        isSound = false
        return false
      }
      return visit(row.row, row.sum)
    }
    if !isSound { throw .damaged(detail: "a row has no known state") }
  }

  /// Keeps the sum of a row as it is now; part of each transaction that changes one.
  func seal(series: String, key: String) throws(LedgerError) {
    for found in try rows("series=? AND key=?", [.text(series), .text(key)]) {
      try run(
        "UPDATE row SET sum=? WHERE series=? AND key=?",
        [.blob(RowSum.of(found.row)), .text(series), .text(key)])
    }
  }

  /// Keeps the sum of every row; part of the transaction that brings sums in.
  func sealAll() throws(LedgerError) {
    var last = (series: "", key: "")
    while true {
      // In pieces, so that a ledger of any size takes the same memory.
      let keys = try all(
        "SELECT series,key FROM row WHERE (series,key)>(?,?) ORDER BY series,key LIMIT 1000",
        [.text(last.series), .text(last.key)]
      ) { (series: $0.text(0), key: $0.text(1)) }
      for row in keys { try seal(series: row.series, key: row.key) }
      guard let end = keys.last else { return }
      last = end
    }
  }

  private static func row(_ row: Statement) -> SealedRow? {
    RowState(rawValue: row.text(5)).map { state in
      let made = LedgerRow(
        series: row.text(0), key: row.text(1), serial: row.optionalInteger(2).map { Int($0) },
        record: row.bytes(3), place: row.text(4), state: state, uid: row.optionalBytes(6),
        fixed: row.integer(7) != 0, message: row.optionalBytes(8),
        step: row.optionalInteger(9).flatMap { Int(exactly: $0) }, run: row.optionalText(10))
      return (made, row.bytes(11))
    }
  }
}
