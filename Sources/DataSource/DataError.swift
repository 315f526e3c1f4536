package import Diagnostics

/// A row that cannot be given.
package struct DataError: Error, Sendable, Equatable {
  /// One sentence without a full stop.
  package var message: String
  /// Where the row stands, if it stands anywhere.
  package var place: Place?

  /// An error at `place`.
  package init(_ message: String, at place: Place? = nil) {
    self.message = message
    self.place = place
  }
}
