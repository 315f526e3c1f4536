internal import Diagnostics
internal import JobFile
internal import Platform
internal import StationRunner

/// `tagstation config`: a job as it will be run, with the origin of every value.
struct ConfigCommand: Command {
  let job: String
  let overrides: [JobOverride]

  static let syntaxes = [
    CommandSyntax(
      "config", summary: "print a job with all that it extends, and the origin of every value",
      details: """
        The origin stands behind each value: the file and line, `--set`, or `default`.
        What is printed is a job file itself; its paths are from the current folder.
        exit status: 0 printed, 65 the job is wrong, 66 a file cannot be read
        """,
      positionals: [PositionalSyntax("JOB.yaml", "the job file")], options: [.set])
  ]

  init(_ arguments: ParsedArguments) throws(UsageError) {
    job = arguments.positionals[0]
    overrides = try arguments.overrides()
  }

  func run(_ console: Console) -> ExitStatus {
    let (text, findings) = ResolvedJob.text(of: job, overrides: overrides)
    let status = findings.all.isEmpty ? .success : console.report(findings)
    if let text { console.result(text) }
    return status
  }
}
