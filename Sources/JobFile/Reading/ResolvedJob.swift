package import Diagnostics
internal import YAMLTree

/// A job as it will be run, written out as YAML with where each value comes from.
package enum ResolvedJob {
  /// The job at `path` with what it extends, what is set beside it and its defaults; `nil` where a
  /// finding is an error.
  ///
  /// Batches that take turns have the job's keys in them. Paths are from the current folder.
  package static func text(
    of path: String, overrides: [JobOverride] = []
  ) -> (text: String?, findings: Findings) {
    var findings = Findings()
    guard let bytes = SourceFile.read(path, &findings) else { return (nil, findings) }
    let (job, tree, found) = JobFile.readTree(bytes, path: path, overrides: overrides)
    guard let job, let tree else { return (nil, found) }
    let whole = filled(spread(tree, job), as: .object(JobKeys.shape), [], job)
    return (lines(of: whole).joined(separator: "\n"), found)
  }

  /// The origin of what no file says.
  private static let defaults = Place(file: "default")

  /// The tree with each of its batches over the job's own keys.
  private static func spread(_ root: YAMLNode, _ job: Job) -> YAMLNode {
    guard let entries = root.entries,
      case .sequence(let batches) = root[JobKeys.batches.name]?.content
    else { return root }
    let shared = [JobKeys.session.name, JobKeys.accept.name, JobKeys.steps.name]
    let own = entries.filter { shared.contains($0.key) }
    let spread = zip(batches, job.batches).map { batch, checked in
      let content = YAMLEntry(
        key: AcceptKeys.content.name, keyPlace: defaults,
        value: YAMLNode(.scalar(YAMLScalar(checked.accept.content.rawValue)), at: defaults))
      let given = BatchReader.overlay(batch[JobKeys.accept.name], on: root[JobKeys.accept.name])
      let accept =
        BatchReader.overlay(given, on: YAMLNode(.mapping([content]), at: defaults))
        ?? YAMLNode(.mapping([]), at: defaults)
      var entries = (batch.entries ?? []).filter { $0.key != JobKeys.accept.name }
      entries += own.filter { batch[$0.key] == nil && $0.key != JobKeys.accept.name }
      entries = entries.map { entry in
        guard entry.key == JobKeys.session.name else { return entry }
        var entry = entry
        entry.value = BatchReader.overlay(entry.value, on: root[entry.key]) ?? entry.value
        return entry
      }
      entries.append(
        YAMLEntry(key: JobKeys.accept.name, keyPlace: accept.place, value: accept))
      return YAMLNode(.mapping(entries), at: batch.place)
    }
    return YAMLNode(
      .mapping(
        entries.filter { !shared.contains($0.key) }.map { entry in
          guard entry.key == JobKeys.batches.name else { return entry }
          var entry = entry
          entry.value = YAMLNode(.sequence(spread), at: entry.value.place)
          return entry
        }), at: root.place)
  }

  /// The maps in which a key that is not given has its default, whatever else they hold.
  private static let fillable = [
    JobKeys.shape.name, SessionKeys.shape.name, AcceptKeys.shape.name, RetryKeys.shape.name,
    SerialKeys.shape.name, BatchKeys.entryShape.name, ProtectKeys.shape.name,
  ]

  /// `node` with its defaults and with whole paths.
  private static func filled(
    _ node: YAMLNode, as shape: Shape, _ outer: [ObjectShape], _ job: Job
  ) -> YAMLNode {
    let shapes = shape.alternatives(within: outer)
    switch node.content {
    case .refused: return node
    case .scalar(var scalar):
      if scalar.style == .plain, scalar.foreignReading != nil, shapes.allSatisfy(\.isText) {
        scalar.style = .doubleQuoted
        return YAMLNode(.scalar(scalar), at: node.place)
      }
      guard case .text(.path) = shape, node.place != defaults else { return node }
      scalar.text = Reading(file: job.path, findings: Findings()).resolve(
        scalar.text, at: node.place)
      return YAMLNode(.scalar(scalar), at: node.place)
    case .sequence(let items):
      for case .list(let item, _) in shapes {
        return YAMLNode(.sequence(items.map { filled($0, as: item, outer, job) }), at: node.place)
      }
      return node
    case .mapping(let entries):
      for case .object(let object) in shapes {
        let all = entries + missing(in: node, as: object, job)
        let order = object.keys.map(\.name)
        let sorted = all.sorted {
          order.firstIndex(of: $0.key) ?? .max < order.firstIndex(of: $1.key) ?? .max
        }
        return YAMLNode(
          .mapping(
            sorted.map { entry in
              var entry = entry
              if let key = object.keys.first(where: { $0.name == entry.key }) {
                entry.value = filled(entry.value, as: key.shape, outer + [object], job)
              }
              return entry
            }), at: node.place)
      }
      return node
    }
  }

  /// The entries that `object` has by default.
  private static func missing(
    in node: YAMLNode, as object: ObjectShape, _ job: Job
  ) -> [YAMLEntry] {
    guard fillable.contains(object.name) else { return [] }
    return object.keys.compactMap { key in
      guard node[key.name] == nil, let text = fallback(key, of: object, node, job) else {
        return nil
      }
      var ignored = Findings()
      guard let value = YAMLTree.parse(Array(text.utf8), file: "", findings: &ignored) else {
        return nil
      }
      return YAMLEntry(key: key.name, keyPlace: defaults, value: value.moved(to: defaults))
    }
  }

  /// The default of a key, also where it depends on the job.
  private static func fallback(
    _ key: KeyShape, of object: ObjectShape, _ node: YAMLNode, _ job: Job
  ) -> String? {
    switch (object.name, key.name) {
    case (JobKeys.shape.name, JobKeys.series.name): return job.series
    case (JobKeys.shape.name, JobKeys.repeat.name): return job.repetition.rawValue
    case (JobKeys.shape.name, JobKeys.session.name), (JobKeys.shape.name, JobKeys.accept.name):
      return job.takesTurns ? nil : key.fallback
    case (BatchKeys.entryShape.name, _): return key.fallback
    case (SessionKeys.shape.name, SessionKeys.polling.name):
      let kind = node[SessionKeys.kind.name]?.scalar?.text
      return kind == nil || kind == SessionSpec.Kind.tag.rawValue ? key.fallback : nil
    case (AcceptKeys.shape.name, AcceptKeys.content.name):
      return job.takesTurns ? nil : job.batches.first?.accept.content.rawValue
    default: return key.fallback == "[]" ? nil : key.fallback
    }
  }

  /// The lines of a value, each scalar with its origin behind it.
  private static func lines(of node: YAMLNode) -> [String] {
    switch node.content {
    case .sequence(let items) where !items.isEmpty:
      return items.flatMap { item in
        let inner = lines(of: item)
        return inner.enumerated().map { ($0 == 0 ? "- " : "  ") + $1 }
      }
    case .mapping(let entries) where !entries.isEmpty:
      return entries.flatMap { entry in
        let key = YAMLScalar(entry.key, style: .doubleQuoted).written
        let inner = lines(of: entry.value)
        if entry.value.isFlat { return ["\(key): \(inner.joined())"] }
        return ["\(key):"] + inner.map { "  \($0)" }
      }
    case .sequence: return ["[]  # \(origin(of: node))"]
    case .mapping: return ["{}  # \(origin(of: node))"]
    case .scalar(let scalar): return ["\(scalar.written)  # \(origin(of: node))"]
    case .refused: return []
    }
  }

  private static func origin(of node: YAMLNode) -> String {
    let place = node.place
    return shown(place.line == 0 ? place.file : "\(place.file):\(place.line)")
  }
}

