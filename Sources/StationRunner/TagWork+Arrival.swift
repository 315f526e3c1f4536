internal import Bytes
internal import DataSource
internal import Diagnostics
internal import JobFile
internal import Ledger
internal import NDEF
internal import ReaderSession
internal import TagFormats
internal import Templates

extension TagWork {
  private var series: String { context.job.series }
  private var isFixed: Bool { batch.accept.uid == .fixed }

  /// A tag that the job writes: the first rule that fits decides (promise 5).
  func treat() throws(Interruption) -> Verdict {
    if isFixed {
      if tag.uid.count == 4, tag.uid.first == 0x08 {
        return Verdict(
          outcome: .failed, cause: .unsupported,
          detail: "the tag has a random UID; a job for such tags says accept: {uid: random}")
      }
      if let key = try inLedger({ () throws(LedgerError) in
        try context.ledger.refusal(series: series, uid: tag.uid)
      }) {
        return Verdict(
          outcome: .failed, cause: .uidSeenBefore,
          detail: "a person took row \(key) from this tag, which is refused since")
      }
    }
    expectPassword()
    let known = try knownRow()
    if let known, let verdict = try settle(known) { return verdict }
    if let waiting = try inLedger({ () throws(LedgerError) in try context.picker?.rowInTurn() }) {
      return Verdict(
        outcome: .skipped, cause: .outOfTurn,
        detail: "row \(waiting.key) waits for tag \((waiting.uid ?? []).hex) and goes first")
    }
    if let refusal = try wrongChip() { return refusal }
    try look()
    if let refusal = wrongContent(hasRow: known != nil) { return refusal }
    if let refusal = wrongForPasswords() { return refusal }
    try openEarly()
    try chooseRow()
    if let message { _ = try onTag { () throws(TagError) in try format.plan(message) } }
    return try walk(from: 0)
  }

  /// The row that this tag has in the ledger: by its UID, or by its bytes where UIDs are random.
  private func knownRow() throws(Interruption) -> LedgerRow? {
    if isFixed {
      return try inLedger { () throws(LedgerError) in
        try context.ledger.row(series: series, uid: tag.uid)
      }
    }
    try look()
    guard let message = readMessage else { return nil }
    return try inLedger { () throws(LedgerError) in
      try context.ledger.row(series: series, message: message)
    }
  }

  /// A tag that has a row already; `nil` where the row does not stand in its way.
  private func settle(_ known: LedgerRow) throws(Interruption) -> Verdict? {
    adopt(known)
    switch known.state {
    case .free, .void:
      row = nil
      message = nil
      return nil
    case .writing, .committing:
      row = nil
      message = nil
      let run = known.run ?? ""
      let isLive = try inLedger { () throws(LedgerError) in try context.ledger.isLive(run: run) }
      if !isLive {
        _ = try inLedger { () throws(LedgerError) in try context.ledger.settleDeadRuns() }
        return try knownRow().flatMap { row throws(Interruption) in try settle(row) }
      }
      return Verdict(
        outcome: .failed, cause: .cloned,
        detail: "a tag with this UID is in work in run \(run) now, on row \(known.key)")
    case .onTag:
      expectPassword(next: known.step ?? batch.steps.count)
      try look()
      guard let kept = known.message, holds(kept) else {
        if let verdict = try inHandElsewhere(known) { return verdict }
        return Verdict(
          outcome: .failed, cause: .notAsExpected,
          detail: "row \(known.key) was on this tag, but the tag holds other bytes now",
          rowState: .inDoubt)
      }
      phase = .onTag
      return try walk(from: known.step ?? batch.steps.count)
    case .inDoubt:
      return try settleDoubt(known)
    case .done:
      expectPassword(next: nil)
      try look()
      let holdsIt = known.message.map { holds($0) } ?? false
      if holdsIt || batch.accept.content != .empty,
        context.picker?.repeats(known, on: tag.uid) == true
      {
        writesAgain = true
        row = nil
        message = nil
        return nil
      }
      if holdsIt {
        return Verdict(
          outcome: .skipped, detail: "row \(known.key) is on it already\(try since(known))")
      }
      return Verdict(
        outcome: .failed, cause: .uidSeenBefore,
        detail: "row \(known.key) was put on this UID\(try since(known)), "
          + "but the tag holds other bytes")
    }
  }

  /// When the run began that finished a row, in words.
  private func since(_ known: LedgerRow) throws(Interruption) -> String {
    guard let run = known.run else { return "" }
    let time = try inLedger { () throws(LedgerError) in try context.ledger.beginning(of: run) }
    return time.map { " by run \(run), which began at \($0)" } ?? ""
  }

