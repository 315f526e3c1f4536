internal import DataSource
internal import Diagnostics
internal import JobFile
internal import Platform
internal import StationRunner

/// A job with its station, reader and rows, checked against each other without touching a reader.
struct JobSetup {
  var job: Job
  var station: Station
  var reader: StationReader
  var data: DataRows?
  var keys: RowKeys?
  var uids: RowKeys?
  var secrets: JobSecrets
  /// The digest of all that the messages are made of, where they were made now without a finding.
  var checked: [UInt8]?

  /// Reads everything that the job at `path` needs; `isRun`: every secret must be there.
  ///
  /// No message is made where `isRemembered` says so of the digest of all that they are made of.
  static func read(
    _ path: String, station flag: String?, readers: [String], overrides: [JobOverride],
    isRun: Bool, isRemembered: ([UInt8], Station) -> Bool = { _, _ in false }
  ) -> Reading {
    read(
      JobFile.read(path, overrides: overrides), path: path, station: flag, readers: readers,
      isRun: isRun, isRemembered: isRemembered)
  }

  /// The same for a job that was read; `path` is where it stands.
  static func read(
    _ read: (job: Job?, findings: Findings), path: String, station flag: String?,
    readers: [String], isRun: Bool,
    isRemembered: ([UInt8], Station) -> Bool = { _, _ in false }
  ) -> Reading {
    var reading = Reading()
    reading.add(read.findings)
    guard var job = read.job else { return reading }
    if !readers.isEmpty { job.reader = .named(readers) }
    guard let stationPath = StationChoice.path(flag: flag, job: job.station) else {
      reading.found.error(
        "no-station",
        "no station file is named, and there is neither "
          + StationChoice.usual.joined(separator: " nor "),
        at: Place(file: path), help: "add `station: PATH` to the job, or use --station")
      return reading
    }
    let (station, stationFindings) = StationFile.read(stationPath)
    reading.add(stationFindings)
    let rows = job.data?.source.flatMap { DataRows.open($0, findings: &reading.found) }
    let check = JobCheck.check(
      job, station: station, rows: rows, environment: job.environment, program: Program.version
    ) { digest in station.map { isRemembered(digest, $0) } ?? false }
    reading.add(check)
    let (secrets, secretFindings) = JobSecrets.read(job, mustHaveAll: isRun)
    reading.add(secretFindings)
    guard let station else { return reading }
    if reading.findings.hasErrors { return reading }
    let reader = reader(of: job, at: station, &reading.found)
    guard let reader, !reading.found.hasErrors else { return reading }
    reading.setup = JobSetup(
      job: job, station: station, reader: reader, data: rows, keys: check.keys, uids: check.uids,
      secrets: secrets, checked: check.made)
    return reading
  }

  /// A setup, or what is wrong.
  struct Reading {
    var setup: JobSetup?
    /// What reading the files told, and what this program asks for.
    var found = Findings()
    private var check: JobCheck?

    /// All that was found.
    var findings: Findings {
      let graver = check?.findings.all ?? []
      var all = Findings()
      // What the station file warns of is not told again where it keeps the job from running.
      for finding in found.all
      where !graver.contains(where: { $0.code == finding.code && $0.place == finding.place }) {
        all.add(finding)
      }
      for finding in graver { all.add(finding) }
      return all
    }

    /// The exit status that the errors call for.
    var status: ExitStatus {
      let checked = check?.exitStatus.flatMap { ExitStatus(rawValue: $0) } ?? .success
      return ExitStatus.first(of: [found.exit, checked])
    }

    fileprivate mutating func add(_ findings: Findings) {
      for finding in findings.all { found.add(finding) }
    }

    fileprivate mutating func add(_ check: JobCheck) { self.check = check }
  }

  private static func reader(
    of job: Job, at station: Station, _ findings: inout Findings
  ) -> StationReader? {
    let chosen: [StationReader]
    switch job.reader {
    case .only: chosen = station.readers
    case .all:
      let real = station.readers.filter { !$0.isVirtual }
      chosen = real.isEmpty ? station.readers : real
    case .named(let names):
      chosen = names.compactMap { name in station.readers.first { $0.name == name } }
    }
    if chosen.count == 1 { return chosen[0] }
    if chosen.count > 1 {
      let names = chosen.map { "`\($0.name)`" }.joined(separator: ", ")
      findings.error(
        "reader", "a run works with one reader, and these come into question: \(names)",
        at: job.readerPlace, help: "say which one: `reader: \(chosen[0].name)`, or --reader")
    }
    return nil
  }
}

extension Job {
  /// The variables that its templates refer to, as far as they are set.
  var environment: [String: String] {
    var values: [String: String] = [:]
    for reference in references where reference.path.first == "env" && reference.path.count == 2 {
      values[reference.path[1]] = Environment.value(reference.path[1])
    }
    return values
  }
}

extension StationReader {
  /// Whether the station file makes it a virtual one.
  var isVirtual: Bool {
    if case .virtual = device { return true }
    return false
  }
}
