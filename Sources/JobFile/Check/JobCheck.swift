package import DataSource
package import Diagnostics
internal import TagFormats

/// What is wrong between a job, its station and its data, before a reader is touched.
package struct JobCheck {
  /// What was found, beside what reading the files told.
  package private(set) var findings = Findings()
  /// Whether the declarations do not allow what the job asks.
  package private(set) var isForbidden = false
  private var isFaulty = false

  /// Checks `job` at `station` with the rows of its data; `environment` is what `${env.…}` gives.
  ///
  /// Every row is rendered for every batch that writes. Rows are `nil` where the job has no data
  /// with columns, or it could not be opened.
  package static func check(
    _ job: Job, station: Station?, rows: DataRows?, environment: [String: String] = [:]
  ) -> JobCheck {
    var check = JobCheck()
    if let station {
      check.checkReader(job, station)
      var sessions: Set<Place> = []
      for batch in job.batches where sessions.insert(batch.session.place).inserted {
        DeclarationCheck(station: station).check(batch.session, &check)
      }
    }
    if let rows { DataCheck(job: job, rows: rows).check(&check) }
    if job.writes {
      MessageCheck(job: job, rows: rows, station: station, environment: environment).check(&check)
    }
    check.checkChips(job)
    for batch in job.batches { PasswordCheck(batch: batch).check(&check) }
    check.findings.sortByPlace()
    return check
  }

  /// The exit status that the errors call for: 65, 78, or `nil` without one.
  package var exitStatus: Int32? { isFaulty ? 65 : isForbidden ? 78 : nil }

  /// Keeps an error about the job or its data.
  mutating func error(
    _ code: String, _ message: String, at place: Place, help: String? = nil,
    secondary: Diagnostic.Secondary? = nil
  ) {
    isFaulty = true
    findings.error(code, message, at: place, help: help, secondary: secondary)
  }

  /// Keeps what `find` finds about the job or its data.
  mutating func collect(_ find: (inout Findings) -> Void) {
    var found = Findings()
    find(&found)
    isFaulty = isFaulty || found.hasErrors
    for diagnostic in found.all { findings.add(diagnostic) }
  }

  /// Keeps an error about the declarations.
  mutating func forbid(
    _ code: String, _ message: String, at place: Place, help: String? = nil,
    secondary: Diagnostic.Secondary? = nil
  ) {
    isForbidden = true
    findings.error(code, message, at: place, help: help, secondary: secondary)
  }

  mutating func warning(
    _ code: String, _ message: String, at place: Place, help: String? = nil,
    secondary: Diagnostic.Secondary? = nil
  ) {
    findings.warning(code, message, at: place, help: help, secondary: secondary)
  }

  mutating func note(_ code: String, _ message: String, at place: Place) {
    findings.add(Diagnostic(.note, code, message, at: place))
  }

  private mutating func checkReader(_ job: Job, _ station: Station) {
    let names = station.readers.map(\.name)
    let place = job.readerPlace
    switch job.reader {
    case .all:
      let real = station.readers.filter { !$0.isVirtual }
      let count = real.isEmpty ? names.count : real.count
      if count > 1 {
        error(
          "not-yet", "`all` means \(count) readers here, and readers do not run side by side yet",
          at: place, help: "name one reader")
      }
    case .only:
      if names.count > 1 {
        error(
          "reader", "the station has several readers, and the job names none", at: place,
          help: "add `reader:` with one of " + names.map { "`\($0)`" }.joined(separator: ", "))
      }
    case .named(let wanted):
      for name in wanted where !names.contains(name) {
        error(
          "reader", "the station has no reader `\(name)`", at: place,
          help: Reading.suggestion(for: name, among: names))
      }
    }
  }

  /// Chips that an iPhone does not read are said.
  private mutating func checkChips(_ job: Job) {
    for batch in job.batches {
      let foreign = (batch.accept.chips ?? []).filter { !$0.isReadByPhones }
      if foreign.isEmpty { continue }
      warning(
        "phone", "an iPhone does not read \(foreign.map(\.rawValue).joined(separator: ", "))",
        at: batch.place)
    }
  }
}
