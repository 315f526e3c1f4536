/// One execution of a job.
package struct RunRecord: Sendable, Equatable {
  /// 16 letters and digits that sort by time.
  package var run: String
  package var job: String
  package var station: String
  /// Whether any reader of the run is virtual.
  package var virtual: Bool

  package init(run: String, job: String, station: String, virtual: Bool) {
    self.run = run
    self.job = job
    self.station = station
    self.virtual = virtual
  }
}
