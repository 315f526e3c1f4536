package import Diagnostics
package import Secrets

/// Where a step's password or key is; never the secret itself.
package struct SecretReference: Sendable, Hashable {
  /// Where it is read from.
  package var source: SecretSource
  /// How many bytes it must have.
  package var size: Int
  /// Where the reference stands.
  package var place: Place
}

/// The `protect` step: a password on the tag.
package struct ProtectStep: Sendable {
  /// The password, 4 bytes.
  package var password: SecretReference
  /// What the tag answers to it, 2 bytes.
  package var pack: [UInt8]
  /// The first page that needs it for writing.
  package var from: Int
  /// Whether reading needs it too.
  package var reading: Bool
  /// How many wrong passwords the tag takes before it takes none any more; 0 for no limit.
  package var tries: Int
}

extension Job {
  /// The secrets that its steps name, each place once.
  package var secrets: [SecretReference] {
    var found: [SecretReference] = []
    for step in batches.flatMap(\.steps) {
      guard let reference = step.secret, !found.contains(reference) else { continue }
      found.append(reference)
    }
    return found
  }
}

extension Step {
  /// The secret that it needs.
  package var secret: SecretReference? {
    switch kind {
    case .protect(let protection): protection.password
    case .unprotect(let password): password
    case .read, .expect, .write, .verify, .lock: nil
    }
  }
}
