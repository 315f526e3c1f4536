package import Readers

/// Why a tag did not do what its format allows.
package enum TagError: Error, Sendable, Equatable {
  /// The reader or the way to the tag failed.
  case link(ReaderError)
  /// The tag is there but refuses: a NAK, or an error status.
  case refused(String)
  /// The message and its frame do not fit.
  case tooSmall(needed: Int, capacity: Int)
  /// Pages that must be written are locked, or the capability container says read-only.
  case locked(String)
  /// A password guards the memory.
  case password(String)
  /// The chip or what lies on it is of a kind that cannot be treated.
  case unsupported(String)
  /// What was written did not read back.
  case readBackDiffers(String)
  /// A lock was written but did not read back.
  case lockUnconfirmed(String)
}
