internal import Diagnostics
internal import TagFormats
internal import YAMLTree

extension Kind where Value == Chip {
  /// The name of a chip.
  static var chip: Kind {
    let words = Chip.allCases.map(\.rawValue)
    return Kind(.words(words)) { node, reading in
      guard let scalar = node.scalar, scalar.value != .null else {
        reading.wrongType(node, needs: "the name of a chip")
        return nil
      }
      if let chip = Chip(rawValue: scalar.text) { return chip }
      reading.error(
        "unknown-chip", "no chip is called `\(scalar.text)`", at: node.place,
        help: Chip.suggestion(for: scalar.text, among: words))
      return nil
    }
  }
}

extension Chip {
  /// The chip that `word` was most likely meant to be, also with its maker's name before it; else
  /// those that begin like it, or all.
  static func suggestion(for word: String, among names: [String]) -> String {
    func plain(_ text: String) -> String {
      text.lowercased().filter { $0.isLetter || $0.isNumber }
    }
    var wanted = plain(word)
    for maker in ["nxp", "sony", "mifare"] where wanted.hasPrefix(maker) {
      wanted.removeFirst(maker.count)
    }
    if let same = names.first(where: { plain($0) == wanted }) { return "did you mean `\(same)`?" }
    let longer = names.filter { wanted.count > 3 && plain($0).hasPrefix(wanted) }
    if longer.isEmpty, let near = closest(to: word, in: names) { return "did you mean `\(near)`?" }
    let shown = (longer.isEmpty ? names : longer).map { "`\($0)`" }.joined(separator: ", ")
    return longer.count == 1 ? "did you mean \(shown)?" : "one of \(shown)"
  }
}
