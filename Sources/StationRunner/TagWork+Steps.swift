internal import Diagnostics
internal import JobFile
internal import Ledger
internal import ReaderSession
internal import Readers
internal import TagFormats

extension TagWork {
  private var series: String { context.job.series }

  /// Walks the steps from `first` on.
  func walk(from first: Int) throws(Interruption) -> Verdict {
    var index = first
    while index < batch.steps.count {
      step = index
      link.beginStep(repeating: context.job.retries.tag)
      switch batch.steps[index].kind {
      case .write:
        try putOnTag()
        return try finish(index)
      case .verify:
        if hasPlannedWriting { plan(index) } else { try verify() }
        try confirm(next: index + 1)
      case .unprotect(let password):
        try claimUnwritten(next: index)
        if !context.options.isDryRun {
          try unprotect(password)
        } else if survey?.isProtected == true {
          plan(index)
        }
      case .protect(let protection):
        try claimUnwritten(next: index)
        if context.options.isDryRun {
          plan(index, protection.text)
        } else {
          try protect(protection)
        }
      case .lock:
        if context.options.noLock { break }
        try claimUnwritten(next: index)
        if context.options.isDryRun { plan(index) } else { try lock() }
      case .expect(let expectation):
        if hasPlannedWriting { plan(index) } else { try hold(against: expectation) }
      case .read(let read):
        _ = try currentSurvey()
        reads.append(read)
      }
      index += 1
    }
    step = nil
    var verdict = Verdict.passed
    // Every step that changes the tag was left out: its row was never taken.
    if phase == .untouched { row = nil }
    if row != nil { verdict.rowState = .done }
    return verdict
  }

  /// Reads back what the `write` step at `index` put on the tag, where `verify` does not, and goes on.
  func finish(_ index: Int) throws(Interruption) -> Verdict {
    let next = index + 1
    if next < batch.steps.count, case .verify = batch.steps[next].kind {
      return try walk(from: next)
    }
    if !hasPlannedWriting { try readBack() }
    try confirm(next: next)
    return try walk(from: next)
  }

  /// Whether this is a dry run in which the tag would hold something else by now.
  private var hasPlannedWriting: Bool { planned.contains { $0.action == "write" } }

  /// Takes note of a step that a dry run leaves out.
  private func plan(_ index: Int, writing message: [UInt8]? = nil, _ detail: String? = nil) {
    planned.append(
      PlannedStep(
        step: index + 1, action: batch.steps[index].name, detail: detail, message: message))
  }

  /// The message was read back good: durable before any later step.
  private func confirm(next: Int) throws(Interruption) {
    guard phase == .committing, let row else { return }
    if next < batch.steps.count {
      try inLedger { () throws(LedgerError) in
        try context.ledger.move(series: series, key: row.key, to: .onTag, step: next)
      }
      phase = .onTag
    } else {
      phase = .confirmed
    }
  }

  /// Puts the message on the tag: body, then the one write that makes it readable.
  func putOnTag() throws(Interruption) {
    while true {
      do throws(Interruption) {
        if phase == .committing {
          try commitAgain()
        } else {
          try writeBodyAndCommit()
        }
        return
      } catch {
        link.isUninterruptible = false
        guard try cameBack(after: error) else { throw error }
      }
    }
  }

  private func writeBodyAndCommit() throws(Interruption) {
    if survey == nil { try look() }
    var plan = try planForMessage()
    if phase == .untouched {
      try claim(&plan)
      phase = .writing
    }
    if context.options.isDryRun {
      let count = plan.body.count + (plan.commit == nil ? 0 : 1)
      self.plan(step ?? 0, writing: message, "\(message?.count ?? 0) bytes in \(count) writes")
    } else {
      try onTag { () throws(TagError) in try format.perform(plan.body) }
    }
    if let row {
      try inLedger { () throws(LedgerError) in
        try context.ledger.startCommitting(series: series, key: row.key)
      }
    }
    phase = .committing
    if let commit = plan.commit { try send(commit) }
  }

