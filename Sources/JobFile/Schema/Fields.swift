internal import Diagnostics
internal import YAMLTree

/// One map of a file, held against the description of its keys.
struct Fields {
  let shape: ObjectShape
  let place: Place
  let entries: [YAMLEntry]

  /// The entries of `node`; `nil` if it is no map.
  ///
  /// Tells unknown, later and missing keys.
  init?(_ node: YAMLNode, as shape: ObjectShape, _ reading: inout Reading) {
    guard let entries = node.entries else {
      let keys = shape.keys.filter { !$0.isLater }.map(\.name)
      if shape.namesSecrets { reading.hideNext(node.place) }
      reading.wrongType(
        node, needs: "a map",
        help: keys.count > 13
          ? nil : "its keys are " + keys.map { "`\($0)`" }.joined(separator: ", "))
      return nil
    }
    self.shape = shape
    self.entries = entries
    place = node.place
    let subject = shape.name
    for entry in entries where !reading.isFull {
      guard let key = shape.keys.first(where: { $0.name == entry.key }) else {
        // It may be a secret under a misspelt key.
        if shape.namesSecrets { reading.hideNext(entry.value.place) }
        let meant = UnknownKey(entry.key, in: shape)
        if let near = meant.near { reading.meant.insert(near) }
        reading.error(
          "unknown-key", "unknown key `\(entry.key)` in \(subject)", at: entry.keyPlace,
          help: meant.help)
        continue
      }
      if key.isLater {
        reading.error(
          "not-yet", "`\(entry.key)` is not supported by this version", at: entry.keyPlace)
      }
    }
    // A key that is misspelt is not missing too.
    for key in shape.keys
    where key.isRequired && !reading.meant.contains(key.name)
      && !entries.contains(where: { $0.key == key.name })
    {
      reading.error(
        "missing-key", "\(subject) needs the key `\(key.name)`", at: place, help: key.doc)
    }
  }

  /// The node of `key`, where it is given.
  func node<Value>(_ key: Key<Value>) -> YAMLNode? {
    entries.first { $0.key == key.name }?.value
  }

  /// Whether `key` is given.
  func has<Value>(_ key: Key<Value>) -> Bool { node(key) != nil }

  /// The place of the word `key`, or of the map where it is not given.
  func place<Value>(of key: Key<Value>) -> Place {
    entries.first { $0.key == key.name }?.keyPlace ?? place
  }

  /// Whether it has a key that is unknown or belongs to a later version, which is told already.
  var hasOtherKeys: Bool {
    entries.contains { entry in !shape.keys.contains { $0.name == entry.key && !$0.isLater } }
  }

  /// The value of `key`, else its default; `nil` where there is neither, or a fault was told.
  func read<Value>(_ key: Key<Value>, _ reading: inout Reading) -> Value? {
    let before = reading.subject
    defer { reading.subject = before }
    reading.subject = "`\(key.name)`"
    if let node = node(key) { return key.kind.read(node, &reading) }
    guard let text = key.fallback else { return nil }
    return Self.value(text, key.kind)
  }

  /// What a default means.
  static func value<Value>(_ text: String, _ kind: Kind<Value>) -> Value? {
    var reading = Reading(file: "", findings: Findings())
    var findings = Findings()
    guard let node = YAMLTree.parse(Array(text.utf8), file: "", findings: &findings) else {
      return nil
    }
    return kind.read(node, &reading)
  }
}

extension Kind {
  /// A map with described keys.
  static func object(
    _ shape: ObjectShape, read: @escaping @Sendable (Fields, inout Reading) -> Value?
  ) -> Kind {
    Kind(.object(shape)) { node, reading in
      guard let fields = Fields(node, as: shape, &reading) else { return nil }
      return read(fields, &reading)
    }
  }
}
