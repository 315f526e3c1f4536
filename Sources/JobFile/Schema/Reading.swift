internal import Diagnostics
internal import Platform
internal import Templates
internal import YAMLTree

/// The state of reading one file: where it lies, what was found, and which templates it has.
struct Reading {
  /// The file's path as given.
  let file: String
  private(set) var findings: Findings
  private var told: Set<String> = []
  /// The key whose value is being read, for messages.
  var subject = "the file"
  /// Templates with where they stand, for the rules that need the whole job.
  var templates: [(template: Template, node: YAMLNode, use: TemplateUse)] = []
  /// The keys that unknown ones were most likely meant to be, which are not missing too.
  var meant: Set<String> = []
  /// Where something begins that the next finding must not show.
  private var hiddenNext: [Place] = []
  /// What the templates being read are for.
  var use: TemplateUse = .step(writes: false)

  /// What a template is for: which values there are by then.
  enum TemplateUse: Equatable {
    /// Shown before a tag is there.
    case message
    /// Shown before a batch.
    case prompt
    case step(writes: Bool)
  }

  init(file: String, findings: Findings) {
    self.file = file
    self.findings = findings
  }

  /// Whether so much was found that nothing more is told.
  var isFull: Bool { told.count >= 200 }

  /// The path of a file that is named at `place`: from the folder of the file that names it.
  ///
  /// What is given beside the files, which has no line, is named from the current folder.
  func resolve(_ path: String, at place: Place) -> String {
    place.line == 0 ? path : Files.resolve(path, in: Files.folder(of: place.file))
  }

  mutating func error(
    _ code: String, _ message: String, at place: Place, help: String? = nil,
    secondary: Diagnostic.Secondary? = nil
  ) {
    add(Diagnostic(.error, code, message, at: place, help: help, secondary: secondary))
  }

  mutating func warning(_ code: String, _ message: String, at place: Place, help: String? = nil) {
    add(Diagnostic(.warning, code, message, at: place, help: help))
  }

  mutating func note(_ code: String, _ message: String, at place: Place) {
    add(Diagnostic(.note, code, message, at: place))
  }

  /// Keeps a finding once: what several batches share is read for each of them.
  mutating func add(_ diagnostic: Diagnostic) {
    var diagnostic = diagnostic
    diagnostic.hidden += hiddenNext
    hiddenNext = []
    let key = "\(diagnostic.code) \(diagnostic.place?.text ?? "") \(diagnostic.message)"
    // What others must not show of a line is known from this one.
    guard !isFull || !diagnostic.hidden.isEmpty, told.insert(key).inserted else { return }
    let wasFull = told.count > 200
    findings.add(diagnostic)
    if wasFull { return }
    if isFull {
      findings.error("too-many", "further faults are not told", at: Place(file: file))
    }
  }

  /// Keeps what begins at `place` out of the lines that are shown, with the next finding.
  mutating func hideNext(_ place: Place) { hiddenNext.append(place) }

  /// Tells that a value is of the wrong kind; silent where the node was refused before.
  mutating func wrongType(_ node: YAMLNode, needs what: String, help: String? = nil) {
    if case .refused = node.content { return }
    error(
      "wrong-type", "\(subject) needs \(what), not \(node.kindName)", at: node.place, help: help)
  }

  /// `did you mean` with the nearest of `candidates`, else the list of them where there are `most` at most.
  static func suggestion(
    for word: String, among candidates: [String], most: Int = 12
  ) -> String? {
    let near = OtherNames.meaning(of: word, among: candidates) ?? closest(to: word, in: candidates)
    if let near { return "did you mean `\(near)`?" }
    if candidates.isEmpty || candidates.count > most { return nil }
    let names = candidates.map { "`\($0)`" }.joined(separator: ", ")
    return candidates.count == 1 ? "it can be \(names) only" : "one of \(names)"
  }

  /// The same for the keys of a map: those of a later version are near, but not in the list.
  static func suggestion(for word: String, among keys: [KeyShape]) -> String? {
    if let near = closest(to: word, in: keys.map(\.name)) { return "did you mean `\(near)`?" }
    return suggestion(for: word, among: keys.filter { !$0.isLater }.map(\.name), most: 24)
  }
}
