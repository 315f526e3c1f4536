internal import Bytes

/// What holds between the keys of a map, as far as the keys alone tell it.
///
/// The decoder tells broken rules in words of its own; the schema and the documentation are made of these.
/// A plain value, not an enumeration with lists in its cases: those keep their pointers where a leak checker
/// does not see them.
package struct KeyRule: Sendable {
  private enum Form { case atMostOne, atLeastOne, excludes, needs, whereValue }

  private let form: Form
  /// The key that the rule is about, where it is about one.
  private var key = ""
  private var value = ""
  /// The others, or all.
  private let keys: [String]

  /// No two of these stand together.
  static func atMostOne(_ keys: [String]) -> KeyRule { KeyRule(form: .atMostOne, keys: keys) }

  /// At least one of these is there.
  static func atLeastOne(_ keys: [String]) -> KeyRule { KeyRule(form: .atLeastOne, keys: keys) }

  /// A key stands beside none of the others.
  static func excludes(_ key: String, _ others: [String]) -> KeyRule {
    KeyRule(form: .excludes, key: key, keys: others)
  }

  /// A key stands beside one of the others only.
  static func needs(_ key: String, _ others: [String]) -> KeyRule {
    KeyRule(form: .needs, key: key, keys: others)
  }

  /// Where a key has this value, none of the others is there.
  static func whereValue(_ key: String, _ value: String, excludes others: [String]) -> KeyRule {
    KeyRule(form: .whereValue, key: key, value: value, keys: others)
  }
}

extension KeyRule {
  /// Whether it asks for a key, which a job that extends another may have from there.
  var asks: Bool {
    switch form {
    case .atLeastOne, .needs: true
    case .atMostOne, .excludes, .whereValue: false
    }
  }

  /// The rule as schemas that all hold (draft-07).
  var schemas: [JSON] {
    switch form {
    case .atMostOne:
      keys.indices.flatMap { first in
        keys[(first + 1)...].map { Self.not(Self.all([keys[first], $0])) }
      }
    case .atLeastOne: [Self.any(keys)]
    case .excludes: keys.map { Self.not(Self.all([key, $0])) }
    case .needs: [.object([("dependencies", .object([(key, Self.any(keys))]))])]
    case .whereValue:
      [
        .object([
          (
            "if",
            .object([
              ("properties", .object([(key, .object([("const", .string(value))]))])),
              ("required", .array([.string(key)])),
            ])
          ),
          ("then", Self.not(Self.any(keys))),
        ])
      ]
    }
  }

  /// The rule as a sentence of the documentation.
  var words: String {
    switch form {
    case .atMostOne: "One of \(Self.list(keys)) at most."
    case .atLeastOne: "One of \(Self.list(keys)) at least."
    case .excludes: "`\(key)` excludes \(Self.list(keys))."
    case .needs: "`\(key)` needs \(Self.list(keys, last: "or"))."
    case .whereValue: "`\(key): \(value)` excludes \(Self.list(keys))."
    }
  }

  private static func list(_ keys: [String], last: String = "and") -> String {
    let names = keys.map { "`\($0)`" }
    if names.count == 1 { return names[0] }
    return names.dropLast().joined(separator: ", ") + " \(last) " + (names.last ?? "")
  }

  private static func all(_ keys: [String]) -> JSON {
    .object([("required", .array(keys.map { .string($0) }))])
  }

  private static func any(_ keys: [String]) -> JSON {
    keys.count == 1 ? all(keys) : .object([("anyOf", .array(keys.map { all([$0]) }))])
  }

  private static func not(_ schema: JSON) -> JSON { .object([("not", schema)]) }
}