  /// Sends the write that makes the message readable.
  private func send(_ commit: MemoryWrite) throws(Interruption) {
    if context.options.isDryRun { return }
    link.isUninterruptible = true
    try onTag { () throws(TagError) in try format.perform([commit]) }
    link.isUninterruptible = false
  }

  /// After a loss in the committing write, or for a row in doubt: sent again unless the message is there.
  private func commitAgain() throws(Interruption) {
    try look()
    guard let message else { return }
    guard let rest = try onTag({ () throws(TagError) in try format.remainder(of: message) }),
      let commit = rest.commit
    else {
      throw .tag(.readBackDiffers("the tag came back with other bytes"))
    }
    if context.options.isDryRun { plan(step ?? 0, writing: message, "the last write again") }
    try send(commit)
  }

  private func planForMessage() throws(Interruption) -> WritePlan {
    let bytes = message ?? []
    return try onTag { () throws(TagError) in try format.plan(bytes) }
  }

  /// Takes the row into `writing`; another run may have taken row, UID or serial number meanwhile.
  private func claim(_ plan: inout WritePlan) throws(Interruption) {
    while let row, let message {
      let claim = RowClaim(
        series: series, key: row.key, serial: row.serial, record: row.record, place: row.place,
        uid: tag.uid, fixed: batch.accept.uid == .fixed, message: message, again: row.isAgain)
      let result = try inLedger { () throws(LedgerError) in
        try context.ledger.startWriting(claim)
      }
      switch result {
      case .claimed: return
      case .uidTaken(let key):
        self.row = nil
        throw .cloned("a tag with this UID has row \(key) since a moment ago")
      case .rowTaken, .serialTaken:
        try chooseRow()
        plan = try planForMessage()
      }
    }
  }

  /// Reads the message again in the same selection and compares it.
  private func readBack() throws(Interruption) {
    guard let message else { return }
    while true {
      do throws(Interruption) {
        format.forget()
        try look()
        break
      } catch {
        guard try cameBack(after: error) else { throw error }
      }
    }
    try compare(message)
  }

  /// Field off and on, a new selection, the whole message read as a phone would, compared.
  private func verify() throws(Interruption) {
    if message == nil { _ = try currentSurvey() }
    let expected = message ?? readMessage ?? []
    var isSelectedAnew = false
    while true {
      do throws(Interruption) {
        if !isSelectedAnew { try dropField() }
        format.forgetMessage()
        try look()
        break
      } catch {
        guard try cameBack(after: error) else { throw error }
        // The wait dropped the field at every look for it.
        isSelectedAnew = true
      }
    }
    try compare(expected)
  }

  private func dropField() throws(Interruption) {
    do throws(ReaderError) { try link.dropField() } catch { throw .tag(.link(error)) }
  }

  private func compare(_ expected: [UInt8]) throws(Interruption) {
    guard holds(expected) else {
      let found = readMessage.map { "a message of \($0.count) bytes" } ?? "no message"
      throw .tag(
        .readBackDiffers("the tag reads back \(found) that is not the one written"))
    }
  }

  private func lock() throws(Interruption) {
    while true {
      do throws(Interruption) {
        if survey == nil { try lookAgain() }
        try openGuarded()
        let repetitions = link.repetitions
        try onTag { () throws(TagError) in try format.lock() }
        // Selected anew in between, it may be another tag with this UID.
        if link.repetitions != repetitions { try lookAgain() }
        survey?.isLocked = true
        return
      } catch {
        guard try cameBack(after: error) else { throw error }
        // What is set already is read again and left out.
      }
    }
  }

  /// Reads the tag anew and holds it against the row's message.
  private func lookAgain() throws(Interruption) {
    format.forgetMessage()
    try look()
    if let message { try compare(message) }
  }

  private func hold(against expectation: Expectation) throws(Interruption) {
    let survey = try currentSurvey()
    let facts = TagFacts(
      tag: tag, format: format, survey: survey,
      messageOfRow: expectation.looksAtRow ? try messageOfRow() : nil)
    if let miss = try onTag({ () throws(TagError) in
      try facts.firstMiss(of: expectation, values: values)
    }) {
      throw .expectation(miss)
    }
  }
}
