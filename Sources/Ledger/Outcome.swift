/// What became of one tag.
package enum Outcome: String, Sendable, CaseIterable {
  case passed, failed, skipped, torn, unfinished, inDoubt
}

/// Why; a closed list shared by ledger, log and reports.
package enum Cause: String, Sendable, CaseIterable {
  case tagLost, wrongChip, notEmpty, locked, password, tooSmall, writeRefused, readBackDiffers,
    notAsExpected, unsupported, uidSeenBefore, cloned, counterfeit, lockUnconfirmed, outOfTurn,
    reader, ledger, data
}