extension Shape {
  /// Whether a scalar of this shape is a text, whatever it looks like.
  fileprivate var isText: Bool {
    switch self {
    case .text, .words, .object, .list: true
    default: false
    }
  }
}

extension YAMLNode {
  /// Whether it is written in one line.
  fileprivate var isFlat: Bool {
    switch content {
    case .scalar, .refused: true
    case .sequence(let items): items.isEmpty
    case .mapping(let entries): entries.isEmpty
    }
  }
}

extension YAMLScalar {
  /// The scalar in one line: as it stood where it was plain, or needs no quotes, else in double
  /// quotes (YAML 1.2.2 section 7.3.1).
  fileprivate var written: String {
    let isWord =
      !text.isEmpty
      && text.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
        default: false
        }
      }
    if tag == nil {
      let isOneLine = !text.contains { $0.isNewline }
      if style == .plain && isOneLine && shownLines(text) == text { return text }
      if isWord && YAMLScalar(text).value == .text && YAMLScalar(text).foreignReading == nil {
        return text
      }
    }
    var quoted = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "\\": quoted += "\\\(scalar)"
      case "\n": quoted += "\\n"
      case "\t": quoted += "\\t"
      case _ where shown(String(scalar)) != String(scalar):
        let digits = String(scalar.value, radix: 16)
        quoted += "\\U" + String(repeating: "0", count: 8 - digits.count) + digits
      default: quoted.unicodeScalars.append(scalar)
      }
    }
    return quoted + "\""
  }
}
