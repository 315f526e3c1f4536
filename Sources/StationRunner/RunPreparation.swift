internal import Bytes
internal import Declarations
internal import Diagnostics
internal import JobFile
internal import Ledger
internal import ReaderSession

/// What is settled before a run starts.
enum RunPreparation {
  /// The session of every batch entry, or code 2 or 7 before any session begins (78).
  static func configurations(_ input: RunInput) throws(RunRefusal) -> [SessionConfiguration] {
    let declarations = input.station.declarations
    guard declarations.hasUsageDescription else {
      throw RunRefusal(
        .notDeclared,
        "\(declarations.place.text): the declarations have no usageDescription; "
          + declarations.remedy(for: .usageDescription))
    }
    var configurations: [SessionConfiguration] = []
    for batch in input.job.batches {
      do throws(Invalidation) {
        configurations.append(try configuration(batch, declarations))
      } catch {
        throw RunRefusal(
          .notDeclared,
          "\(batch.session.place.text): \(error.message ?? error.code.name)"
            + " (\(error.code.name), code \(error.code.rawValue))")
      }
    }
    return configurations
  }

  private static func configuration(
    _ batch: Batch, _ declarations: Declarations
  ) throws(Invalidation) -> SessionConfiguration {
    let spec = batch.session
    let kind: SessionConfiguration.Kind =
      switch spec.kind {
      case .tag: .tag
      case .ndef: .ndef
      case .payment: .payment
      }
    var configuration = try SessionConfiguration(
      kind: kind, polling: spec.polling.compactMap { .init(rawValue: $0.rawValue) },
      selectIdentifiers: spec.selectIdentifiers, systemCodes: spec.systemCodes, of: declarations)
    configuration.invalidateAfterFirstRead = spec.invalidateAfterFirstRead
    configuration.reads = !batch.writes
    configuration.timeout = spec.timeout
    configuration.alone = batch.accept.alone
    configuration.randomUIDs = batch.accept.uid == .random
    return configuration
  }

  /// A job that was changed in what it writes, or whose records changed, is refused without a reason (65).
  static func refuseChanges(
    _ input: RunInput, _ ledger: any Ledger, _ picker: RowPicker?
  ) throws(RunRefusal) {
    guard let picker else { return }
    let job = input.job
    do throws(LedgerError) {
      // Rows that a dead run left in work may be free, and their records changed.
      if try ledger.hasRows(series: job.series) { try ledger.settleDeadRuns() }
      if let reason = input.options.acceptChange {
        for changed in try picker.changedRows() {
          try ledger.acceptRecord(
            series: job.series, key: changed.row.key, record: Array(changed.now.utf8),
            place: changed.place, reason: reason)
        }
      } else {
        if let known = try ledger.writesDigest(series: job.series, job: job.name),
          known != job.writesDigest, try ledger.hasRows(series: job.series)
        {
          throw LedgerError.refused(
            detail: "\(job.path): data.key, accept or the writing steps were changed since rows of "
              + "series \(job.series) were written; go on with --accept-change REASON, "
              + "or give the job another series")
        }
        if let changed = try picker.changedRows().first {
          throw LedgerError.refused(
            detail: "row \(changed.row.key) was changed in the data after it went on tag "
              + "\((changed.row.uid ?? []).hex): it was \(String(decoding: changed.row.record, as: UTF8.self)), "
              + "now it is \(changed.now); go on with --accept-change REASON (the tag keeps what it has)"
          )
        }
      }
      try ledger.setWritesDigest(
        series: job.series, job: job.name, digest: job.writesDigest,
        reason: input.options.acceptChange)
    } catch {
      if case .refused(let detail) = error { throw RunRefusal(.wrongFile, detail) }
      throw RunRefusal(error)
    }
  }

  /// Remembers that the messages of all rows can be made, so that the next run need not try.
  static func remember(_ checked: [UInt8]?, in ledger: any Ledger) throws(RunRefusal) {
    guard let checked else { return }
    do throws(LedgerError) {
      try ledger.rememberChecked(checked)
    } catch {
      throw RunRefusal(error)
    }
  }
}
