/// A way of counting serial numbers in one series.
struct SerialCounting: Hashable {
  var series: String
  var from: Int
  var step: Int
}

extension SQLiteLedger {
  package func nextSerial(
    series: String, from: Int, step: Int, count: Int?
  ) throws(LedgerError) -> Int? {
    let counting = SerialCounting(series: series, from: from, step: step)
    // A number once given stays given, so what was seen taken need not be looked at again.
    guard let serial = try firstGap(counting, from: serialFloors[counting] ?? from) else {
      return nil
    }
    serialFloors[counting] = serial
    guard let count else { return serial }
    let (last, overflow) = step.multipliedReportingOverflow(by: max(count - 1, 0))
    let (end, beyond) = from.addingReportingOverflow(last)
    if count <= 0 { return nil }
    if overflow || beyond { return serial }
    return (step < 0 ? serial >= end : serial <= end) ? serial : nil
  }

  /// The first number from `start` on, in the counting's steps, that no row has; `nil` past all numbers.
  private func firstGap(_ counting: SerialCounting, from start: Int) throws(LedgerError) -> Int? {
    let falls = counting.step < 0
    let sql = """
      SELECT serial FROM row WHERE series=? AND serial IS NOT NULL
      AND serial\(falls ? "<=" : ">=")? ORDER BY serial \(falls ? "DESC" : "ASC")
      """
    var candidate: Int? = start
    try connection.each(sql, [.text(counting.series), SQLValue(start)]) { row in
      guard let wanted = candidate else { return false }
      let taken = Int(row.integer(0))
      if taken == wanted {
        let (next, overflow) = wanted.addingReportingOverflow(counting.step)
        candidate = overflow || counting.step == 0 ? nil : next
      }
      return falls ? taken >= wanted : taken <= wanted
    }
    return candidate
  }
}
