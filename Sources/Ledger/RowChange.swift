/// A row's next state.
package struct RowChange: Sendable, Equatable {
  package var series: String
  package var key: String
  package var state: RowState
  /// The step to go on with, for `onTag`.
  package var step: Int?

  package init(series: String, key: String, state: RowState, step: Int? = nil) {
    self.series = series
    self.key = key
    self.state = state
    self.step = step
  }
}
