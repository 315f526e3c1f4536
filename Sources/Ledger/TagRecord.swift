/// One tag's outcome.
package struct TagRecord: Sendable, Equatable {
  package var reader: String
  package var position: Int
  package var uid: [UInt8]?
  package var series: String?
  package var key: String?
  package var outcome: Outcome
  package var cause: Cause?
  package var step: Int?

  package init(
    reader: String, position: Int, uid: [UInt8]?, series: String? = nil, key: String? = nil,
    outcome: Outcome, cause: Cause? = nil, step: Int? = nil
  ) {
    self.reader = reader
    self.position = position
    self.uid = uid
    self.series = series
    self.key = key
    self.outcome = outcome
    self.cause = cause
    self.step = step
  }
}
