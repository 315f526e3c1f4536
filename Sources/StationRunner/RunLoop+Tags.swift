internal import Bytes
internal import DataSource
internal import JobFile
internal import Ledger
internal import NDEF
internal import Platform
internal import ReaderSession
internal import Readers
internal import TagFormats
internal import Templates

extension RunLoop {
  /// Works on one tag and records its outcome; the reader's failure where it ended the work.
  func treat(
    _ tag: SessionTag, in session: ReaderSession, from start: ReaderWork, batch number: Int,
    isFull: inout Bool
  ) throws(LedgerError) -> ReaderError? {
    guard let device else { return nil }
    let began = WallClock()
    var values = values()
    values.uid = tag.uid
    values.kind = tag.kind.rawValue
    values.initialSelectedAID = tag.initialSelectedAID
    values.systemCode = tag.systemCode
    let work = TagWork(
      tag, batch, context, values: values, believesInRows: rowsLeft.map { $0 > 0 } ?? false)
    let firstUID = tag.uid
    var verdict: Verdict
    // Each code asks anew whether the tag is its own.
    let isAskedAnew = job.repetition == .always || context.feed?.serves(batch) == true
    if !batch.writes, !isAskedAnew, seen[progress.entry].contains(firstUID) {
      verdict = Verdict(outcome: .skipped, detail: "seen before")
    } else {
      verdict = try work.run()
    }
    if !batch.writes { seen[progress.entry].insert(firstUID) }
    if tag.uid != firstUID { presence.renamed(to: tag.uid) }
    // Gone for longer than two listings: whenever it comes, it comes anew.
    if work.wentAway { presence.forget() }
    verdict = keepReads(verdict, work, batch: number)
    let done = device.work - start
    let report = report(
      verdict, work, uid: firstUID, batch: number, done: done,
      milliseconds: began.now / .milliseconds(1))
    try record(report, verdict, work)
    countRow(verdict, had: work.row)
    if work.foundNoRow { rowsLeft = 0 }
    try settleHand(verdict, work)
    isFull = progress.took(verdict.outcome, of: firstUID, at: device.clock.now)
    context.observer.hear(.tag(report))
    return work.readerFailure
  }

  private func report(
    _ verdict: Verdict, _ work: TagWork, uid: [UInt8], batch number: Int, done: ReaderWork,
    milliseconds: Double
  ) -> TagReport {
    let tag = work.tag
    var records = JSON.array([])
    if let message = work.readMessage, let parsed = try? NDEFMessage(parsing: message) {
      records = parsed.json
    }
    return TagReport(
      reader: context.readerName, session: progress.sessions, batch: number,
      position: verdict.outcome == .skipped ? 0 : progress.position + 1, uid: uid,
      kind: tag.kind.rawValue, chip: work.format.chip.rawValue,
      isReadByPhones: tag.isReadByPhones, initialSelectedAID: tag.initialSelectedAID,
      systemCode: tag.systemCode, row: work.row?.key ?? work.foundKey, outcome: verdict.outcome,
      cause: verdict.cause, code: verdict.cause?.readerErrorCode, step: verdict.step.map { $0 + 1 },
      planned: work.planned, attempts: 1 + work.link.repetitions, records: records,
      detail: verdict.detail,
      commands: done.commands, milliseconds: milliseconds,
      modelledMilliseconds: done.modelled.map { $0 / .milliseconds(1) })
  }

  /// The row's change, the tag and its event, in one transaction.
  private func record(
    _ report: TagReport, _ verdict: Verdict, _ work: TagWork
  ) throws(LedgerError) {
    var change: RowChange?
    if let row = work.row, let state = verdict.rowState {
      change = RowChange(
        series: job.series, key: row.key, state: state,
        step: state == .onTag ? verdict.step ?? batch.steps.count : nil)
    }
    try context.ledger.settle(
      TagRecord(
        reader: report.reader, position: report.position, uid: report.uid,
        series: report.row == nil ? nil : job.series, key: report.row, outcome: report.outcome,
        cause: report.cause, step: report.step),
      change, report.fields)
  }

