internal import Diagnostics
internal import JobFile
internal import Platform
internal import StationRunner

/// Which station file a command works with, and reading it.
enum StationChoice {
  /// Where a station file is looked for if nothing names one.
  static let usual = ["station.yaml", "/etc/tagstation/station.yaml"]

  /// The path: the flag's, else the job's, else the first of the usual ones that is there.
  static func path(flag: String?, job: String? = nil) -> String? {
    flag ?? job ?? usual.first { Files.exists($0) }
  }

  /// The station that `flag` or the usual places lead to, or the status to end with, already said.
  static func read(
    flag: String?, job: String? = nil, _ console: Console
  ) throws(Ending) -> Station {
    guard let path = path(flag: flag, job: job) else {
      throw Ending(
        console.fail(
          .missingInput, "no station file: there is neither \(usual.joined(separator: " nor "))",
          help: "name one with --station FILE, or as `station:` in the job"))
    }
    let (station, findings) = StationFile.read(path)
    guard let station else { throw Ending(console.report(findings)) }
    return station
  }
}

/// A status that a command ends with, after it was said why.
struct Ending: Error {
  let status: ExitStatus

  init(_ status: ExitStatus) { self.status = status }
}

extension Console {
  /// Shows findings to a person, and gives back the status they make.
  func report(_ findings: Findings) -> ExitStatus {
    var renderer = Renderer(colour: style.hasColor) { try? Files.read($0, limit: 1 << 26) }
    StandardStream.error.write(renderer.render(findings))
    return findings.exit
  }
}

extension Findings {
  /// Without what is said by `check` only.
  var withoutNotes: Findings {
    var rest = Findings()
    for diagnostic in all where diagnostic.severity > .note { rest.add(diagnostic) }
    return rest
  }

  /// 0 without errors, 66 where a file cannot be read, 77 where a secret may not, else 65.
  var exit: ExitStatus {
    ExitStatus.first(
      of: all.filter { $0.severity == .error }.map { error in
        switch error.code {
        case "unreadable", "data-unreadable", "no-station": .missingInput
        case "secret-permission": .noPermission
        default: .wrongFile
        }
      })
  }
}
