/// The identifiers or codes of a session, held against those that the station declares.
package struct Narrowing: Sendable, Equatable {
  /// What the session uses, in its order; all that is declared where it names none.
  package var used: [[UInt8]]
  /// The indexes of those that are not declared.
  package var unknown: [Int] = []
  /// The indexes of those that stand there before.
  package var repeated: [Int] = []

  /// `wanted` of those that are `declared`.
  package init(of wanted: [[UInt8]], declared: [[UInt8]]) {
    used = wanted.isEmpty ? declared : []
    for (index, value) in wanted.enumerated() {
      if !declared.contains(value) {
        unknown.append(index)
      } else if used.contains(value) {
        repeated.append(index)
      } else {
        used.append(value)
      }
    }
  }

  /// Whether names were given and none of them is declared: the session must not begin, as an empty
  /// list would mean all.
  package var isAllUnknown: Bool { used.isEmpty && !unknown.isEmpty }
}
