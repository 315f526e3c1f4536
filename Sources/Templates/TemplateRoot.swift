internal import Diagnostics

/// The first name of a path, and which names may follow it.
enum TemplateRoot: String, CaseIterable {
  case row, serial, tag, job, run, now, env

  private enum Members {
    case none
    /// One name of the user's choosing: a column, a variable.
    case any(example: String)
    case some([String])
  }

  private var members: Members {
    switch self {
    case .row: .any(example: "row.code")
    case .env: .any(example: "env.ORDER")
    case .serial, .now: .none
    case .tag:
      .some(["uid", "chip", "kind", "position", "initialSelectedAID", "systemCode"])
    case .job: .some(["name", "series", "total"])
    case .run: .some(["id"])
    }
  }

  /// Refuses a path that can never have a value; `offsets` are those of its names.
  static func check(_ path: [String], at offsets: [Int]) throws(TemplateError) {
    guard let first = path.first, let start = offsets.first else { return }
    guard let root = TemplateRoot(rawValue: first) else {
      let names = allCases.map(\.rawValue)
      let help =
        closest(to: first, in: names).map { "did you mean `\($0)`?" }
        ?? "a column of the data is `row.\(first)`; values begin with \(names.joined(separator: ", "))"
      throw TemplateError("there is no value `\(first)`", offset: start, help: help)
    }
    switch root.members {
    case .none:
      if path.count > 1 {
        throw TemplateError("`\(first)` is a value and has no names", offset: offsets[1])
      }
    case .any(let example):
      if path.count != 2 {
        throw TemplateError(
          "`\(first)` takes one name", offset: path.count > 2 ? offsets[2] : start,
          help: "write `${\(example)}`, or `${\(first)[\"…\"]}` for a name with other letters")
      }
    case .some(let names):
      if path.count < 2 {
        throw TemplateError(
          "`\(first)` takes one name", offset: start,
          help: "write one of " + names.map { "`\(first).\($0)`" }.joined(separator: ", "))
      }
      if !names.contains(path[1]) {
        let help =
          closest(to: path[1], in: names).map { "did you mean `\($0)`?" }
          ?? "there are " + names.map { "`\($0)`" }.joined(separator: ", ")
        throw TemplateError("`\(first)` has no `\(path[1])`", offset: offsets[1], help: help)
      }
      if path.count > 2 {
        throw TemplateError("`\(first).\(path[1])` is a value and has no names", offset: offsets[2])
      }
    }
  }
}
