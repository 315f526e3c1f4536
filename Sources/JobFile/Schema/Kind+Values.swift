internal import Diagnostics
internal import YAMLTree

extension Kind where Value == Bool {
  /// `true` or `false`.
  static var boolean: Kind {
    Kind(.boolean) { node, reading in
      if case .boolean(let value) = node.scalar?.value { return value }
      let word = node.scalar?.text.lowercased()
      let meant: String? =
        switch word {
        case "yes", "on", "y": "true"
        case "no", "off", "n": "false"
        default: nil
        }
      reading.wrongType(
        node, needs: "true or false", help: meant.map { "YAML 1.2 writes `\($0)`" })
      return nil
    }
  }
}

extension Kind where Value == Int {
  /// A whole number in `range`.
  static func integer(_ range: ClosedRange<Int>) -> Kind {
    Kind(.integer(range)) { node, reading in
      guard case .integer(let number) = node.scalar?.value else {
        reading.wrongType(node, needs: "a whole number")
        return nil
      }
      if let number, range.contains(number) { return number }
      let bounds =
        range.upperBound == .max
        ? "\(range.lowerBound) or more" : "\(range.lowerBound) to \(range.upperBound)"
      reading.error("out-of-range", "\(reading.subject) must be \(bounds)", at: node.place)
      return nil
    }
  }

  /// How many of something there are, at least one.
  static var count: Kind { .integer(1...1_000_000_000) }
}

extension Kind
where Value: RawRepresentable & CaseIterable & SendableMetatype, Value.RawValue == String {
  /// One of the words of an enum, with those of `later` refused as not supported yet.
  static func word(_ type: Value.Type = Value.self, later: [String] = []) -> Kind {
    let words = Value.allCases.map(\.rawValue)
    let known = words.filter { !later.contains($0) }
    return Kind(.words(known)) { node, reading in
      guard let scalar = node.scalar, scalar.value != .null else {
        reading.wrongType(node, needs: "one word")
        return nil
      }
      if later.contains(scalar.text) {
        reading.error(
          "not-yet", "`\(scalar.text)` is not supported by this version", at: node.place)
        return nil
      }
      if let value = Value(rawValue: scalar.text) { return value }
      reading.error(
        "unknown-word", "\(reading.subject) cannot be `\(scalar.text)`", at: node.place,
        help: Reading.suggestion(for: scalar.text, among: known))
      return nil
    }
  }
}

extension Kind {
  /// A list with at least `count` items; faulty items are told and left out.
  static func list<Item>(_ item: Kind<Item>, atLeast count: Int = 0) -> Kind where Value == [Item] {
    Kind(.list(item.shape, atLeast: count)) { node, reading in
      guard case .sequence(let nodes) = node.content else {
        reading.wrongType(node, needs: "a list", help: listHelp(node))
        return nil
      }
      if nodes.count < count {
        reading.error(
          "out-of-range",
          "\(reading.subject) needs at least \(count == 1 ? "one" : "\(count)") item",
          at: node.place)
        return nil
      }
      var items: [Item] = []
      // What would not be told is not looked for.
      for node in nodes where !reading.isFull {
        if let value = item.read(node, &reading) { items.append(value) }
      }
      return items
    }
  }

  /// How to make a list of what is none.
  private static func listHelp(_ node: YAMLNode) -> String? {
    guard let scalar = node.scalar else { return "begin each item of the list with `- `" }
    if scalar.value == .null { return nil }
    return scalar.style == .plain && scalar.text.hasPrefix("-")
      ? "a space stands behind the `-` of an item: `- \(scalar.text.dropFirst())`"
      : "write `[\(scalar.text)]`"
  }

  /// A single item, or a list of them.
  static func oneOrMore<Item>(_ item: Kind<Item>) -> Kind where Value == [Item] {
    let list = Kind.list(item, atLeast: 1)
    return Kind(.either([item.shape, list.shape])) { node, reading in
      if case .sequence = node.content { return list.read(node, &reading) }
      return item.read(node, &reading).map { [$0] }
    }
  }
}
