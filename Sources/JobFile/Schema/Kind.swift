internal import YAMLTree

/// A kind of value: how it is described, and how it is read.
struct Kind<Value>: Sendable {
  let shape: Shape
  /// The value of a node; `nil` where it is none, which is told then.
  let read: @Sendable (YAMLNode, inout Reading) -> Value?

  init(_ shape: Shape, read: @escaping @Sendable (YAMLNode, inout Reading) -> Value?) {
    self.shape = shape
    self.read = read
  }

  /// The same description, with the value changed or refused.
  func map<Other>(
    _ change: @escaping @Sendable (Value, YAMLNode, inout Reading) -> Other?
  ) -> Kind<Other> {
    let read = read
    return Kind<Other>(shape) { node, reading in
      guard let value = read(node, &reading) else { return nil }
      return change(value, node, &reading)
    }
  }
}

/// A key with the kind of its value: one line of the description.
struct Key<Value>: Sendable {
  let name: String
  let kind: Kind<Value>
  /// One sentence without a full stop.
  let doc: String
  /// The default, as YAML.
  let fallback: String?
  /// A value to show, as YAML.
  let example: String?
  let isRequired: Bool

  init(
    _ name: String, _ kind: Kind<Value>, default fallback: String? = nil, required: Bool = false,
    example: String? = nil, _ doc: String
  ) {
    self.name = name
    self.kind = kind
    self.doc = doc
    self.fallback = fallback
    self.example = example
    isRequired = required
  }

  /// The key without its type, for the list of its map.
  var shape: KeyShape {
    KeyShape(
      name: name, shape: kind.shape, doc: doc, fallback: fallback, example: example,
      isRequired: isRequired, isLater: false)
  }
}
