/// Something to tell a person about a file they wrote.
package struct Diagnostic: Sendable, Equatable {
  /// How bad it is.
  package enum Severity: String, Sendable, Comparable {
    case note, warning, error

    private var rank: Int { [.note: 0, .warning: 1, .error: 2][self] ?? 0 }
    /// Whether `left` is less bad.
    package static func < (left: Severity, right: Severity) -> Bool { left.rank < right.rank }
  }

  /// A second place that helps, for example where something was first defined.
  package struct Secondary: Sendable, Equatable {
    /// Where it is.
    package var place: Place
    /// What is there, in a few words.
    package var label: String

    /// A second place.
    package init(_ place: Place, _ label: String) {
      self.place = place
      self.label = label
    }
  }

  /// How bad it is.
  package var severity: Severity
  /// A stable name for the kind of finding, for example `unknown-key`.
  package var code: String
  /// One sentence without a full stop.
  package var message: String
  /// Where it is; `nil` where it is about no file.
  package var place: Place?
  /// What to write instead, where it is known.
  package var help: String?
  /// A second place that helps.
  package var secondary: Secondary?
  /// Where secrets begin: from there to the end of the line nothing is shown, in whatever finding.
  package var hidden: [Place] = []

  /// A finding.
  package init(
    _ severity: Severity, _ code: String, _ message: String, at place: Place? = nil,
    help: String? = nil, secondary: Secondary? = nil, hiding hidden: [Place] = []
  ) {
    self.severity = severity
    self.code = code
    self.message = message
    self.place = place
    self.help = help
    self.secondary = secondary
    self.hidden = hidden
  }
}

/// Collects findings, so that one run tells all of them.
package struct Findings: Sendable {
  /// What was found, in the order of finding.
  package private(set) var all: [Diagnostic] = []

  /// No findings.
  package init() {}

  /// Whether a finding is an error.
  package var hasErrors: Bool { all.contains { $0.severity == .error } }

  /// Keeps a finding.
  package mutating func add(_ diagnostic: Diagnostic) { all.append(diagnostic) }

  /// Hides what `secrets` finds in the lines that findings are about.
  ///
  /// It is asked with the file and the number of a line.
  package mutating func hide(_ secrets: (String, Int) -> Place?) {
    // Many findings may be about one line, and that may be long.
    var known: [Place: Place?] = [:]
    for index in all.indices {
      for place in [all[index].place, all[index].secondary?.place] {
        guard let place, place.line > 0 else { continue }
        let line = Place(file: place.file, line: place.line, column: 0)
        let found = known[line] ?? secrets(place.file, place.line)
        known[line] = .some(found)
        guard let secret = found else { continue }
        if !all[index].hidden.contains(secret) { all[index].hidden.append(secret) }
      }
    }
  }

  /// Brings the findings into the order of the lines that they are about, each file for itself.
  ///
  /// Files keep the order in which they were first found wanting; what has no place stays in front.
  package mutating func sortByPlace() {
    var ranks: [String: Int] = [:]
    for case let place? in all.map(\.place) where ranks[place.file] == nil {
      ranks[place.file] = ranks.count + 1
    }
    let keys = all.enumerated().map { index, diagnostic in
      let place = diagnostic.place
      return [place.flatMap { ranks[$0.file] } ?? 0, place?.line ?? 0, place?.column ?? 0, index]
    }
    all = all.indices.sorted { keys[$0].lexicographicallyPrecedes(keys[$1]) }.map { all[$0] }
  }

  /// Keeps an error.
  package mutating func error(
    _ code: String, _ message: String, at place: Place?, help: String? = nil,
    secondary: Diagnostic.Secondary? = nil
  ) {
    add(Diagnostic(.error, code, message, at: place, help: help, secondary: secondary))
  }

  /// Keeps a warning.
  package mutating func warning(
    _ code: String, _ message: String, at place: Place?, help: String? = nil,
    secondary: Diagnostic.Secondary? = nil
  ) {
    add(Diagnostic(.warning, code, message, at: place, help: help, secondary: secondary))
  }
}
