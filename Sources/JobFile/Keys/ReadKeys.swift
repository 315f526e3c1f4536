internal import Diagnostics
internal import Templates
internal import YAMLTree

/// The keys of a `read` step.
enum ReadKeys {
  static let into = Key(
    "into", output, example: "\"reads-${now | date %Y-%m}.csv\"",
    "A file in the output folder, `.csv` or `.jsonl`")
  static let fields = Key(
    "fields", Kind.list(field, atLeast: 1), default: "[time, uid, chip, uri, text]",
    "What a line of that file has")

  static let shape = ObjectShape(
    "`read`", "Keep what the tag holds", [into.shape, fields.shape])

  static let names = [
    "time", "station", "job", "run", "reader", "batch", "position", "uid", "kind", "chip",
    "initialSelectedAID", "systemCode", "outcome", "capacity", "locked", "uri", "text", "records",
    "message",
  ]

  /// A `read` without keys.
  static let plain = ReadStep(into: nil, fields: ["time", "uid", "chip", "uri", "text"])

  static let value = Kind<ReadStep>(.either([.object(shape), .nothing])) { node, reading in
    if node.isNull { return plain }
    if let text = node.scalar?.text {
      reading.wrongType(node, needs: "a map", help: "write `read: {into: \(text)}`")
      return nil
    }
    guard let map = Fields(node, as: shape, &reading) else { return nil }
    let file = map.read(into, &reading)
    let columns = map.read(fields, &reading) ?? []
    if map.has(fields) && !map.has(into) {
      reading.warning(
        "unused-key", "`fields` does nothing without `into`", at: map.place(of: fields),
        help: "name the file: `into: reads.csv`")
    }
    return ReadStep(into: file, fields: columns)
  }

  private static let field = Kind<String>(.either([.words(names), .text(.any)])) { node, reading in
    guard let text = node.plainText(&reading) else { return nil }
    if names.contains(text) || text.hasPrefix("row.") && text.utf8.count > 4 { return text }
    reading.error(
      "unknown-field", "no field is called `\(text)`", at: node.place,
      help: Reading.suggestion(for: text, among: names) ?? "a column of the data is `row.\(text)`")
    return nil
  }

  private static let outputForm = Shape.TextForm.form(
    "name of a `.csv` or `.jsonl` file", pattern: "^(?!/)(?!(.*/)?\\.\\.(/|$)).*\\.(csv|jsonl)$")

  /// The name of a file in the output folder, which it may not leave.
  private static let output = Kind<Template>(.text(outputForm)) { node, reading in
    guard let template = Kind.template.read(node, &reading) else { return nil }
    let parts = template.text.split(separator: "/", omittingEmptySubsequences: false)
    if template.text.hasPrefix("/") || parts.contains("..") {
      reading.error(
        "output-path", "what a job writes stays in the output folder", at: node.place,
        help: "name the folder with `output` in the station file, or `--output`")
      return nil
    }
    guard template.text.hasSuffix(".csv") || template.text.hasSuffix(".jsonl") else {
      reading.error(
        "output-path", "`into` names a `.csv` or a `.jsonl` file", at: node.place,
        help: "let the name end in one of the two")
      return nil
    }
    // Names that a tag or a row fills are looked at when they are filled.
    if template.isLiteral, let fault = OutputName.fault(of: template.text) {
      reading.error(
        "output-path", "the file name `\(template.text)` \(fault)", at: node.place)
      return nil
    }
    return template
  }
}
