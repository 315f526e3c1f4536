/// Why a reader, or a tag through it, did not do what was asked.
package enum ReaderError: Error, Sendable, Equatable {
  /// The tag did not answer, or answered with a refusal: the chip says the same for both.
  case noAnswer
  /// The tag is gone, or another one lies there: it did not answer to its UID.
  case tagGone
  /// Another tag answered where `expected` was.
  case otherTag([UInt8])
  /// The reader's own answer did not come in time; the line to it must be opened anew.
  case timeout(operation: String)
  /// The reader went away: unplugged, or its port closed.
  case lost(detail: String)
  /// The reader answered something it may not.
  case fault(operation: String, detail: String)
  /// There is no such reader.
  case notFound(detail: String)
  /// Something else holds the reader.
  ///
  /// `isStation`: another run of this program, which will let it go; anything else is for a person.
  case busy(detail: String, isStation: Bool = false)
  /// The port may not be opened by this user.
  case permission(detail: String)
  /// The command is longer than the reader can carry; libnfc would end the process.
  case tooLong(bytes: Int, limit: Int)
  /// This reader cannot do it.
  case unsupported(detail: String)
  /// The wait was cut short by a person.
  case canceled
  /// The tag belongs to an ended session (Core NFC's code 103) or an earlier poll (104).
  case stale(code: Int)
  /// The command touches what the session may not (Core NFC's code 2).
  case violation(detail: String)
}
