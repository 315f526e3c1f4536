/// A template that cannot be parsed or filled.
package struct TemplateError: Error, Sendable, Equatable {
  /// One sentence without a full stop.
  package var message: String
  /// Where in the template's text, in UTF-8 bytes from its start.
  package var offset: Int
  /// What to write instead, where it is known.
  package var help: String?

  /// An error at `offset`.
  package init(_ message: String, offset: Int = 0, help: String? = nil) {
    self.message = message
    self.offset = offset
    self.help = help
  }
}
