extension JSON {
  /// The value on several lines, indented by two spaces, for files that people read.
  package var lines: String { lines(indent: "") }

  private func lines(indent: String) -> String {
    let inner = indent + "  "
    switch self {
    case .array(let values) where values.contains(where: \.isNested):
      let items = values.map { inner + $0.lines(indent: inner) }
      return "[\n" + items.joined(separator: ",\n") + "\n\(indent)]"
    case .object(let members) where !members.isEmpty:
      let items = members.map { member in
        "\(inner)\(JSON.string(member.key).text): \(member.value.lines(indent: inner))"
      }
      return "{\n" + items.joined(separator: ",\n") + "\n\(indent)}"
    default: return text
    }
  }

  private var isNested: Bool {
    switch self {
    case .array, .object: true
    default: false
    }
  }
}
