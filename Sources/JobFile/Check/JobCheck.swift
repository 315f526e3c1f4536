package import DataSource
package import Diagnostics
internal import TagFormats

/// What is wrong between a job, its station and its data, before a reader is touched.
package struct JobCheck {
  /// What was found, beside what reading the files told.
  package private(set) var findings = Findings()
  /// Whether the declarations do not allow what the job asks.
  package private(set) var isForbidden = false
  /// What names the rows of the data; `nil` where nothing does, or it is wrong.
  package private(set) var keys: RowKeys?
  /// What finds a row by its tag's UID, likewise.
  package private(set) var uids: RowKeys?
  /// The digest of all that the messages are made of, where they were made without a finding.
  package private(set) var made: [UInt8]?
  private var isFaulty = false

  /// What is made of the rows while they are checked.
  struct Made {
    var keys: RowKeys?
    var uids: RowKeys?
  }

  /// Checks `job` at `station` with the rows of its data; `environment` is what `${env.…}` gives.
  ///
  /// Every row is rendered for every batch that writes, unless `isRemembered` says of the digest of
  /// all that goes into it that this was done before. `program` is the version of what renders. Rows
  /// are `nil` where the job has no data with columns, or it could not be opened.
  package static func check(
    _ job: Job, station: Station?, rows: DataRows?, environment: [String: String] = [:],
    program: String = "", isRemembered: ([UInt8]) -> Bool = { _ in false }
  ) -> JobCheck {
    var check = JobCheck()
    if let station {
      check.checkReader(job, station)
      check.checkScanner(job, station)
      var sessions: Set<Place> = []
      for batch in job.batches where sessions.insert(batch.session.place).inserted {
        DeclarationCheck(station: station).check(batch.session, &check)
      }
    }
    if let rows { DataCheck(job: job, rows: rows).check(&check) }
    if job.writes {
      let messages = MessageCheck(job: job, rows: rows, environment: environment)
      let digest = messages.digest(program: program)
      if check.findings.hasErrors || !isRemembered(digest) {
        let before = check.findings.all.count
        messages.check(&check)
        if check.findings.all.count == before { check.made = digest }
      }
    }
    check.checkChips(job)
    check.checkPrompts(job)
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
  mutating func collect(_ find: (inout Findings, inout Made) -> Void) {
    var found = Findings()
    var made = Made(keys: keys, uids: uids)
    keys = nil
    uids = nil
    find(&found, &made)
    keys = made.keys
    uids = made.uids
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

  mutating func note(_ code: String, _ message: String, at place: Place, help: String? = nil) {
    findings.add(Diagnostic(.note, code, message, at: place, help: help))
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

  private mutating func checkScanner(_ job: Job, _ station: Station) {
    guard let data = job.data, case .scanner(let wanted)? = job.feed else { return }
    let names = station.scanners.map(\.name)
    if names.contains(wanted) { return }
    error(
      "scanner", "the station has no scanner `\(wanted)`", at: data.place,
      help: names.isEmpty
        ? "name it under `scanners` in \(station.path), or use `\"-\"` for standard input"
        : Reading.suggestion(for: wanted, among: names))
  }

  /// Enter is a line of data where standard input brings them.
  private mutating func checkPrompts(_ job: Job) {
    guard job.feed == .standardInput else { return }
    for batch in job.batches where batch.prompt != nil {
      note(
        "prompt",
        "standard input brings lines of data here: a prompt is answered by SIGUSR1, not by Enter",
        at: batch.place)
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
