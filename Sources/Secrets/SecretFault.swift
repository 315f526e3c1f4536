/// Why a secret cannot be had; never with any part of it.
package struct SecretFault: Error, Sendable, Equatable {
  /// What is wrong, as exit statuses tell it apart.
  package enum Kind: Sendable, CaseIterable {
    /// There is none.
    case missing
    /// It may not be read, or too many may read it.
    case refused
    /// What is there is not of the form that is needed.
    case malformed
  }

  /// What is wrong.
  package let kind: Kind
  /// One sentence without a full stop.
  package let message: String
  /// What to do, where it is known.
  package let help: String?

  /// A fault.
  package init(_ kind: Kind, _ message: String, help: String? = nil) {
    self.kind = kind
    self.message = message
    self.help = help
  }
}
