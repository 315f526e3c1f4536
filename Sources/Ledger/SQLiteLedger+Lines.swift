extension SQLiteLedger {
  /// The log lines of one run's events that came after `seq`, and the number of the ledger's last event.
  package func lines(
    after seq: Int64, ofRun run: String
  ) throws(LedgerError) -> (lines: [String], last: Int64) {
    let last = try head
    if last <= seq { return ([], last) }
    let sql = """
      SELECT line FROM event WHERE seq>? AND seq<=? AND json_extract(line,'$.run')=? ORDER BY seq
      """
    let lines = try connection.all(sql, [.integer(seq), .integer(last), .text(run)]) { $0.text(0) }
    return (lines, last)
  }
}
