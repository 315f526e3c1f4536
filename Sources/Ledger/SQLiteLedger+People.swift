internal import Bytes

extension SQLiteLedger {
  package func release(series: String, key: String, reason: String) throws(LedgerError) {
    try changeByPerson("release", series, key, reason, from: [.inDoubt, .onTag], to: .free)
  }

  package func reissue(series: String, key: String, reason: String) throws(LedgerError) {
    try changeByPerson("reissue", series, key, reason, from: [.done], to: .free)
  }

  package func void(series: String, key: String, reason: String) throws(LedgerError) {
    try changeByPerson(
      "void", series, key, reason, from: [.free, .onTag, .inDoubt, .done], to: .void)
  }

  package func acceptRecord(
    series: String, key: String, record: [UInt8], place: String, reason: String
  ) throws(LedgerError) {
    guard hasText(reason) else { throw .refused(detail: "a changed record needs a reason") }
    try self.record { () throws(LedgerError) in
      let row = try used(series, key)
      try append("acceptChange", to: row, reason)
      try connection.run(
        "UPDATE row SET record=?,place=? WHERE series=? AND key=?",
        [.blob(record), .text(place), .text(series), .text(key)])
      try connection.seal(series: series, key: key)
    }
  }

  private func changeByPerson(
    _ action: String, _ series: String, _ key: String, _ reason: String, from states: [RowState],
    to state: RowState
  ) throws(LedgerError) {
    guard hasText(reason) else { throw .refused(detail: "\(action) needs a reason") }
    try record { () throws(LedgerError) in
      try settleDead()
      let row = try used(series, key)
      guard states.contains(row.state) else {
        throw .refused(
          detail: "row \(key) of series \(series) is \(row.state.rawValue); "
            + "\(action) is for rows that are \(list(states))")
      }
      let seq = try append(action, to: row, reason)
      // A random UID says nothing about the next tag that has it.
      if state == .free, row.fixed, let uid = row.uid {
        try connection.run(
          "INSERT OR REPLACE INTO refused(series,uid,key,seq) VALUES(?,?,?,?)",
          [.text(series), .blob(uid), .text(key), .integer(seq)])
      }
      try moveRow(row, to: state, step: nil, run: nil)
    }
  }

  private func used(_ series: String, _ key: String) throws(LedgerError) -> LedgerRow {
    guard let row = try row(series: series, key: key) else {
      throw .refused(detail: "series \(series) has no row \(key) that was ever in use")
    }
    return row
  }

  @discardableResult
  private func append(
    _ action: String, to row: LedgerRow, _ reason: String
  ) throws(LedgerError) -> Int64 {
    try events.append(
      "ledger.changed", of: try origin(of: row),
      [
        ("by", .string("person")), ("action", .string(action)), ("series", .string(row.series)),
        ("key", .string(row.key)), ("reason", .string(reason)),
      ])
  }

  /// A person's event has no run; its job is that of the run that had the row last.
  private func origin(of row: LedgerRow) throws(LedgerError) -> EventOrigin {
    let lastRun: String? =
      if let run = row.run {
        run
      } else {
        try connection.first(
          "SELECT run FROM tag WHERE series=? AND key=? ORDER BY seq DESC LIMIT 1",
          [.text(row.series), .text(row.key)]
        ) { $0.text(0) }
      }
    let none = EventOrigin(station: station, job: nil, run: nil, virtual: false)
    guard let lastRun else { return none }
    let began = try connection.first("SELECT began FROM run WHERE run=?", [.text(lastRun)]) {
      $0.integer(0)
    }
    guard let began, let origin = try events.origin(of: began) else { return none }
    return EventOrigin(station: station, job: origin.job, run: nil, virtual: origin.virtual)
  }

  private func list(_ states: [RowState]) -> String {
    let words = states.map(\.rawValue)
    guard words.count > 1, let last = words.last else { return words.first ?? "" }
    return "\(words.dropLast().joined(separator: ", ")) or \(last)"
  }
}
