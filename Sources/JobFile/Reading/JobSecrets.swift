package import Diagnostics
package import Secrets

/// The secrets of a job, read once before it starts.
package struct JobSecrets: Sendable {
  private struct Need: Hashable {
    var source: SecretSource
    var size: Int
  }

  private var known: [Need: Secret] = [:]

  /// No secrets.
  package init() {}

  /// The secret that `reference` leads to, where it could be read.
  package subscript(reference: SecretReference) -> Secret? {
    known[Need(source: reference.source, size: reference.size)]
  }

  /// Reads the secrets of `job`, with what is wrong with them.
  ///
  /// A credential that only a service has is a note unless it `mustHaveAll`.
  package static func read(
    _ job: Job, mustHaveAll: Bool
  ) -> (secrets: JobSecrets, findings: Findings) {
    var secrets = JobSecrets()
    var findings = Findings()
    var told: Set<Place> = []
    for reference in job.secrets where told.insert(reference.place).inserted {
      if case .credential(let name) = reference.source, !mustHaveAll,
        !SecretSource.hasCredentials
      {
        findings.add(
          Diagnostic(
            .note, "credential",
            "the credential `\(name)` is not looked at: \(SecretSource.credentialFolder) is not set",
            at: reference.place))
        continue
      }
      do throws(SecretFault) {
        let need = Need(source: reference.source, size: reference.size)
        secrets.known[need] = try reference.source.read().key(of: reference.size)
      } catch {
        findings.error(error.code, error.message, at: reference.place, help: error.help)
      }
    }
    return (secrets, findings)
  }
}

extension SecretFault {
  /// The name of the finding that tells it.
  fileprivate var code: String {
    switch kind {
    case .missing: "unreadable"
    case .refused: "secret-permission"
    case .malformed: "secret-value"
    }
  }
}
