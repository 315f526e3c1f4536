internal import Diagnostics
internal import YAMLTree

/// Finds secrets in the lines of files that cannot be read as YAML, or whose keys are misplaced.
///
/// A literal that the decoder reaches is hidden by its place. Faults of the YAML itself, keys given twice
/// and values in the wrong map are told before that, with their lines.
struct SecretLines {
  private var sources: [String: SourceText] = [:]

  /// Remembers the bytes of a file.
  mutating func add(_ file: String, _ bytes: [UInt8]) { sources[file] = SourceText(bytes) }

  /// Where a secret may begin in a line: behind `password:`, unless a reference stands there.
  func secret(_ file: String, _ number: Int) -> Place? {
    guard let line = sources[file]?.line(number) else { return nil }
    let text = Array(line)
    let word = Array(ProtectKeys.password.name.unicodeScalars)
    guard text.count > word.count else { return nil }
    for start in 0...text.count - word.count
    where text[start..<start + word.count].elementsEqual(word) {
      var index = start + word.count
      func skip(_ scalars: [Unicode.Scalar]) {
        while index < text.count, scalars.contains(text[index]) { index += 1 }
      }
      skip(["\"", "'", " ", "\t"])
      guard index < text.count, text[index] == ":" else { continue }
      index += 1
      skip([" ", "\t"])
      if index == text.count || isReference(text[index...]) { continue }
      return Place(file: file, line: number, column: index + 1)
    }
    return nil
  }

  /// Whether a map with one of a reference's keys begins here, and what it names does not look like a key.
  private func isReference(_ text: ArraySlice<Unicode.Scalar>) -> Bool {
    var rest = String(String.UnicodeScalarView(text))
    guard rest.first == "{" else { return rest.first == "#" }
    rest = String(rest.dropFirst().drop { $0 == " " })
    let key = SecretKeys.shape.keys.first { rest.hasPrefix("\($0.name):") }
    guard let key else { return false }
    let value = rest.dropFirst(key.name.count + 1).prefix { !"},".contains($0) }
    let name = value.filter { !"\"' ".contains($0) }
    return !name.looksLikeKey(of: 4)
  }
}
