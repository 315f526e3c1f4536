internal import Bytes
internal import Diagnostics
internal import Patterns
internal import Templates
internal import YAMLTree

/// A value to compare: a text, or one way of comparing.
enum ValueTestKeys {
  static let glob = Key(
    "glob", Kind.template, example: "\"https://example.com/*\"", "`*` and `?`, the whole value")
  static let matches = Key("matches", patternKind, "A PCRE2 pattern, the whole value")

  /// Compared as it stands.
  static let plain = make(Kind.template)
  /// Compared as bytes: a literal is brought to upper-case digits without separators.
  static let hex = make(hexText)

  private static func make(_ text: Kind<Template>) -> Kind<Expectation.ValueTest> {
    let oneOf = Key("oneOf", Kind.list(text, atLeast: 1), "Any of these")
    let shape = ObjectShape(
      "the value to compare", "One way of comparing", count: 1...1,
      [
        glob.shape, matches.shape, oneOf.shape,
        KeyShape(
          name: "not", shape: .reference("the value to compare"), doc: "Anything but this",
          fallback: nil, isRequired: false, isLater: false),
      ])
    @Sendable func read(_ node: YAMLNode, _ reading: inout Reading) -> Expectation.ValueTest? {
      guard node.entries != nil else { return text.read(node, &reading).map { .equals($0) } }
      guard let fields = Fields(node, as: shape, &reading) else { return nil }
      guard fields.entries.count == 1 else {
        reading.error(
          "one-key", "a value is compared in one way", at: fields.place,
          help: "give it one of `glob`, `matches`, `oneOf` and `not`")
        return nil
      }
      if fields.has(glob) { return fields.read(glob, &reading).map { .glob($0) } }
      if fields.has(matches) { return fields.read(matches, &reading).map { .matches($0) } }
      if fields.has(oneOf) { return fields.read(oneOf, &reading).map { .oneOf($0) } }
      guard fields.entries[0].key == "not" else { return nil }
      return read(fields.entries[0].value, &reading).map { .not($0) }
    }
    return Kind(.either([text.shape, .object(shape)]), read: read)
  }

  private static let patternKind = Kind<Pattern>(.text(.pattern)) { node, reading in
    guard let text = node.plainText(&reading) else { return nil }
    do throws(PatternError) {
      return try Pattern(text)
    } catch {
      reading.error(
        "pattern", error.message, at: node.place(atOffset: error.offset),
        help: "`\\` before a sign takes it as it is; `glob` needs none")
      return nil
    }
  }

  private static let hexText = Kind<Template>(.text(.template)) { node, reading in
    guard let scalar = node.hexScalar(&reading),
      let template = reading.template(scalar.text, at: node)
    else { return nil }
    if !template.references.isEmpty { return template }
    guard let bytes = reading.bytes(of: scalar.text, at: node.place) else { return nil }
    return try? Template(bytes.hex)
  }
}
