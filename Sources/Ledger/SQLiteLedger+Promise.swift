internal import Bytes

extension SQLiteLedger {
  package func startWriting(_ claim: RowClaim) throws(LedgerError) -> ClaimResult {
    let run = try current()
    return try change { () throws(LedgerError) in
      let old = try row(series: claim.series, key: claim.key)
      let rewrites = claim.again && old?.state == .done && old?.uid == claim.uid
      if claim.fixed {
        if let holder = try row(series: claim.series, uid: claim.uid),
          !(rewrites && holder.key == claim.key)
        {
          return .uidTaken(key: holder.key)
        }
        if let key = try refusal(series: claim.series, uid: claim.uid) {
          return .uidTaken(key: key)
        }
      }
      if let old, old.state != .free, !rewrites { return .rowTaken }
      if let serial = claim.serial {
        if let kept = old?.serial, kept != serial { return .serialTaken }
        if let key = try keyOfSerial(serial, series: claim.series), key != claim.key {
          return .serialTaken
        }
      }
      try insert(claim, run: run.run)
      return .claimed
    }
  }

  package func startCommitting(series: String, key: String) throws(LedgerError) {
    try move(series: series, key: key, to: .committing, step: nil)
  }

  package func move(
    series: String, key: String, to state: RowState, step: Int?
  ) throws(LedgerError) {
    let run = try current()
    try change { () throws(LedgerError) in
      try apply(RowChange(series: series, key: key, state: state, step: step), run: run.run)
    }
  }

  @discardableResult
  package func settle(
    _ tag: TagRecord, _ change: RowChange?, _ fields: [EventField]
  ) throws(LedgerError) -> Int64 {
    let run = try current()
    return try record { () throws(LedgerError) in
      if let change { try apply(change, run: run.run) }
      return try insert(tag, of: EventOrigin(run), fields)
    }
  }

  /// Writes a row's next state; whether it may follow is the caller's to know.
  func moveRow(
    _ row: LedgerRow, to state: RowState, step: Int?, run: String?
  ) throws(LedgerError) {
    let place: [SQLValue] = [.text(row.series), .text(row.key)]
    if state == .free {
      try connection.run(
        """
        UPDATE row SET state='free',uid=NULL,message=NULL,step=NULL,run=NULL
        WHERE series=? AND key=?
        """, place)
    } else {
      try connection.run(
        "UPDATE row SET state=?,step=?,run=? WHERE series=? AND key=?",
        [
          .text(state.rawValue), state == .onTag ? SQLValue(step) : .null,
          state == .void ? .null : SQLValue(run),
        ] + place)
    }
    try connection.seal(series: row.series, key: row.key)
  }

  private func apply(_ change: RowChange, run: String) throws(LedgerError) {
    let name = "row \(change.key) of series \(change.series)"
    guard let row = try row(series: change.series, key: change.key) else {
      throw .impossible(detail: "\(name) was never claimed")
    }
    guard Transition.isAllowed(from: row.state, to: change.state) else {
      throw .impossible(
        detail: "\(name) cannot go from \(row.state.rawValue) to \(change.state.rawValue)")
    }
    if Transition.isOwned(row.state) && row.run != run {
      throw .impossible(detail: "\(name) is in work by run \(row.run ?? "")")
    }
    try moveRow(row, to: change.state, step: change.step, run: run)
  }

  private func insert(_ claim: RowClaim, run: String) throws(LedgerError) {
    try connection.run(
      """
      INSERT INTO row(series,key,serial,record,place,state,uid,fixed,message,step,run)
      VALUES(?1,?2,?3,?4,?5,'writing',?6,?7,?8,NULL,?9)
      ON CONFLICT(series,key) DO UPDATE SET serial=coalesce(serial,excluded.serial),
        record=excluded.record,place=excluded.place,state='writing',uid=excluded.uid,
        fixed=excluded.fixed,message=excluded.message,step=NULL,run=excluded.run
      """,
      [
        .text(claim.series), .text(claim.key), SQLValue(claim.serial), .blob(claim.record),
        .text(claim.place), .blob(claim.uid), .integer(claim.fixed ? 1 : 0), .blob(claim.message),
        .text(run),
      ])
    try connection.seal(series: claim.series, key: claim.key)
  }

  private func keyOfSerial(_ serial: Int, series: String) throws(LedgerError) -> String? {
    try connection.first(
      "SELECT key FROM row WHERE series=? AND serial=?", [.text(series), SQLValue(serial)]
    ) { $0.text(0) }
  }
}
