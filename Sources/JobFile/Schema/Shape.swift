/// What a value in a job or station file may be: what the schema and the documentation are made of.
///
/// The decoder reads with the same `Kind`s that these descriptions come from. Only the cases that
/// need it are indirect: beside a range, which fills its bytes, the others' pointers stay plain,
/// and a leak checker sees them.
package enum Shape: Sendable {
  case text(TextForm)
  case integer(ClosedRange<Int>)
  /// One of these numbers.
  case numbers([Int])
  case boolean
  /// One of these words.
  case words([String])
  indirect case list(Shape, atLeast: Int)
  /// Keys of the user's choosing; `keys` says what they name.
  indirect case map(keys: String, form: TextForm, Shape, atLeast: Int)
  indirect case object(ObjectShape)
  case either([Shape])
  /// An object around this one, by its name; how descriptions refer to themselves.
  case reference(String)
  /// No value at all: the key or the word alone.
  case nothing

  /// What a text has to look like.
  package enum TextForm: Sendable {
    case any
    /// `[A-Za-z0-9._-]{1,64}`.
    case name
    case path
    case template
    /// More than nothing where `positive`.
    case duration(positive: Bool)
    /// Two digits a byte, and how many bytes.
    case hex(ClosedRange<Int>)
    case pattern
    /// A text of its own form, with what the form is called.
    case form(String, pattern: String)
    /// The name of an environment variable.
    case variable
    /// The name of a credential.
    case credential
  }
}

/// The keys of a map.
package struct ObjectShape: Sendable {
  /// How it is called, for example `session`.
  package var name: String
  /// One sentence without a full stop.
  package var doc: String
  /// Its keys, in the order of the documentation.
  package var keys: [KeyShape]
  /// How many of the keys are given at once.
  package var count: ClosedRange<Int>
  /// What holds between the keys.
  package var rules: [KeyRule]

  init(
    _ name: String, _ doc: String, count: ClosedRange<Int> = 0...Int.max, rules: [KeyRule] = [],
    _ keys: [KeyShape]
  ) {
    self.name = name
    self.doc = doc
    self.keys = keys
    self.count = count
    self.rules = rules
  }
}

/// One key of a map, without the type of its value.
package struct KeyShape: Sendable {
  /// The key itself.
  package var name: String
  /// What its value may be.
  package var shape: Shape
  /// One sentence without a full stop.
  package var doc: String
  /// The default as YAML; `nil` where there is none or it depends.
  package var fallback: String?
  /// A value as YAML, for editors and the documentation.
  package var example: String? = nil
  /// Whether it must be given.
  package var isRequired: Bool
  /// Whether a later version brings it.
  package var isLater: Bool

  /// A key that is known, but belongs to a later version.
  static func later(_ name: String, _ doc: String) -> KeyShape {
    KeyShape(
      name: name, shape: .text(.any), doc: doc, fallback: nil, isRequired: false, isLater: true)
  }
}