  /// Appends the lines of `read` steps; what could not be kept was not read, and ends the run with 73.
  private func keepReads(_ verdict: Verdict, _ work: TagWork, batch number: Int) -> Verdict {
    guard !work.reads.isEmpty else { return verdict }
    let report = report(
      verdict, work, uid: work.tag.uid, batch: number, done: ReaderWork(), milliseconds: 0)
    for read in work.reads {
      guard let into = read.into else { continue }
      if context.options.isDryRun {
        work.planned.append(
          PlannedStep(
            step: (batch.steps.firstIndex { $0.name == "read" } ?? 0) + 1, action: "read",
            detail: "a line for \((try? into.render(work.values)) ?? into.text)"))
        continue
      }
      guard let failure = keep(read, into, work, report) else { continue }
      problems.insert(.cannotCreate)
      remarks.append("what was read could not be kept: \(failure)")
      guard verdict.outcome == .passed else { return verdict }
      var failed = Verdict(outcome: .failed, cause: .data, detail: failure)
      failed.step = batch.steps.firstIndex { if case .read = $0.kind { true } else { false } }
      if work.row != nil {
        failed.outcome = .unfinished
        failed.rowState = .onTag
      }
      return failed
    }
    return verdict
  }

  /// Why one line could not be kept; `nil` if it was.
  private func keep(
    _ read: ReadStep, _ into: Template, _ work: TagWork, _ report: TagReport
  ) -> String? {
    do throws(TemplateError) {
      let name = try into.render(work.values)
      do throws(ReadFile.Failure) {
        let file = try ReadFile(name: name, in: context.options.output)
        try file.append(fields(read.fields, work, report))
        return nil
      } catch {
        return error.text
      }
    } catch {
      return error.message
    }
  }

  private func fields(
    _ names: [String], _ work: TagWork, _ report: TagReport
  ) -> [(key: String, value: JSON)] {
    names.map { name in (name, field(name, work, report)) }
  }

  private func field(_ name: String, _ work: TagWork, _ report: TagReport) -> JSON {
    let contents =
      work.readMessage.flatMap { try? NDEFMessage(parsing: $0) }?.records.map(\.content) ?? []
    switch name {
    case "time": return .string(EventTime.now.text)
    case "station": return .string(context.station.name)
    case "job": return .string(job.name)
    case "run": return .string(context.run)
    case "reader": return .string(report.reader)
    case "batch": return .integer(Int64(report.batch))
    case "position": return .integer(Int64(report.position))
    case "uid": return .string(report.uid.hex)
    case "kind": return .string(report.kind)
    case "chip": return .string(report.chip)
    case "initialSelectedAID": return report.initialSelectedAID.map { .string($0.hex) } ?? .null
    case "systemCode": return report.systemCode.map { .string($0.hex) } ?? .null
    case "outcome": return .string(report.outcome.rawValue)
    case "capacity": return work.survey.map { .integer(Int64($0.capacity)) } ?? .null
    case "locked": return work.survey.map { .bool($0.isLocked) } ?? .null
    case "uri":
      for case .uri(let uri) in contents { return .string(uri) }
      return .null
    case "text":
      for case .text(let text) in contents { return .string(text.text) }
      return .null
    case "records": return report.records
    case "message": return work.readMessage.map { .string($0.hex) } ?? .null
    default:
      guard name.hasPrefix("row.") else { return .null }
      return work.values.row?[String(name.dropFirst(4))].map { .string($0) } ?? .null
    }
  }
}

extension TagReport {
  /// The event's own members, in their order.
  var fields: [EventField] {
    var fields: [EventField] = [
      ("reader", .string(reader)), ("session", .integer(Int64(session))),
      ("batch", .integer(Int64(batch))),
      ("position", position == 0 ? .null : .integer(Int64(position))), ("uid", .string(uid.hex)),
      ("kind", .string(kind)), ("chip", .string(chip)), ("phone", .bool(isReadByPhones)),
      ("initialSelectedAID", initialSelectedAID.map { .string($0.hex) } ?? .null),
      ("systemCode", systemCode.map { .string($0.hex) } ?? .null),
      ("row", row.map { .string($0) } ?? .null),
      ("outcome", planned.isEmpty ? .string(outcome.rawValue) : .null),
      ("cause", cause.map { .string($0.rawValue) } ?? .null),
      ("code", code.map { .integer(Int64($0)) } ?? .null),
      ("step", step.map { .integer(Int64($0)) } ?? .null), ("attempts", .integer(Int64(attempts))),
      ("records", records), ("detail", detail.map { .string($0) } ?? .null),
      ("commands", .integer(Int64(commands))), ("ms", .number(milliseconds)),
      ("modelledMs", modelledMilliseconds.map { .number($0) } ?? .null),
    ]
    if !planned.isEmpty { fields.append(("planned", .array(planned.map(\.json)))) }
    return fields
  }
}
