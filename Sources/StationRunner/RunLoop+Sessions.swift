internal import Bytes
internal import JobFile
internal import Ledger
internal import Platform
internal import ReaderSession
internal import Readers
internal import Templates

extension RunLoop {
  /// What follows a session's end.
  private enum Next {
    case session
    case stop(StopReason)
  }

  /// Sessions, one after another, until there is a reason to stop.
  func work() throws(LedgerError) -> StopReason {
    if let stop = try takeSeries() { return stop }
    if try rowsAreUsedUp() { return .usedUp }
    if let stop = try openReader() { return stop }
    // Waiting for the reader is not idleness.
    if let device { progress.wasBusy(at: device.clock.now) }
    if try rowsAreUsedUp() { return .usedUp }
    while true {
      if context.cancellation.level != .none { return .canceled }
      if batch.writes, try rowsAreUsedUp() { return .usedUp }
      if let feedStop { return feedStop }
      if progress.isBetweenBatches, let stop = try yieldTurn() { return stop }
      guard let device else { return .fault }
      if let stop = progress.reasonToStop(at: device.clock.now, idleLimit: idleLimit) {
        return stop
      }
      let (number, isNew) = progress.beginSession(at: device.clock.now)
      if isNew, let stop = prompt() { return stop }
      if case .stop(let reason) = try session(on: device, batch: number) { return reason }
    }
  }

  /// How long to stay where the job names no time but rows wait for their tags.
  private var idleLimit: Duration? { waitsForRows ? .seconds(30) : nil }

  /// Shows the batch's prompt and waits for a person; the pause is not idleness.
  private func prompt() -> StopReason? {
    guard let template = batch.prompt else { return nil }
    let text = (try? template.render(values())) ?? template.text
    let goesOn = context.observer.prompt(text)
    if let device { progress.wasBusy(at: device.clock.now) }
    return goesOn ? nil : .canceled
  }

  // MARK: The series

  /// Waits where another run works on the series in order, or this one would; `nil` once there is room.
  private func takeSeries() throws(LedgerError) -> StopReason? {
    guard job.writes else { return nil }
    let alone = job.data?.strict ?? false
    if try context.ledger.holdSeries(job.series, alone: alone) { return nil }
    let detail =
      "another run works on series \(job.series)"
      + (alone ? ", whose rows this job takes strictly in order" : " strictly in order")
    let stop = try queue(detail) { () throws(LedgerError) in
      remarks.append("\(detail); run again later")
    } until: { () throws(LedgerError) in
      try context.ledger.holdSeries(job.series, alone: alone)
    }
    if let stop { return stop }
    // The other run may have used rows since they were counted.
    rowsLeft = try context.picker?.rowsLeft()
    return nil
  }

  // MARK: The reader

  /// Takes the reader, waiting where another run holds it; `nil` once it is open.
  private func openReader() throws(LedgerError) -> StopReason? {
    if let stop = try takeTurn() { return stop }
    let clock = waitingClock
    var refusals = 0
    while true {
      if context.cancellation.level != .none { return .canceled }
      do throws(ReaderError) {
        let opened = try port.open()
        device = opened
        // The wait for it is not idleness.
        progress.wasBusy(at: opened.clock.now)
        return nil
      } catch {
        try recordRefusal(error)
        if case .busy = error, refusals < job.retries.busy {
          refusals += 1
          clock.sleep(job.retries.wait, until: context.cancellation)
          continue
        }
        problems.insert(Self.exit(for: error))
        remarks.append(error.description)
        return .fault
      }
    }
  }

  /// Stands in the reader's queue until it is this run's turn (promise 8).
  private func takeTurn() throws(LedgerError) -> StopReason? {
    let wait = context.options.noQueue ? Duration.zero : job.queueFor
    let drawn: ReaderTicket
    do throws(ReaderError) {
      drawn = try ReaderQueue(of: port.source).draw(
        job: job.name, station: context.station.name, for: wait)
    } catch {
      problems.insert(.cannotCreate)
      remarks.append("the reader's queue cannot be used: \(error)")
      return .fault
    }
    ticket = drawn
    if drawn.isFirst { return nil }
    let detail = "\(context.readerName) is used by \(drawn.holder?.text ?? "another run")"
    return try queue(detail) { () throws(LedgerError) in
      let busy = ReaderError.busy(detail: "\(detail); run again later", isStation: true)
      try recordRefusal(busy)
      remarks.append(busy.description)
    } until: { () throws(LedgerError) in
      drawn.isFirst
    }
  }

