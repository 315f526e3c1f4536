internal import Diagnostics

/// A key that its map does not have: what was most likely meant, or where it belongs.
struct UnknownKey {
  /// The map's own key that was meant.
  let near: String?
  /// What to write instead, where it is known.
  let help: String?

  init(_ word: String, in shape: ObjectShape) {
    let names = shape.keys.map(\.name)
    // `timeout:20s` is one word in YAML.
    if let colon = word.firstIndex(of: ":"), names.contains(String(word[..<colon])) {
      near = String(word[..<colon])
      let value = word[word.index(after: colon)...]
      help = "a space stands behind the colon: `\(word[..<colon]): \(value)`"
      return
    }
    if let known = OtherNames.meaning(of: word, among: names) {
      near = known
      help = "did you mean `\(known)`?"
      return
    }
    let near = closest(to: word, in: names)
    let others = near == nil ? OtherNames.meanings(of: word) : []
    let place = ([word] + others).lazy.compactMap { KeyPlaces.place(of: $0, beside: shape) }.first
    if let near, place == nil || place?.isOtherFile == true || word.isSpelt(like: near) {
      self.near = near
      let other = place?.isOtherFile == true ? place?.words : nil
      help = ["did you mean `\(near)`?", other].compactMap { $0 }.joined(separator: " ")
      return
    }
    self.near = nil
    help = place?.words ?? Reading.suggestion(for: word, among: shape.keys)
  }
}

extension String {
  /// Whether the two are apart by a plural, case or signs between words only.
  fileprivate func isSpelt(like other: String) -> Bool {
    func plain(_ text: String) -> Substring {
      let letters = text.lowercased().filter { $0 != "-" && $0 != "_" && $0 != " " }
      return letters.hasSuffix("s") ? letters.dropLast() : letters[...]
    }
    return plain(self) == plain(other)
  }
}

/// Where each key of job and station files stands.
enum KeyPlaces {
  struct Found {
    /// Where the key belongs, as a sentence.
    var words: String
    /// Whether that is the other kind of file.
    var isOtherFile: Bool
  }

  /// Where `key` belongs, if it stands in a map around, within or beside `shape`.
  static func place(of key: String, beside shape: ObjectShape) -> Found? {
    // A faults file has these keys and no others.
    if [FaultKeys.entryShape.name, FaultKeys.seedShape.name].contains(shape.name) { return nil }
    let isStation = holds(StationKeys.shape, shape.name)
    let (root, other) =
      isStation ? (StationKeys.shape, JobKeys.shape) : (JobKeys.shape, StationKeys.shape)
    let name = isStation ? "station" : "job"
    if let path = path(to: key, from: shape) {
      return Found(words: "`\(key)` belongs under \(shown(path))", isOtherFile: false)
    }
    if root.name != shape.name, root.keys.contains(where: { $0.name == key && !$0.isLater }) {
      return Found(
        words: "`\(key)` belongs to the \(name) itself: begin its line further left",
        isOtherFile: false)
    }
    if let path = path(to: key, from: root) {
      return Found(words: "`\(key)` belongs under \(shown(path))", isOtherFile: false)
    }
    guard root.name == shape.name, other.keys.contains(where: { $0.name == key && !$0.isLater })
    else { return nil }
    return Found(
      words: "`\(key)` belongs into the \(isStation ? "job" : "station") file", isOtherFile: true)
  }

  private static func shown(_ path: [String]) -> String {
    path.map { "`\($0)`" }.joined(separator: " › ")
  }

  /// The keys that lead from `shape` to the nearest map below it that has `key`.
  private static func path(to key: String, from shape: ObjectShape) -> [String]? {
    var level = [(path: [String](), object: shape)]
    var seen: Set<String> = [shape.name]
    while !level.isEmpty {
      var below: [(path: [String], object: ObjectShape)] = []
      for (path, object) in level {
        for inner in object.keys where !inner.isLater {
          for found in objects(in: inner.shape) {
            let path = path + [inner.name]
            if found.keys.contains(where: { $0.name == key && !$0.isLater }) { return path }
            if seen.insert(found.name + inner.name).inserted { below.append((path, found)) }
          }
        }
      }
      level = below
    }
    return nil
  }

  private static func holds(_ object: ObjectShape, _ name: String) -> Bool {
    object.name == name
      || object.keys.contains { objects(in: $0.shape).contains { holds($0, name) } }
  }

  /// The maps that a value may be made of.
  private static func objects(in shape: Shape) -> [ObjectShape] {
    switch shape {
    case .object(let object): [object]
    case .list(let item, _), .map(_, _, let item, _): objects(in: item)
    case .either(let shapes): shapes.flatMap { objects(in: $0) }
    default: []
    }
  }
}
