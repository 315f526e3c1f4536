internal import JobFile
internal import Ledger
internal import NDEF
internal import ReaderSession
internal import Readers
internal import TagFormats

/// The work on one tag: decides on arrival, walks the steps, and tells what became of tag and row.
///
/// The row's state in the ledger is durable before each act that depends on it (promise 3).
final class TagWork {
  /// How far the row's message has come.
  enum Phase: Sendable {
    /// No byte was sent.
    case untouched
    /// Bytes go to the tag, none of them readable.
    case writing
    /// The write that makes the message readable was sent or is about to be.
    case committing
    /// The message was read back good; later steps remain.
    case onTag
    /// All that touches the row is confirmed.
    case confirmed
  }

  let context: RunContext
  let batch: Batch
  let tag: SessionTag
  let link: PatientLink
  var values: RunValues
  var phase = Phase.untouched
  var format: any TagFormat
  var survey: TagSurvey?
  var row: PickedRow?
  /// The key of a row that was looked up and stays as it is.
  var foundKey: String?
  /// Whether the tag's own row is put on it again.
  var writesAgain = false
  /// The message that the row puts on the tag.
  var message: [UInt8]?
  /// The password that this job has put on the tag.
  var guarding: ProtectStep?
  /// The password to try where the tag cannot be read without one.
  var spare: SecretReference?
  /// `read` steps that were reached, whose fields are kept with the outcome.
  var reads: [ReadStep] = []
  /// In a dry run, the steps that were left out because they write or need what was not written.
  var planned: [PlannedStep] = []
  /// The step in hand, counted from 0.
  var step: Int?
  /// Why the reader can do no more, where that ended the work.
  private(set) var readerFailure: ReaderError?
  /// Whether the tag was waited for and did not come back.
  private(set) var wentAway = false
  /// Whether a free row was believed to be there when the tag came.
  let believesInRows: Bool
  /// Whether another run turned out to have taken the last one.
  private(set) var foundNoRow = false
  private var comeBacks: Int

  init(
    _ tag: SessionTag, _ batch: Batch, _ context: RunContext, values: RunValues,
    believesInRows: Bool
  ) {
    self.believesInRows = believesInRows
    self.tag = tag
    self.batch = batch
    self.context = context
    self.values = values
    link = PatientLink(tag, cancellation: context.cancellation)
    format = ForeignTag(link, chip: .unknown)
    comeBacks = 1 + context.job.retries.tag
  }

  /// Whether a message was read whole, and which; the empty one for an empty tag.
  var readMessage: [UInt8]? {
    switch survey?.content {
    case .message(let bytes): bytes
    case .empty, .blank: []
    case .unformatted, .broken, nil: nil
    }
  }

  /// Does the work; a failing ledger ends it, since nothing may be done that cannot be recorded.
  func run() throws(LedgerError) -> Verdict {
    do throws(Interruption) {
      try identify()
      return batch.writes ? try treat() : try inspect()
    } catch {
      if case .ledger(let failure) = error { throw failure }
      if error == .usedUp {
        foundNoRow = true
        return Verdict(outcome: .skipped, cause: error.cause, detail: error.detail)
      }
      switch error.readerError {
      case .lost, .notFound, .busy, .permission: readerFailure = error.readerError
      default: break
      }
      return try verdict(for: error)
    }
  }

  private func identify() throws(Interruption) {
    link.beginStep(repeating: context.job.retries.tag)
    link.expectsRefusal = true
    defer { link.expectsRefusal = false }
    do throws(TagError) {
      format = try TagFormats.identify(link)
    } catch {
      throw .tag(error)
    }
    values.chip = format.chip.rawValue
    link.beginStep(repeating: context.job.retries.tag)
  }

  /// A tag that no step changes.
  private func inspect() throws(Interruption) -> Verdict {
    if let refusal = try wrongChip() { return refusal }
    try look()
    if let refusal = wrongContent(hasRow: false) { return refusal }
    try findRow()
    return try walk(from: 0)
  }

  // MARK: Looking

  @discardableResult
  func look() throws(Interruption) -> TagSurvey {
    let found = try lookBehindPassword()
    survey = found
    return found
  }

  /// The content as it is now, read once.
  func currentSurvey() throws(Interruption) -> TagSurvey {
    if let survey { return survey }
    return try look()
  }

  func holds(_ message: [UInt8]) -> Bool { readMessage == message && survey?.content != .blank }

  /// Whether the tag gets a message; other writing jobs leave it the one it has.
  var writesMessage: Bool { batch.steps.contains { $0.name == "write" } }

  func wrongChip() throws(Interruption) -> Verdict? {
    guard let chips = batch.accept.chips, !chips.contains(format.chip) else { return nil }
    let names = chips.map(\.rawValue).joined(separator: ", ")
    return Verdict(
      outcome: .failed, cause: .wrongChip, detail: "\(format.chip.rawValue), not \(names)")
  }