  /// Waits for `queueFor` until it is this run's turn, and says what for; `refuse` tells that it was too long.
  private func queue(
    _ detail: String, refuse: () throws(LedgerError) -> Void,
    until isTurn: () throws(LedgerError) -> Bool
  ) throws(LedgerError) -> StopReason? {
    let wait = context.options.noQueue ? Duration.zero : job.queueFor
    if wait > .zero {
      try context.ledger.append(
        "session.queued",
        [("reader", .string(context.readerName)), ("detail", .string(detail))])
      context.observer.hear(.queued(reader: context.readerName, detail: detail))
    }
    let clock = WallClock()
    while try !isTurn() {
      if context.cancellation.level != .none { return .canceled }
      guard clock.now < wait else {
        problems.insert(.tryAgain)
        try refuse()
        return .fault
      }
      clock.sleep(.milliseconds(20), until: context.cancellation)
    }
    return nil
  }

  /// Between batches, lets a waiting run have the reader, and queues again behind it.
  private func yieldTurn() throws(LedgerError) -> StopReason? {
    guard job.yields, ticket?.isWaitedFor ?? false else { return nil }
    port.close()
    device = nil
    ticket = nil
    presence.forget()
    return try openReader()
  }

  /// A session that could not begin, in the log with its reason; people are told only if it persists.
  private func recordRefusal(_ error: ReaderError) throws(LedgerError) {
    try log(ReaderSession.invalidation(for: error), session: progress.sessions + 1)
  }

  private static func exit(for error: ReaderError) -> ExitStatus {
    switch error {
    case .busy: .tryAgain
    case .permission: .noPermission
    default: .noReader
    }
  }

  /// What waits run on while the reader is not open: a virtual reader's own clock, else the wall.
  private var waitingClock: any StationClock { port.source.virtual?.clock ?? WallClock() }

  /// The reader went away: 30 s to come back.
  private func waitForReader(_ detail: String) throws(LedgerError) -> StopReason? {
    port.close()
    device = nil
    try context.ledger.append(
      "reader.lost", [("reader", .string(context.readerName)), ("detail", .string(detail))])
    context.observer.hear(.readerLost(reader: context.readerName, detail: detail))
    let clock = waitingClock
    let end = clock.now + .seconds(30)
    while clock.now < end {
      if context.cancellation.level != .none { return .canceled }
      do throws(ReaderError) {
        device = try port.open()
      } catch {
        clock.sleep(.milliseconds(500), until: context.cancellation)
        continue
      }
      if let device { progress.wasBusy(at: device.clock.now) }
      try context.ledger.append("reader.back", [("reader", .string(context.readerName))])
      context.observer.hear(.readerBack(reader: context.readerName))
      return nil
    }
    problems.insert(.noReader)
    remarks.append("the reader did not come back within 30 s: \(detail)")
    return .fault
  }

  // MARK: One session

  private func session(on device: any ReaderDevice, batch number: Int) throws(LedgerError) -> Next {
    if let stop = try awaitRow() { return .stop(stop) }
    // Asked before every session: is reading available? The port was opened, so only the radio may be off.
    if let refusal = context.options.radio.refusal(of: port.source) {
      return try after(
        Invalidation(.readerErrorRadioDisabled, by: .system, message: refusal), batchIsFull: false)
    }
    let configuration = configurations[progress.entry]
    let session = ReaderSession(configuration, on: device, alertMessage: alert())
    do throws(Invalidation) {
      try session.begin()
    } catch {
      return try after(error, batchIsFull: false)
    }
    try context.ledger.append("session.began", Self.fields(of: configuration, progress, context))
    context.observer.hear(
      .sessionBegan(
        reader: context.readerName, alert: session.alertMessage, dropped: configuration.dropped))
    var isFull = false
    let end = try tags(of: session, on: device, batch: number, isFull: &isFull)
    return try after(end, batchIsFull: isFull)
  }

  /// Takes tags until the session ends.
  private func tags(
    of session: ReaderSession, on device: any ReaderDevice, batch number: Int, isFull: inout Bool
  ) throws(LedgerError) -> Invalidation {
    while true {
      if context.cancellation.level != .none { return session.invalidate(by: .person) }
      if batch.writes, try rowsAreUsedUp() { return session.invalidate() }
      if progress.reasonToStop(at: device.clock.now, idleLimit: idleLimit) != nil {
        return session.invalidate()
      }
      let hand = context.feed?.hand?.key
      if let stop = try awaitRow() {
        return stop == .canceled ? session.invalidate(by: .person) : session.invalidate()
      }
      if hand != context.feed?.hand?.key {
        session.alertMessage = alert()
        context.observer.hear(.alert(session.alertMessage))
      }
      let start = device.work
      switch session.poll(&presence) {
      case .ended(let reason): return reason
      case .nothing:
        if device.deckIsUsedUp { return session.invalidate() }
        device.clock.sleep(.milliseconds(20), until: context.cancellation)
      case .crowded(let uids):
        progress.wasBusy(at: device.clock.now)
        try context.ledger.append(
          "field.crowded",
          [
            ("reader", .string(context.readerName)),
            ("uids", .array(uids.map { .string($0.hex) })),
          ])
        context.observer.hear(.crowded(reader: context.readerName, uids: uids))
      case .tag(let tag):
        let failure = try treat(tag, in: session, from: start, batch: number, isFull: &isFull)
        if let failure {
          // A tag still there when the reader is back is taken up again.
          presence.forget()
          return session.invalidate(for: failure)
        }
        if problems.contains(.cannotCreate) {
          return session.invalidate(errorMessage: remarks.last)
        }
        if let end = session.finishTag() {
          sessionsOfOneTag += 1
          return end
        }
        if isFull { return session.invalidate() }
        // A row in hand that went on this tag is known no more; the next one has its own message.
        if let feed = context.feed, feed.serves(batch), feed.hand == nil { continue }
        session.alertMessage = alert()
        if job.batches[progress.entry].session.alertMessage != nil {
          context.observer.hear(.alert(session.alertMessage))
        }
      }
    }
  }

