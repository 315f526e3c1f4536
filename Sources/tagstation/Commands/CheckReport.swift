internal import Bytes
internal import Diagnostics
internal import JobFile
internal import StationRunner

/// What `check` found, in the forms that other programs read.
struct CheckReport {
  /// What became of one of the files.
  struct Result {
    var file: String
    var status: ExitStatus
    /// Whether nothing is wrong: notes at most were found.
    var isClean: Bool
  }

  let findings: Findings
  let results: [Result]

  /// One object with the files and all findings.
  var json: JSON {
    .object([
      ("v", .integer(1)),
      (
        "files",
        .array(
          results.map { result in
            .object([
              ("file", .string(result.file)), ("exit", .integer(Int64(result.status.rawValue))),
            ])
          })
      ),
      ("findings", .array(findings.all.map(Self.json))),
    ])
  }

  private static func json(_ finding: Diagnostic) -> JSON {
    .object([
      ("severity", .string(finding.severity.rawValue)), ("code", .string(finding.code)),
      ("message", .string(finding.message)), ("place", finding.place.map(json) ?? .null),
      ("help", finding.help.map { .string($0) } ?? .null),
      (
        "secondary",
        finding.secondary.map { second in
          .object([("place", json(second.place)), ("label", .string(second.label))])
        } ?? .null
      ),
    ])
  }

  private static func json(_ place: Place) -> JSON {
    .object([
      ("file", .string(place.file)), ("line", .integer(Int64(place.line))),
      ("column", .integer(Int64(place.column))), ("length", .integer(Int64(place.length))),
    ])
  }

  /// A line for each finding, as a GitHub Actions runner takes them from a step's output.
  var workflowCommands: [String] {
    findings.all.map { finding in
      let command =
        switch finding.severity {
        case .error: "error"
        case .warning: "warning"
        case .note: "notice"
        }
      var properties: [(String, String)] = []
      if let place = finding.place, !JobOverride.isPlace(place) {
        properties.append(("file", place.file))
        if place.line > 0 { properties.append(("line", "\(place.line)")) }
        if place.line > 0, place.column > 0 {
          properties.append(("col", "\(place.column)"))
          properties.append(("endColumn", "\(place.column + place.length)"))
        }
      }
      properties.append(("title", finding.code))
      let words = properties.map { "\($0)=\(Self.workflowText($1, inProperty: true))" }
      let message = Self.workflowText(Self.message(finding), inProperty: false)
      return "::\(command) \(words.joined(separator: ","))::\(message)"
    }
  }

  /// Without what would end a property or a line, or what a terminal would act on.
  private static func workflowText(_ text: String, inProperty: Bool) -> String {
    var out = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "%": out += "%25"
      case "\n": out += "%0A"
      case "\r": out += "%0D"
      case ":" where inProperty: out += "%3A"
      case "," where inProperty: out += "%2C"
      default: out += shown(String(scalar))
      }
    }
    return out
  }

  /// The sentence, with what was set where it stands in no file, and the help.
  static func message(_ finding: Diagnostic) -> String {
    var text = finding.message
    if let place = finding.place, JobOverride.isPlace(place) { text = "\(place.file): \(text)" }
    if let help = finding.help { text += "\n\(help)" }
    return text
  }
}
