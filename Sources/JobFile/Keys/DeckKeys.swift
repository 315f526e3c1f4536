internal import DataSource
internal import Diagnostics
internal import Platform
internal import TagFormats
internal import YAMLTree

/// The keys of an entry of a deck.
enum DeckKeys {
  static let chip = Key("chip", chipName, "A chip, as the factory made it")
  static let file = Key("file", tagPath, "A tag file, or a folder of them")
  static let count = Key("count", Kind.integer(1...1_000_000), default: "1", "How many")
  static let uid = Key("uid", uidKind, "The UID in hexadecimal, or `random`")

  static let shape = ObjectShape(
    "the deck entry", "Tags before a virtual reader",
    rules: [.atLeastOne([chip.name, file.name]), .atMostOne([chip.name, file.name])],
    [chip.shape, file.shape, count.shape, uid.shape])

  /// `[COUNT x] CHIP`, a path, or a map.
  static let value = Kind<DeckEntry>(.either([.text(.any), .object(shape)])) { node, reading in
    if node.scalar != nil { return entry(node, &reading) }
    guard let fields = Fields(node, as: shape, &reading) else { return nil }
    let chip = fields.read(chip, &reading)
    let file = fields.read(file, &reading)
    let number = fields.read(count, &reading)
    let uid = fields.read(uid, &reading)
    if fields.has(Self.chip) == fields.has(Self.file) {
      reading.error("deck", "the entry needs `chip` or `file`, one of the two", at: fields.place)
      return nil
    }
    guard let tag = chip.map({ DeckEntry.Tag.chip($0) }) ?? file.map({ .file($0) }), let number
    else { return nil }
    if case .fixed = uid, number > 1 {
      reading.error(
        "deck", "\(number) tags cannot have the same UID", at: fields.place(of: Self.uid))
    }
    return DeckEntry(tag: tag, count: number, uid: uid ?? .derived, place: fields.place)
  }

  private static let chips = Chip.allCases.filter { $0 != .unknown }.map(\.rawValue)

  private static func entry(_ node: YAMLNode, _ reading: inout Reading) -> DeckEntry? {
    guard let text = Kind<String>.word.read(node, &reading) else { return nil }
    var count = 1
    var rest = text[...]
    let digits = text.prefix { $0.isASCII && $0.isNumber }
    let after = text.dropFirst(digits.count).drop { $0 == " " }
    if !digits.isEmpty, after.first == "x", let number = Int(digits) {
      guard (1...1_000_000).contains(number) else {
        reading.error("out-of-range", "a deck has 1 to 1000000 tags of a kind", at: node.place)
        return nil
      }
      count = number
      rest = after.dropFirst().drop { $0 == " " }
    }
    let name = String(rest)
    if chips.contains(name) {
      return DeckEntry(tag: .chip(name), count: count, uid: .derived, place: node.place)
    }
    let path = reading.resolve(name, at: node.place)
    if Files.exists(path) {
      return DeckEntry(tag: .file(absolute(path)), count: count, uid: .derived, place: node.place)
    }
    if name.contains("/") || name.contains(".") {
      reading.error(
        "unreadable", "there is no file or folder \(path)", at: node.place,
        help: NearFile.suggestion(for: path))
    } else {
      reading.error(
        "unknown-chip", "no chip is called `\(name)`", at: node.place,
        help: countFirst(name) ?? Chip.suggestion(for: name, among: chips))
    }
    return nil
  }

  /// What to write for `NTAG213 x 5`.
  private static func countFirst(_ text: String) -> String? {
    let words = text.split(separator: " ")
    guard words.count == 3, words[1] == "x", Int(words[2]) != nil else { return nil }
    return "the number comes first: `\(words[2]) x \(words[0])`"
  }

  private static let chipName = Kind<String>(.words(chips)) { node, reading in
    Kind.chip.read(node, &reading)?.rawValue
  }

  private static let tagPath = Kind<String>(.text(.path)) { node, reading in
    guard let path = Kind<String>.path.read(node, &reading) else { return nil }
    if Files.exists(path) { return absolute(path) }
    reading.error(
      "unreadable", "there is no file or folder \(path)", at: node.place,
      help: NearFile.suggestion(for: path))
    return nil
  }

  private static let uidKind = Kind<DeckEntry.UIDChoice>(
    .either([.words(["random"]), .text(.hex(4...10))])
  ) { node, reading in
    if node.scalar?.text == "random" { return .random }
    return Kind.hex(4...10).read(node, &reading).map { .fixed($0) }
  }
}
