/// The keys of job, station and faults files as Markdown tables, made of the decoder's own description.
package struct KeyTables {
  /// All tables, a section for each map.
  package static var markdown: String {
    var tables = KeyTables()
    tables.add(JobKeys.shape, under: [], "Job")
    tables.add(StationKeys.shape, under: [], "Station")
    tables.add(FaultKeys.entryShape, under: [], "Faults file: an entry of the list")
    tables.add(FaultKeys.seedShape, under: [], "Faults file: or one map")
    return tables.text
  }

  private var text = ""
  /// The maps that have their section, by name and keys.
  private var written: Set<String> = []

  private mutating func add(_ object: ObjectShape, under path: [String], _ title: String) {
    let known = object.keys.filter { !$0.isLater }
    guard written.insert(([object.name] + known.map(\.doc)).joined(separator: "\n")).inserted
    else { return }
    text += text.isEmpty ? "" : "\n"
    text += "\(path.isEmpty ? "##" : "###") \(title)\n\n\(object.doc).\n\n"
    text += "| key | value | default | |\n| --- | --- | --- | --- |\n"
    for key in known {
      let fallback = key.isRequired ? "required" : key.fallback.map { "`\($0)`" } ?? ""
      let cells = ["`\(key.name)`", Self.words(key.shape), fallback, key.doc]
      text += "| " + cells.map(Self.cell).joined(separator: " | ") + " |\n"
    }
    if !object.rules.isEmpty {
      text += "\n" + object.rules.map(\.words).joined(separator: " ") + "\n"
    }
    for key in known {
      let inner = path + [key.name]
      for object in Self.objects(in: key.shape) {
        add(object, under: inner, inner.map { "`\($0)`" }.joined(separator: " › "))
      }
    }
  }

  /// A cell without what would end it.
  private static func cell(_ text: String) -> String {
    String(text.flatMap { $0 == "|" ? "\\|" : $0 == "\t" ? "\\t" : String($0) })
  }

  /// The maps that a value may be made of, without those around it.
  private static func objects(in shape: Shape) -> [ObjectShape] {
    switch shape {
    case .object(let object): [object]
    case .list(let item, _), .map(_, _, let item, _): objects(in: item)
    case .either(let shapes): shapes.flatMap { objects(in: $0) }
    default: []
    }
  }

  /// What a value may be, in words.
  private static func words(_ shape: Shape) -> String {
    switch shape {
    case .text(let form): words(form)
    case .boolean: "true, false"
    case .nothing: "nothing"
    case .words(let words): words.map { "`\($0)`" }.joined(separator: ", ")
    case .numbers(let numbers): numbers.map { "`\($0)`" }.joined(separator: ", ")
    case .integer(let range):
      range.upperBound == .max
        ? "\(range.lowerBound) or more" : "\(range.lowerBound) to \(range.upperBound)"
    case .list(let item, _): "list: \(words(item))"
    case .map(let keys, _, let item, _): "map of \(keys): \(words(item))"
    case .object, .reference: "map"
    case .either(let shapes): shapes.map { words($0) }.joined(separator: "; or ")
    }
  }

  private static func words(_ form: Shape.TextForm) -> String {
    switch form {
    case .any: return "text"
    case .name: return "name"
    case .path: return "path"
    case .template: return "text with `${…}`"
    case .pattern: return "PCRE2 pattern"
    case .form(let name, _): return name
    case .variable, .credential: return "name"
    case .duration: return "duration"
    case .hex(let range):
      if range.upperBound > 255 { return "hexadecimal" }
      let count =
        range.lowerBound == range.upperBound
        ? "\(range.lowerBound)" : "\(range.lowerBound) to \(range.upperBound)"
      return "hexadecimal, \(count) bytes"
    }
  }
}
