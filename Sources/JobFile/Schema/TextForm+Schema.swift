internal import Bytes
internal import Diagnostics
internal import YAMLTree

extension Shape.TextForm {
  /// What a text looks like, as a regular expression that ECMA 262 and PCRE share; `nil` for any.
  var pattern: String? {
    switch self {
    case .any, .template, .pattern: return nil
    case .path: return "."
    case .form(_, let pattern): return pattern
    case .name: return "^[A-Za-z0-9._-]{1,64}$"
    case .variable: return "^[A-Za-z_][A-Za-z0-9_]*$"
    case .credential: return "^(?!\\.{1,2}$)[A-Za-z0-9._-]{1,255}$"
    case .duration(let positive):
      return (positive ? "^(?=[0-9]*[1-9])" : "^") + "[0-9]{1,9}(ms|s|m|h)$"
    case .hex(let range):
      // Engines refuse or unroll large counts.
      let low = range.lowerBound
      let count = range.upperBound > 255 ? "{\(low),}" : "{\(low),\(range.upperBound)}"
      return "^[-: ]*([0-9A-Fa-f]{2}[-: ]*)\(count)$"
    }
  }

  /// The schema of such a text.
  ///
  /// Texts that look like numbers or truth values are texts here, and YAML takes them for what they
  /// look like; hexadecimal values and durations have to be texts there too.
  var schema: [(key: String, value: JSON)] {
    let type: JSON
    switch self {
    case .hex, .duration: type = .string("string")
    default: type = .array([.string("string"), .string("number"), .string("boolean")])
    }
    return [("type", type)] + (pattern.map { [("pattern", .string($0))] } ?? [])
  }
}

extension JSON {
  /// The value that `text` writes as YAML; `nil` where it writes none.
  init?(yaml text: String) {
    var findings = Findings()
    guard let node = YAMLTree.parse(Array(text.utf8), file: "", findings: &findings),
      let value = JSON(node)
    else { return nil }
    self = value
  }

  private init?(_ node: YAMLNode) {
    switch node.content {
    case .refused: return nil
    case .sequence(let items): self = .array(items.compactMap { JSON($0) })
    case .mapping(let entries):
      self = .object(entries.compactMap { entry in JSON(entry.value).map { (entry.key, $0) } })
    case .scalar(let scalar):
      switch scalar.value {
      case .null: self = .null
      case .boolean(let value): self = .bool(value)
      case .integer(let number?): self = .integer(Int64(number))
      case .float(let number): self = .number(number)
      case .integer(nil), .text: self = .string(scalar.text)
      }
    }
  }
}
