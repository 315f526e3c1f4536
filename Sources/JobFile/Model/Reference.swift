package import Diagnostics

/// A path that a template of a job refers to, with where it stands.
package struct Reference: Sendable, Hashable {
  /// For example `["row", "code"]`.
  package var path: [String]
  /// Where it stands.
  package var place: Place
  /// Whether a writing step uses it.
  package var isWritten: Bool
}
