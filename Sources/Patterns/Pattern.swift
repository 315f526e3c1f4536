/// A PCRE2 pattern that must match a whole value, with limits on its work.
package struct Pattern: Sendable {
  /// The pattern as written.
  package let text: String
  private let code: CompiledPattern

  /// Compiles `text`.
  package init(_ text: String) throws(PatternError) {
    self.text = text
    code = try CompiledPattern(text)
  }

  /// Whether all of `value` matches, from its first letter to its last.
  ///
  /// Throws where the pattern needs more work than is granted: the answer is then not known.
  package func matches(_ value: String) throws(PatternError) -> Bool { try code.matches(value) }
}

extension Pattern: Equatable {
  /// Two patterns are equal where they are written with the same bytes.
  package static func == (left: Pattern, right: Pattern) -> Bool {
    left.text.utf8.elementsEqual(right.text.utf8)
  }
}

/// A pattern that PCRE2 refuses.
package struct PatternError: Error, Sendable, Equatable {
  /// One sentence without a full stop.
  package var message: String
  /// Where in the pattern, in UTF-8 bytes from its start.
  package var offset: Int
}
