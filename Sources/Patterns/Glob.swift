/// A pattern of `*` (any letters, also none) and `?` (one letter) for a whole value; nothing else
/// is special.
///
/// A letter is one Unicode scalar. The work is at most the length of the value times the longest
/// piece between two `*`: no value makes it run away.
package struct Glob: Sendable, Equatable {
  /// The pattern as written.
  package let text: String
  private let scalars: [Unicode.Scalar]

  /// Takes `text` as it is: every text is a pattern.
  package init(_ text: String) {
    self.text = text
    scalars = Array(text.unicodeScalars)
  }

  /// Whether the whole of `value` fits.
  package func matches(_ value: String) -> Bool {
    let value = Array(value.unicodeScalars)
    var at = 0
    var next = 0
    // Where to go on when the letters after the last `*` do not fit: that star then takes one more.
    // Earlier stars need not be tried again, since each took the first place where its piece fits.
    var star: Int?
    var taken = 0
    while at < value.count {
      if next < scalars.count, scalars[next] == "*" {
        star = next
        taken = at
        next += 1
      } else if next < scalars.count, scalars[next] == "?" || scalars[next] == value[at] {
        at += 1
        next += 1
      } else if let star {
        taken += 1
        at = taken
        next = star + 1
      } else {
        return false
      }
    }
    return scalars[next...].allSatisfy { $0 == "*" }
  }
}
