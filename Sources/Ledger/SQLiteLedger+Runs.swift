internal import Bytes
internal import Platform

extension SQLiteLedger {
  package func begin(_ run: RunRecord, _ fields: [EventField]) throws(LedgerError) {
    guard self.run == nil else { throw .impossible(detail: "a run began twice") }
    guard isRunName(run.run) else {
      throw .impossible(detail: "run \(run.run) is not 1 to 64 letters and digits")
    }
    var lock: FileLock?
    let take = { () throws(LedgerError) in lock = try RunLocks(self.files).hold(run.run) }
    let tidy = { () throws(LedgerError) in
      try self.log?.keep()
      try RunLocks(self.files).sweep()
    }
    try record(before: take, after: tidy) { () throws(LedgerError) in
      try settleDead()
      let seq = try events.append(
        "run.began", of: EventOrigin(run), [("ledger", .string(identity))] + fields)
      try connection.run(
        "INSERT INTO run(run,job,began) VALUES(?,?,?)",
        [.text(run.run), .text(run.job), .integer(seq)])
    }
    self.run = run
    runLock = lock.take()
  }

  package func end(exit: Int32, _ fields: [EventField]) throws(LedgerError) {
    let run = try current()
    let all =
      fields.contains { $0.key == "exit" } ? fields : [("exit", .integer(Int64(exit)))] + fields
    let tidy = { () throws(LedgerError) in
      try self.log?.keep()
      RunLocks(self.files).remove(run.run)
    }
    try record(after: tidy) { () throws(LedgerError) in
      try settleRows(of: run.run, as: EventOrigin(run))
      let seq = try events.append("run.ended", of: EventOrigin(run), all)
      try connection.run(
        "UPDATE run SET ended=?,exit=? WHERE run=?",
        [.integer(seq), .integer(Int64(exit)), .text(run.run)])
    }
    runLock = nil
    seriesLock = nil
    self.run = nil
  }

  package func holdSeries(_ series: String, alone: Bool) throws(LedgerError) -> Bool {
    _ = try current()
    let path = files.series(series)
    do throws(SystemError) {
      try LedgerFiles.makeShared(path)
      seriesLock = try FileLock(trying: path, shared: !alone)
      return true
    } catch {
      if error.isLocked { return false }
      throw LedgerError(error, at: path)
    }
  }

  @discardableResult
  package func append(_ event: String, _ fields: [EventField]) throws(LedgerError) -> Int64 {
    let run = try current()
    return try record { () throws(LedgerError) in
      try events.append(event, of: EventOrigin(run), fields)
    }
  }

  package func isLive(run name: String) throws(LedgerError) -> Bool {
    if name == run?.run { return true }
    return isRunName(name) ? try RunLocks(files).isHeld(name) : false
  }

  package func beginning(of name: String) throws(LedgerError) -> String? {
    let line = try connection.first(
      "SELECT line FROM event WHERE seq=(SELECT began FROM run WHERE run=?)", [.text(name)]
    ) { $0.text(0) }
    guard let line, let mark = line.firstRange(of: "\"time\":\"") else { return nil }
    return String(line[mark.upperBound...].prefix { $0 != "\"" })
  }

  package func settleDeadRuns() throws(LedgerError) -> Int {
    if try deadRuns().isEmpty { return 0 }
    return try record { () throws(LedgerError) in try settleDead() }
  }

  /// The run that has begun.
  func current() throws(LedgerError) -> RunRecord {
    guard let run else { throw .impossible(detail: "no run has begun") }
    return run
  }

  private func isRunName(_ name: String) -> Bool {
    (1...64).contains(name.utf8.count)
      && name.utf8.allSatisfy {
        (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0)
      }
  }
}
