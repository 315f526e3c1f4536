package import Bytes
package import Ledger
package import ReaderSession

/// What a run tells the person at the station while it goes on.
package enum RunNews: Sendable {
  /// What a run starts with: job, station, reader, ledger and log, and why the reader is used.
  case began(RunOpening)
  /// The reader is held by another run; its detail, and until when the wait lasts.
  case queued(reader: String, detail: String)
  case sessionBegan(reader: String, alert: String, dropped: [String])
  /// The alert message, filled anew.
  case alert(String)
  case sessionEnded(reader: String, Invalidation)
  case tag(TagReport)
  case crowded(reader: String, uids: [[UInt8]])
  case readerLost(reader: String, detail: String)
  case readerBack(reader: String)
  /// Something worth a line: a reader not available, rows left over, a session that ended early.
  case remark(String)
  case ended(RunSummary)
}

/// What a run starts with.
package struct RunOpening: Sendable {
  package var job: String
  package var station: String
  package var reader: String
  package var isVirtual: Bool
  package var run: String
  package var usageDescription: String
  /// Whether nothing is written, neither on tags nor to files.
  package var isDryRun = false
  package var ledger: String
  package var log: String
  /// Rows left to do; `nil` where the job takes no rows from data.
  package var rowsLeft: Int?
}

/// One tag's outcome, for people and for the event.
package struct TagReport: Sendable {
  package var reader: String
  package var session: Int
  package var batch: Int
  package var position: Int
  package var uid: [UInt8]
  package var kind: String
  package var chip: String
  package var isReadByPhones: Bool
  package var initialSelectedAID: [UInt8]?
  package var systemCode: [UInt8]?
  /// The row's key.
  package var row: String?
  package var outcome: Outcome
  package var cause: Cause?
  /// Core NFC's number for the cause, where it has one.
  package var code: Int?
  /// The step that was not confirmed, counted from 1.
  package var step: Int?
  /// In a dry run, what was left out because it writes; such a tag has no outcome to report.
  package var planned: [PlannedStep] = []
  /// How often the tag was worked on, repetitions of commands included.
  package var attempts: Int
  /// What is on the tag, as far as it was read back.
  package var records: JSON
  /// Expected and found, or what the tag or reader said.
  package var detail: String?
  package var commands: Int
  package var milliseconds: Double
  package var modelledMilliseconds: Double?
}

/// How a run ended.
package struct RunSummary: Sendable {
  /// Why: `usedUp`, `afterTags`, `idle`, `failures`, `canceled`, `fault`.
  package var reason: StopReason
  package var exit: ExitStatus
  /// Whether nothing was written: then the tags counted as passed would have been worked on.
  package var isDryRun = false
  /// Outcomes by their last for each tag.
  package var counts: [Outcome: Int]
  /// Rows of the series by state, and those still free in the data.
  package var rows: [RowState: Int]
  package var rowsLeft: Int?
  /// What to do about it, for people.
  package var remarks: [String]
}

/// Why a run stopped.
package enum StopReason: String, Sendable {
  case usedUp, afterTags, idle, failures, canceled, fault, died
}

/// Hears what a run has to tell, on the reader's thread.
package protocol RunObserver: Sendable {
  func hear(_ news: RunNews)
  /// Shows the prompt and waits for a person; `false` ends the run.
  func prompt(_ text: String) -> Bool
}
