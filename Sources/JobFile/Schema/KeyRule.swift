internal import Bytes

/// What holds between the keys of a map, as far as the keys alone tell it.
///
/// The decoder tells broken rules in words of its own; the schema and the documentation are made of these.
package enum KeyRule: Sendable {
  /// No two of these stand together.
  case atMostOne([String])
  /// At least one of these is there.
  case atLeastOne([String])
  /// A key stands beside none of the others.
  case excludes(String, [String])
  /// A key stands beside one of the others only.
  case needs(String, [String])
  /// Where a key has this value, none of the others is there.
  case whereValue(String, String, excludes: [String])
}

extension KeyRule {
  /// Whether it asks for a key, which a job that extends another may have from there.
  var asks: Bool {
    switch self {
    case .atLeastOne, .needs: true
    case .atMostOne, .excludes, .whereValue: false
    }
  }

  /// The rule as schemas that all hold (draft-07).
  var schemas: [JSON] {
    switch self {
    case .atMostOne(let keys):
      keys.indices.flatMap { first in
        keys[(first + 1)...].map { Self.not(Self.all([keys[first], $0])) }
      }
    case .atLeastOne(let keys): [Self.any(keys)]
    case .excludes(let key, let others): others.map { Self.not(Self.all([key, $0])) }
    case .needs(let key, let others):
      [.object([("dependencies", .object([(key, Self.any(others))]))])]
    case .whereValue(let key, let value, let others):
      [
        .object([
          (
            "if",
            .object([
              ("properties", .object([(key, .object([("const", .string(value))]))])),
              ("required", .array([.string(key)])),
            ])
          ),
          ("then", Self.not(Self.any(others))),
        ])
      ]
    }
  }

  /// The rule as a sentence of the documentation.
  var words: String {
    switch self {
    case .atMostOne(let keys): "One of \(Self.list(keys)) at most."
    case .atLeastOne(let keys): "One of \(Self.list(keys)) at least."
    case .excludes(let key, let others): "`\(key)` excludes \(Self.list(others))."
    case .needs(let key, let others):
      "`\(key)` needs \(Self.list(others, last: "or"))."
    case .whereValue(let key, let value, let others):
      "`\(key): \(value)` excludes \(Self.list(others))."
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
