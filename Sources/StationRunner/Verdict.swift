package import Ledger
internal import Readers
internal import TagFormats

/// What became of a tag, and of its row.
struct Verdict: Sendable, Equatable {
  var outcome: Outcome
  var cause: Cause?
  var detail: String?
  /// The step that was not confirmed, counted from 0.
  var step: Int?
  /// The row's next state; `nil` where no row is touched.
  var rowState: RowState?

  static let passed = Verdict(outcome: .passed)
}

/// What cut the work on a tag short.
enum Interruption: Error, Sendable, Equatable {
  case tag(TagError)
  case ledger(LedgerError)
  /// An `expect` step: expected and found.
  case expectation(String)
  /// A template could not be filled, or no row is left.
  case data(String)
  /// Another run took the last row.
  case usedUp
  /// The UID is in work by another run now.
  case cloned(String)

  /// Whether the tag left the field, or another one took its place.
  var isTagGone: Bool {
    switch self {
    case .tag(.link(.tagGone)), .tag(.link(.otherTag)): true
    default: false
    }
  }

  /// The reader's own failure, where it is one.
  var readerError: ReaderError? {
    guard case .tag(.link(let error)) = self else { return nil }
    switch error {
    case .lost, .timeout, .fault, .notFound, .busy, .permission, .unsupported, .tooLong:
      return error
    case .noAnswer, .tagGone, .otherTag, .canceled, .stale, .violation: return nil
    }
  }

  var cause: Cause {
    switch self {
    case .ledger: .ledger
    case .expectation: .notAsExpected
    case .data, .usedUp: .data
    case .cloned: .cloned
    case .tag(let error): error.cause
    }
  }

  var detail: String {
    switch self {
    case .ledger(let error): error.text
    case .expectation(let text), .data(let text), .cloned(let text): text
    case .usedUp: "another run took the last row"
    case .tag(let error): error.text
    }
  }
}

extension TagError {
  var cause: Cause {
    switch self {
    case .link(let error):
      switch error {
      case .tagGone, .otherTag, .stale, .canceled: .tagLost
      case .noAnswer: .writeRefused
      case .lost, .timeout, .fault, .notFound, .busy, .permission: .reader
      case .unsupported, .tooLong, .violation: .unsupported
      }
    case .refused: .writeRefused
    case .tooSmall: .tooSmall
    case .locked: .locked
    case .password: .password
    case .unsupported: .unsupported
    case .readBackDiffers: .readBackDiffers
    case .lockUnconfirmed: .lockUnconfirmed
    }
  }

  /// One sentence, without a full stop, for people.
  var text: String {
    switch self {
    case .link(let error): error.description
    case .tooSmall(let needed, let capacity):
      "the message has \(needed) bytes, the tag holds \(capacity)"
    case .refused(let text), .locked(let text), .password(let text), .unsupported(let text),
      .readBackDiffers(let text), .lockUnconfirmed(let text):
      text
    }
  }
}

extension Cause {
  /// Core NFC's number for what happened, where it has one.
  var readerErrorCode: Int? {
    switch self {
    case .tagLost: 100
    case .writeRefused, .readBackDiffers, .lockUnconfirmed: 401
    case .tooSmall: 402
    case .locked, .password: 400
    case .reader: 202
    case .unsupported: 1
    case .wrongChip, .notEmpty, .notAsExpected, .uidSeenBefore, .cloned, .counterfeit, .outOfTurn,
      .ledger, .data:
      nil
    }
  }
}

extension LedgerError {
  /// One sentence, without a full stop, for people.
  package var text: String {
    switch self {
    case .cannotOpen(let path, let detail): "the ledger \(path) cannot be opened: \(detail)"
    case .permission(let path): "no permission for the ledger \(path)"
    case .io(let detail): "the ledger cannot be written: \(detail)"
    case .damaged(let detail):
      "the ledger is damaged, and nothing is written to it: \(detail); move it, its -wal and its -shm "
        + "away, copy the last backup (tagstation ledger backup) to its place, and see docs/reliability.md "
        + "for what the log has more"
    case .newer(let path, let version):
      "the ledger \(path) was made by a newer program (version \(version)), and this one leaves it "
        + "alone; use that program"
    case .inUseByOlder(let path):
      "a run of an older program is at work on the ledger \(path), which is to be brought up to date; run "
        + "again when it has ended"
    case .wentBack(let detail): "the ledger went back in time: \(detail)"
    case .locked(let path): "the ledger \(path) stayed locked for 10 s"
    case .refused(let detail): detail
    case .impossible(let detail): "a change that the row's state does not allow: \(detail)"
    }
  }

  /// The exit status it makes.
  package var exit: ExitStatus {
    switch self {
    case .cannotOpen: .cannotCreate
    case .permission: .noPermission
    case .io, .damaged, .newer, .wentBack: .cannotWrite
    case .locked, .inUseByOlder: .tryAgain
    case .refused: .someFailed
    case .impossible: .programFault
    }
  }
}
