package import Diagnostics

/// Where a job's rows come from, as the job names it.
package enum DataSourceSpec: Sendable {
  /// A CSV file; `header` names the columns where the file has no heading line.
  case csv(path: String, delimiter: UInt8?, encoding: String?, header: [String]?, place: Place)
  case jsonl(path: String, place: Place)
  /// Lines that come while the run goes on: of standard input, or of the station's scanner of a name.
  case lines(FeedName, place: Place)
  /// An inline list of rows, each with its place in the job file.
  case rows([(fields: [(name: String, value: String)], place: Place)])
}

/// Where lines come from, as a job names it.
package enum FeedName: Sendable, Equatable {
  case standardInput
  case scanner(String)
}