  /// `notEmpty`, `locked`, `password`, `unsupported`, in this order.
  func wrongContent(hasRow: Bool) -> Verdict? {
    guard let survey else { return nil }
    let accept = batch.accept.content
    if !writesAgain, accept == .empty || accept == .ours && !hasRow {
      switch survey.content {
      case .message(let bytes):
        return Verdict(
          outcome: .failed, cause: .notEmpty, detail: "it holds a message of \(bytes.count) bytes")
      case .broken(let why): return Verdict(outcome: .failed, cause: .notEmpty, detail: why)
      case .blank, .empty, .unformatted: break
      }
    }
    guard batch.writes else { return nil }
    var obstacle = survey.obstacle
    switch obstacle {
    case .password where mayOpen: obstacle = nil
    case .locked where !writesMessage: obstacle = nil
    default: break
    }
    if let obstacle {
      return Verdict(outcome: .failed, cause: obstacle.cause, detail: obstacle.text)
    }
    if case .unformatted(let why) = survey.content {
      return Verdict(outcome: .failed, cause: .unsupported, detail: why)
    }
    if survey.content == .blank, !writesMessage {
      return Verdict(
        outcome: .failed, cause: .unsupported, detail: "the tag has no NDEF format yet")
    }
    return nil
  }

  // MARK: Errors

  func onTag<Result>(_ body: () throws(TagError) -> Result) throws(Interruption) -> Result {
    do throws(TagError) { return try body() } catch { throw .tag(error) }
  }

  func inLedger<Result>(_ body: () throws(LedgerError) -> Result) throws(Interruption) -> Result {
    do throws(LedgerError) { return try body() } catch { throw .ledger(error) }
  }

  /// Waits for a tag lost in hand; `true` if it is back, selected, with nothing remembered of it.
  func cameBack(after interruption: Interruption) throws(Interruption) -> Bool {
    guard interruption.isTagGone, comeBacks > 0, mayBeKnownAgain else { return false }
    comeBacks -= 1
    do throws(ReaderError) {
      guard try link.waitForReturn(atMost: context.job.retries.comeBack) else {
        wentAway = true
        return false
      }
    } catch {
      throw .tag(.link(error))
    }
    format.forget()
    survey = nil
    link.beginStep(repeating: context.job.retries.tag)
    return true
  }

  /// Whether the tag, away for a while, can be told from others: by its UID, else by the bytes that it holds
  /// once the committing write was sent.
  private var mayBeKnownAgain: Bool {
    guard link.target.hasRandomUID else { return true }
    switch phase {
    case .untouched: return row == nil
    case .writing: return false
    case .committing, .onTag, .confirmed: return true
    }
  }

  /// What an interruption makes of tag and row, by how far the row had come (promise 3).
  private func verdict(for interruption: Interruption) throws(LedgerError) -> Verdict {
    var verdict = Verdict(
      outcome: .failed, cause: interruption.cause, detail: interruption.detail, step: step)
    switch phase {
    case .untouched:
      // Nothing was sent: a refusal here is one of reading.
      if verdict.cause == .writeRefused { verdict.cause = refusedReading }
    case .writing:
      verdict.rowState = .free
      if interruption.isTagGone || interruption.readerError != nil
        || interruption == .tag(.link(.canceled))
      {
        verdict.outcome = .torn
      }
    case .committing:
      verdict = doubtful(interruption, verdict)
    case .onTag:
      verdict.outcome = .unfinished
      verdict.rowState = .onTag
      if verdict.cause == .writeRefused, isLocking { verdict.cause = .lockUnconfirmed }
    case .confirmed:
      // Only steps that leave the tag as it is can be cut short here; the row waits for them.
      verdict.outcome = .unfinished
      verdict.rowState = .onTag
    }
    return verdict
  }

  private var refusedReading: Cause {
    survey?.isProtected == true ? .password : .unsupported
  }

  private var isLocking: Bool {
    guard let step, case .lock = batch.steps[step].kind else { return false }
    return true
  }

  /// After the committing write: free only where length zero is written and confirmed, else in doubt.
  private func doubtful(_ interruption: Interruption, _ failed: Verdict) -> Verdict {
    var verdict = failed
    verdict.outcome = .inDoubt
    verdict.rowState = .inDoubt
    // A dry run sent nothing, and makes no tag empty.
    if context.options.isDryRun { return verdict }
    switch interruption {
    case .tag(.readBackDiffers), .tag(.link(.noAnswer)), .tag(.refused): break
    default: return verdict
    }
    // With a random UID it may be one that holds another row, whose bytes are much the same.
    if link.target.hasRandomUID { return verdict }
    link.beginStep(repeating: context.job.retries.tag)
    do throws(TagError) {
      format.forget()
      _ = try format.survey()
      // Selected anew since, it may be another tag, also under this UID: nothing is done to that one, and
      // the row stays with the tag that was written.
      if let message, !message.isEmpty {
        guard try format.holdsPart(of: message) else { return verdict }
      }
      try format.writeZeroLength()
    } catch {
      return verdict
    }
    verdict.outcome = .failed
    verdict.rowState = .free
    return verdict
  }
}
