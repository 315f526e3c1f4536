internal import Bytes
internal import Diagnostics
internal import JobFile
internal import Platform
internal import StationRunner
internal import YAMLTree

/// `tagstation check`: everything that is wrong with job, station and faults files, without touching a reader.
struct CheckCommand: Command {
  enum Format: String, CaseIterable, Sendable { case human, json, sarif, github }

  let files: [String]
  let station: String?
  let overrides: [JobOverride]
  /// Whether a warning is as bad as an error.
  let isStrict: Bool
  let format: Format

  private static let strict = OptionSyntax.flag("strict", "end with 65 for warnings too")
  private static let format = OptionSyntax.choice(
    "format", Format.allCases.map(\.rawValue),
    "json: one object; sarif: SARIF 2.1.0; github: workflow commands")

  static let syntaxes = [
    CommandSyntax(
      "check", summary: "check job, station and faults files; no reader is touched",
      details: """
        exit status: 0 nothing is wrong, 65 a file is wrong, 66 a file cannot be read,
        77 others may read a secret, 78 the station does not declare what the job asks
        """,
      positionals: [PositionalSyntax("FILE", count: .oneOrMore, "a job, station or faults file")],
      options: [.station, .set, strict, format])
  ]

  init(_ arguments: ParsedArguments) throws(UsageError) {
    files = arguments.positionals
    station = arguments.value(.station)
    overrides = try arguments.overrides()
    isStrict = arguments.has(Self.strict)
    format = arguments.choice(Self.format, else: .human)
  }

  func run(_ console: Console) -> ExitStatus {
    var all = Findings()
    var results: [CheckReport.Result] = []
    for file in files {
      let (findings, status) = findings(in: file)
      // Two jobs of one station share its findings.
      for finding in findings.all where !all.all.contains(finding) { all.add(finding) }
      let isTooWeak = isStrict && findings.all.contains { $0.severity == .warning }
      results.append(
        CheckReport.Result(
          file: file, status: ExitStatus.first(of: [status, isTooWeak ? .wrongFile : .success]),
          isClean: findings.withoutNotes.all.isEmpty))
    }
    let report = CheckReport(findings: all, results: results)
    switch format {
    case .json: console.result(report.json.text)
    case .sarif: console.result(report.sarif.lines)
    case .github: for line in report.workflowCommands { console.result(line) }
    case .human:
      if !all.all.isEmpty { _ = console.report(all) }
      for result in results where result.isClean {
        console.say("\(shown(result.file)): nothing is wrong")
      }
    }
    return ExitStatus.first(of: results.map(\.status))
  }

  private func findings(in file: String) -> (Findings, ExitStatus) {
    let bytes = try? Files.read(file, limit: YAMLTree.largestFile)
    switch bytes.map({ FileSubject(of: $0) }) ?? .job {
    case .station:
      let findings = StationFile.read(file).findings
      return (findings, findings.exit)
    case .faults:
      let findings = FaultsFile.read(file).findings
      return (findings, findings.exit)
    case .job:
      let reading = JobSetup.read(
        file, station: station, readers: [], overrides: overrides, isRun: false)
      return (reading.findings, reading.status)
    }
  }
}
