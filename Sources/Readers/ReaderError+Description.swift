internal import Bytes

extension ReaderError: CustomStringConvertible {
  /// What happened, in one sentence for people.
  package var description: String { detail }

  /// What happened, in words.
  var detail: String {
    switch self {
    case .noAnswer: "the tag did not answer, or refused"
    case .tagGone: "the tag is gone"
    case .otherTag(let uid): "another tag lies on the reader, \(uid.hex)"
    case .timeout(let operation): "the reader did not answer in time (\(operation))"
    case .lost(let detail), .notFound(let detail), .busy(let detail, _), .permission(let detail),
      .unsupported(let detail), .violation(let detail):
      detail
    case .fault(let operation, let detail): "\(detail) (\(operation))"
    case .tooLong(let bytes, let limit):
      "a command of \(bytes) bytes is longer than this reader can carry (\(limit))"
    case .canceled: "canceled"
    case .stale(let code): "the tag's session or selection is over (code \(code))"
    }
  }
}
