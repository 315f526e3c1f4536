internal import Diagnostics
internal import JobFile
internal import Ledger
internal import ReaderSession
internal import Secrets
internal import TagFormats

/// Steps that set a password or take it off, and tags that have one from this job.
extension TagWork {
  private var series: String { context.job.series }

  /// The place of the step that takes a password off.
  private var takingOff: (index: Int, password: SecretReference)? {
    for (index, step) in batch.steps.enumerated() {
      if case .unprotect(let password) = step.kind { return (index, password) }
    }
    return nil
  }

  /// The place of the step that sets a password.
  private var protecting: (index: Int, protection: ProtectStep)? {
    for (index, step) in batch.steps.enumerated() {
      if case .protect(let protection) = step.kind { return (index, protection) }
    }
    return nil
  }

  /// Whether a password that guards the tag does not stand in the way, if it is the job's.
  var mayOpen: Bool { takingOff != nil || protecting != nil && !writesMessage }

  // MARK: Arrival

  /// A tag without what the job's passwords need: told before anything is written.
  func wrongForPasswords() -> Verdict? {
    guard takingOff != nil || protecting != nil else { return nil }
    let chip = format.chip.rawValue
    guard let last = format.chip.lastGuardedPage else {
      return Verdict(outcome: .failed, cause: .unsupported, detail: "\(chip) has no password")
    }
    if let protection = protecting?.protection, protection.from > last {
      return Verdict(
        outcome: .failed, cause: .unsupported,
        detail: "page \(protection.from) lies behind the last one of \(chip) that can be guarded, "
          + "\(last)")
    }
    if survey?.isConfigurationFixed == true {
      return Verdict(
        outcome: .failed, cause: .locked,
        detail: "the chip's settings are locked for ever, and its password with them")
    }
    return nil
  }

  /// Opens a guarded tag with the password that the steps will need: before anything is written, and before it takes
  /// a row.
  func openEarly() throws(Interruption) {
    guard survey?.isProtected == true, !context.options.isDryRun else { return }
    if let password = takingOff?.password ?? protecting?.protection.password { try open(password) }
  }

  /// Notes which password a tag has by what the ledger says of its row: the next step, or `nil` for all done.
  func expectPassword(next step: Int?) {
    if let protecting, step.map({ $0 > protecting.index }) ?? true {
      guarding = protecting.protection
    } else if let takingOff, let step, step <= takingOff.index {
      spare = takingOff.password
    } else {
      spare = protecting?.protection.password
    }
  }

  /// Notes the password that a tag without a row may have.
  func expectPassword() {
    spare = takingOff?.password
    // With random UIDs only its message says which row a tag has.
    if batch.accept.uid == .random, spare == nil { spare = protecting?.protection.password }
  }

  /// Reads the tag, with the job's password where one guards reading.
  func lookBehindPassword() throws(Interruption) -> TagSurvey {
    if let guarding, guarding.reading {
      do throws(Interruption) {
        try open(guarding.password)
      } catch {
        // Another one took it off, or put another one on: reading tells.
        guard case .tag(.password) = error else { throw error }
      }
    }
    do throws(Interruption) {
      return try onTag { () throws(TagError) in try format.survey() }
    } catch {
      guard case .tag(.password(let detail)) = error, let spare else { throw error }
      if context.options.isDryRun {
        throw .tag(.password("\(detail) (a dry run sends no password)"))
      }
      // The refusals that told of the password are not counted against what follows.
      link.beginStep(repeating: context.job.retries.tag)
      try open(spare)
      return try onTag { () throws(TagError) in try format.survey() }
    }
  }

  // MARK: Steps

  /// Opens the tag for what follows on it, where this job has put a password on it.
  func openGuarded() throws(Interruption) {
    if let guarding { try open(guarding.password) }
  }

  private func open(_ reference: SecretReference) throws(Interruption) {
    let password = try secret(reference)
    try onTag { () throws(TagError) in try format.authenticate(password) }
  }

  private func secret(_ reference: SecretReference) throws(Interruption) -> Secret {
    guard let secret = context.secrets[reference] else {
      throw .data("\(reference.place.text): the secret was not read")
    }
    return secret
  }

  func protect(_ step: ProtectStep) throws(Interruption) {
    let protection = Protection(
      password: try secret(step.password), acknowledge: step.pack, from: step.from,
      guardsReading: step.reading, tries: step.tries)
    try untilDone { () throws(TagError) in try format.protect(protection) }
    guarding = step
    survey?.isProtected = true
  }

  func unprotect(_ reference: SecretReference) throws(Interruption) {
    let password = try secret(reference)
    try untilDone { () throws(TagError) in try format.unprotect(password) }
    spare = nil
    survey?.isProtected = false
    if case .password = survey?.obstacle { survey?.obstacle = nil }
  }

  /// Does `body` again for a tag that was lost in it and came back: what is on it already is left out.
  private func untilDone(_ body: () throws(TagError) -> Void) throws(Interruption) {
    while true {
      do throws(Interruption) {
        try onTag(body)
        return
      } catch {
        guard try cameBack(after: error) else { throw error }
      }
    }
  }

  // MARK: Jobs without a message

  /// Takes the row of a tag whose message stays as it is, before the first step that changes the tag.
  ///
  /// The message that the tag holds is what its row is known by from then on.
  func claimUnwritten(next step: Int) throws(Interruption) {
    guard phase == .untouched, let row, message == nil else { return }
    let held = readMessage ?? []
    let claim = RowClaim(
      series: series, key: row.key, serial: row.serial, record: row.record, place: row.place,
      uid: tag.uid, fixed: batch.accept.uid == .fixed, message: held)
    let result = try inLedger { () throws(LedgerError) in
      try context.ledger.startWriting(claim)
    }
    switch result {
    case .claimed: break
    case .uidTaken(let key):
      self.row = nil
      throw .cloned("a tag with this UID has row \(key) since a moment ago")
    case .rowTaken, .serialTaken:
      try chooseRow()
      return try claimUnwritten(next: step)
    }
    message = held
    try inLedger { () throws(LedgerError) in
      try context.ledger.startCommitting(series: series, key: row.key)
      try context.ledger.move(series: series, key: row.key, to: .onTag, step: step)
    }
    phase = .onTag
  }
}