  /// Records how a session ended, and decides what follows that reason (promise 7).
  private func after(_ end: Invalidation, batchIsFull: Bool) throws(LedgerError) -> Next {
    try recordEnd(end, session: progress.sessions)
    let usedUpDeck = device?.deckIsUsedUp ?? false
    let roundIsEmpty = progress.endSession(batchIsFull: batchIsFull)
    switch (end.code, end.by) {
    case (_, .person): return .stop(.canceled)
    case (.readerSessionInvalidationErrorSessionTerminatedUnexpectedly, _):
      if let stop = try waitForReader(end.message ?? end.code.name) { return .stop(stop) }
      return .session
    case (.readerErrorSecurityViolation, _), (.readerErrorIneligible, _):
      problems.insert(.notDeclared)
      remarks.append(end.message ?? end.code.name)
      return .stop(.fault)
    case (.readerErrorRadioDisabled, _), (.readerErrorUnsupportedFeature, _):
      problems.insert(.noReader)
      remarks.append(end.message ?? end.code.name)
      return .stop(.fault)
    default: break
    }
    if problems.contains(.cannotCreate) { return .stop(.fault) }
    if let now = device?.clock.now,
      let stop = progress.reasonToStop(at: now, idleLimit: idleLimit)
    {
      return .stop(stop)
    }
    if usedUpDeck { return .stop(.usedUp) }
    if roundIsEmpty, job.stop.whenIdleFor != nil { return .stop(.idle) }
    return .session
  }

  private func recordEnd(_ end: Invalidation, session number: Int) throws(LedgerError) {
    try log(end, session: number)
    context.observer.hear(.sessionEnded(reader: context.readerName, end))
  }

  private func log(_ end: Invalidation, session number: Int) throws(LedgerError) {
    try context.ledger.append(
      "session.ended",
      [
        ("reader", .string(context.readerName)), ("session", .integer(Int64(number))),
        ("reason", .string(end.code.name)), ("code", .integer(Int64(end.code.rawValue))),
        ("by", .string(end.by.rawValue)), ("message", end.message.map { .string($0) } ?? .null),
      ])
  }

  private static func fields(
    of configuration: SessionConfiguration, _ progress: RunProgress, _ context: RunContext
  ) -> [EventField] {
    [
      ("reader", .string(context.readerName)), ("session", .integer(Int64(progress.sessions))),
      ("kind", .string(configuration.kind.rawValue)),
      ("polling", .array(configuration.polling.map { .string($0.rawValue) })),
      ("selectIdentifiers", .array(configuration.selectIdentifiers.map { .string($0.hex) })),
      ("systemCodes", .array(configuration.systemCodes.map { .string($0.hex) })),
      ("dropped", .array(configuration.dropped.map { .string($0) })),
    ]
  }

  // MARK: Texts

  /// The alert message for the next tag.
  private func alert() -> String {
    if let waiting = try? context.picker?.rowInTurn() {
      return "Present tag \((waiting.uid ?? []).hex) again: row \(waiting.key) is not finished"
    }
    guard let template = batch.session.alertMessage else { return "Present a tag" }
    return (try? template.render(values())) ?? template.text
  }

  /// What templates may refer to before a tag is there.
  func values() -> RunValues {
    var values = RunValues(
      row: job.takesLines ? nil : context.feed?.hand?.row, position: progress.position + 1,
      jobName: job.name, series: job.series, total: context.picker?.total, run: context.run,
      now: WallTime.now(),
      environment: context.options.environment)
    // In order, the next tag's row is known before the tag.
    if job.data?.strict == true, case .row(let next)? = try? context.picker?.choose(for: []) {
      values.row = next.row
      values.serial = context.picker?.serialText(next.serial)
    }
    return values
  }
}