  /// A tag without the row's message, whose UID has a row that another live run moved last: that run has the
  /// row's own tag, or had it, and the row is left as it is.
  private func inHandElsewhere(_ known: LedgerRow) throws(Interruption) -> Verdict? {
    guard let run = known.run, run != context.run,
      try inLedger({ () throws(LedgerError) in try context.ledger.isLive(run: run) })
    else { return nil }
    row = nil
    message = nil
    return Verdict(
      outcome: .failed, cause: .cloned,
      detail: "row \(known.key) is on a tag with this UID in run \(run), which goes on; "
        + "this tag holds other bytes")
  }

  /// Promise 3: settled without a person when every page but that of the committing write holds its bytes.
  private func settleDoubt(_ known: LedgerRow) throws(Interruption) -> Verdict? {
    try look()
    guard let kept = known.message,
      let rest = try onTag({ () throws(TagError) in try format.remainder(of: kept) })
    else {
      return Verdict(
        outcome: .failed, cause: .uidSeenBefore,
        detail: "row \(known.key) is in doubt on this UID, but the tag holds other bytes")
    }
    if rest.liesInCommit {
      return Verdict(
        outcome: .inDoubt, cause: .tagLost,
        detail: "row \(known.key) is in doubt and too short to tell from the tag: "
          + "see tagstation ledger show \(known.key) --series \(series)")
    }
    try inLedger { () throws(LedgerError) in
      try context.ledger.startCommitting(series: series, key: known.key)
    }
    phase = .committing
    let writing = batch.steps.firstIndex { if case .write = $0.kind { true } else { false } } ?? 0
    step = writing
    try putOnTag()
    return try finish(writing)
  }

  private func adopt(_ known: LedgerRow) {
    row = PickedRow(
      key: known.key, index: nil, row: nil, serial: known.serial, place: known.place,
      record: known.record, isFresh: false)
    message = known.message
    values.serial = context.picker?.serialText(known.serial)
    values.row = context.picker?.dataRow(forKey: known.key)
  }

  /// Looks up the row of a tag that no step changes.
  func findRow() throws(Interruption) {
    guard let data = context.job.data else { return }
    let finder = context.finder
    var index: Int?
    if data.match == .uid {
      index = finder.index(ofUID: tag.uid)
      if index == nil { throw .data("the data has no row for the UID \(tag.uid.hex)") }
    } else if let hand = context.feed?.hand, !context.job.writes {
      index = hand.index
    } else if let known = try inLedger({ () throws(LedgerError) in
      try context.ledger.row(series: series, uid: tag.uid)
    }) {
      // The one that a job of the series put on it.
      foundKey = known.key
      values.serial = context.picker?.serialText(known.serial)
      index = finder.index(ofKey: known.key)
    }
    guard let index else { return }
    values.row = finder.row(at: index)
    foundKey = finder.key(at: index) ?? foundKey
  }

  /// What the series' job puts on the tag of this row: the bytes that the ledger kept, else what the job's
  /// own `write` step makes of the row; `nil` where there is neither.
  func messageOfRow() throws(Interruption) -> [UInt8]? {
    if let message { return message }
    let kept = try inLedger { () throws(LedgerError) in
      if let key = foundKey { return try context.ledger.row(series: series, key: key)?.message }
      return try context.ledger.row(series: series, uid: tag.uid)?.message
    }
    if let kept { return kept }
    guard foundKey != nil else { return nil }
    for case .write(let spec) in context.job.batches.flatMap(\.steps).map(\.kind) {
      do throws(TemplateError) {
        return try spec.message(values: values).bytes
      } catch {
        throw .data(error.message)
      }
    }
    return nil
  }

  /// Picks the next free row and fills the message for it.
  func chooseRow() throws(Interruption) {
    guard let picker = context.picker else { return }
    let choice = try inLedger { () throws(LedgerError) in try picker.choose(for: tag.uid) }
    let picked: PickedRow
    switch choice {
    case .row(let one): picked = one
    case .none(let why):
      row = nil
      throw .data(why)
    case .noneLeft:
      row = nil
      if picker.namesRowsByTag { throw .data("the row of this tag cannot be used") }
      // Another run on the same series may have been quicker: that is not this tag's fault.
      let isUsedUp = try inLedger { () throws(LedgerError) in try picker.isUsedUp() }
      throw believesInRows && isUsedUp ? .usedUp : .data("no row is left")
    }
    row = picked
    values.row = picked.row
    values.serial = picker.serialText(picked.serial)
    for step in batch.steps {
      guard case .write(let spec) = step.kind else { continue }
      do throws(TemplateError) {
        message = try spec.message(values: values).bytes
      } catch {
        throw .data("\(picked.place): \(error.message)")
      }
    }
  }
}
