/// Whose event it is: what stands on every line beside time and number.
struct EventOrigin: Equatable, Sendable {
  var station: String?
  var job: String?
  var run: String?
  var virtual: Bool

  init(station: String?, job: String?, run: String?, virtual: Bool) {
    self.station = station
    self.job = job
    self.run = run
    self.virtual = virtual
  }

  init(_ run: RunRecord) {
    self.init(station: run.station, job: run.job, run: run.run, virtual: run.virtual)
  }
}
