package import Diagnostics
internal import YAMLTree

/// A value given beside a job's file, over what stands in it: `retries.busy=3`.
package struct JobOverride: Sendable, Equatable {
  /// Names of keys, and positions in lists from 0, with `.` between them.
  package let path: String
  /// The value as YAML; nothing takes the key away.
  package let value: String

  /// The override that `text` writes as `PATH=VALUE`; `nil` if it writes none.
  package init?(_ text: String) {
    guard let equals = text.firstIndex(of: "="), equals > text.startIndex else { return nil }
    path = String(text[..<equals])
    value = String(text[text.index(after: equals)...])
  }

  /// What diagnostics give as its place.
  package var place: Place { Place(file: "\(Self.option) \(path)") }

  /// Whether `place` is that of an override, and in no file.
  package static func isPlace(_ place: Place) -> Bool {
    place.line == 0 && place.file.hasPrefix("\(option) ")
  }

  private static let option = "--set"
}

extension JobOverride {
  /// The job's tree with the value in its place; the same tree where a fault was told.
  func applied(to root: YAMLNode, _ reading: inout Reading) -> YAMLNode {
    guard let value = node(&reading) else { return root }
    let names = path.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    if names.first == JobKeys.extends.name {
      reading.error("extends", "`extends` stands in files only", at: place)
      return root
    }
    let writer = OverrideWriter(value: value, place: place)
    let shape = Shape.object(JobKeys.shape)
    return writer.set(names[...], in: root, as: shape, within: [], "the job", &reading) ?? root
  }

  /// The value; `nil` where it is no YAML, which is told.
  private func node(_ reading: inout Reading) -> YAMLNode? {
    if value.isEmpty { return YAMLNode(.scalar(YAMLScalar("")), at: place) }
    var found = Findings()
    let node = YAMLTree.parse(Array(value.utf8), file: place.file, findings: &found)
    for var finding in found.all {
      finding.place = place
      finding.secondary = nil
      reading.add(finding)
    }
    return found.hasErrors ? nil : node?.moved(to: place)
  }
}

/// Walks the tree and its description to the place of an override.
private struct OverrideWriter {
  let value: YAMLNode
  let place: Place

  /// `node`, which `shape` describes, with the value at `names`; `nil` where there is no such place.
  func set(
    _ names: ArraySlice<String>, in node: YAMLNode?, as shape: Shape, within outer: [ObjectShape],
    _ subject: String, _ reading: inout Reading
  ) -> YAMLNode? {
    guard let name = names.first else { return value }
    let rest = names.dropFirst()
    let shapes = shape.alternatives(within: outer)
    for case .object(let object) in shapes {
      guard let key = object.keys.first(where: { $0.name == name }) else { continue }
      if key.isLater {
        reading.error("not-yet", "`\(name)` is not supported by this version", at: place)
        return nil
      }
      return set(
        rest, under: name, of: node, as: key.shape, within: outer + [object], &reading)
    }
    for case .map(_, _, let item, _) in shapes {
      return set(rest, under: name, of: node, as: item, within: outer, &reading)
    }
    for case .list(let item, _) in shapes {
      guard case .sequence(var items) = node?.content, let index = Int(name),
        items.indices.contains(index)
      else { break }
      guard let inner = set(rest, in: items[index], as: item, within: outer, subject, &reading)
      else { return nil }
      items[index] = inner
      return YAMLNode(.sequence(items), at: node?.place ?? place)
    }
    tellUnknown(name, shapes, node, subject, &reading)
    return nil
  }

  /// The map `node`, made where there is none, with the value somewhere under the key `name`.
  private func set(
    _ names: ArraySlice<String>, under name: String, of node: YAMLNode?, as shape: Shape,
    within outer: [ObjectShape], _ reading: inout Reading
  ) -> YAMLNode? {
    var entries = node?.entries ?? []
    let index = entries.firstIndex { $0.key == name }
    let before = index.map { entries[$0].value }
    guard let inner = set(names, in: before, as: shape, within: outer, "`\(name)`", &reading)
    else { return nil }
    if let index {
      if inner.isNull { entries.remove(at: index) } else { entries[index].value = inner }
    } else {
      entries.append(YAMLEntry(key: name, keyPlace: place, value: inner))
    }
    return YAMLNode(.mapping(entries), at: node?.entries == nil ? place : node?.place ?? place)
  }

  private func tellUnknown(
    _ name: String, _ shapes: [Shape], _ node: YAMLNode?, _ subject: String,
    _ reading: inout Reading
  ) {
    var keys: [KeyShape] = []
    for case .object(let object) in shapes { keys += object.keys }
    if case .sequence(let items) = node?.content {
      reading.error(
        "unknown-key", "there is no item `\(name)` in \(subject)", at: place,
        help: items.isEmpty ? nil : "the items are 0 to \(items.count - 1)")
    } else if keys.isEmpty {
      reading.error("unknown-key", "\(subject) has no key `\(name)`", at: place)
    } else {
      reading.error(
        "unknown-key", "unknown key `\(name)` in \(subject)", at: place,
        help: Reading.suggestion(for: name, among: keys))
    }
  }
}

extension Shape {
  /// The shapes that it stands for, one of which a value has; `outer` are the objects around it.
  func alternatives(within outer: [ObjectShape]) -> [Shape] {
    switch self {
    case .either(let shapes): shapes.flatMap { $0.alternatives(within: outer) }
    case .reference(let name):
      outer.last { $0.name == name }.map { [.object($0)] } ?? []
    default: [self]
    }
  }
}
