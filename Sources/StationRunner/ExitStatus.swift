/// How the program ends, as scripts and cron see it.
package enum ExitStatus: Int32, Sendable, CaseIterable {
  /// All tags `passed` or `skipped`, or no row was left at the start.
  case success = 0
  /// Some tags `failed` or `torn`, or fewer came than expected.
  case someFailed = 1
  /// Rows are in doubt, or on a tag that is not finished: a person is needed.
  case inDoubt = 3
  case usage = 64
  /// A job, station or data file is wrong.
  case wrongFile = 65
  /// An input cannot be read.
  case missingInput = 66
  /// There is no reader, or it went away.
  case noReader = 69
  /// A fault of the program itself.
  case programFault = 70
  case cannotCreate = 73
  /// The log or ledger cannot be written, does not verify, or went back.
  case cannotWrite = 74
  /// Something else holds the reader or the ledger.
  case tryAgain = 75
  case noPermission = 77
  /// The declarations do not allow what the job asks.
  case notDeclared = 78
  /// 128 + SIGINT.
  case interrupted = 130
  /// 128 + SIGTERM.
  case terminated = 143

  /// Which one counts where several apply: the first of these.
  private static let precedence: [ExitStatus] = [
    .usage, .missingInput, .wrongFile, .programFault, .cannotWrite, .inDoubt, .interrupted,
    .terminated, .noPermission, .notDeclared, .noReader, .tryAgain, .cannotCreate, .someFailed,
    .success,
  ]

  /// The one to end with where all of `statuses` apply; success where none does.
  package static func first(of statuses: some Sequence<ExitStatus>) -> ExitStatus {
    let all = Array(statuses)
    return precedence.first { all.contains($0) } ?? .success
  }
}
