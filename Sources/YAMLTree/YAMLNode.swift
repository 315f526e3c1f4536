package import Diagnostics

/// A value in a YAML file, with the place where it stands.
package struct YAMLNode: Sendable {
  /// The kinds of values.
  package enum Content: Sendable {
    case scalar(YAMLScalar)
    case sequence([YAMLNode])
    /// In the order of the file; each key once.
    case mapping([YAMLEntry])
    /// Something that was refused and told already, for example an alias.
    case refused
  }

  /// What it is.
  package var content: Content
  /// Where it stands.
  package var place: Place

  /// A value at a place.
  package init(_ content: Content, at place: Place) {
    self.content = content
    self.place = place
  }
}

/// One key of a mapping with its value.
package struct YAMLEntry: Sendable {
  /// The text of the key.
  package var key: String
  /// Where the key stands.
  package var keyPlace: Place
  /// What stands behind it.
  package var value: YAMLNode

  /// A key with its value.
  package init(key: String, keyPlace: Place, value: YAMLNode) {
    self.key = key
    self.keyPlace = keyPlace
    self.value = value
  }
}

extension YAMLNode {
  /// The scalar, where it is one.
  package var scalar: YAMLScalar? {
    if case .scalar(let scalar) = content { scalar } else { nil }
  }

  /// Whether it is a null: nothing, `~` or `null`.
  package var isNull: Bool { scalar?.value == .null }

  /// The entries, where it is a mapping.
  package var entries: [YAMLEntry]? {
    if case .mapping(let entries) = content { entries } else { nil }
  }

  /// The value of `key`, where it is a mapping that has it.
  package subscript(key: String) -> YAMLNode? { entries?.first { $0.key == key }?.value }

  /// What it is, in words for a message.
  package var kindName: String {
    switch content {
    case .scalar(let scalar):
      switch scalar.value {
      case .null: "nothing"
      case .boolean: "true or false"
      case .integer, .float: "a number"
      case .text: "a text"
      }
    case .sequence: "a list"
    case .mapping: "a map"
    case .refused: "something refused"
    }
  }
}
