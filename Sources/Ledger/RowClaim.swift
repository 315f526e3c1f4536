/// What takes a row into `writing`.
package struct RowClaim: Sendable {
  package var series: String
  package var key: String
  package var serial: Int?
  package var record: [UInt8]
  package var place: String
  package var uid: [UInt8]
  /// Whether the UID is the tag's own for ever, and so unique in the series.
  package var fixed: Bool
  package var message: [UInt8]
  /// Whether a row that is `done` on this very UID may be written again.
  package var again: Bool

  package init(
    series: String, key: String, serial: Int?, record: [UInt8], place: String, uid: [UInt8],
    fixed: Bool, message: [UInt8], again: Bool = false
  ) {
    self.series = series
    self.key = key
    self.serial = serial
    self.record = record
    self.place = place
    self.uid = uid
    self.fixed = fixed
    self.message = message
    self.again = again
  }
}

/// What became of a claim.
package enum ClaimResult: Sendable, Equatable {
  case claimed
  /// The row is not free any more; the next one may be.
  case rowTaken
  /// The UID has a row already, with this key.
  case uidTaken(key: String)
  /// The serial number was given to another row meanwhile.
  case serialTaken
}
