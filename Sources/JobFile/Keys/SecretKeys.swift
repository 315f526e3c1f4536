internal import Diagnostics
internal import Secrets
internal import YAMLTree

/// A reference to a secret, which itself never stands in a job.
enum SecretKeys {
  static let file = Key(
    "file", Kind.path, example: "tag-password",
    "A file that its owner alone may read and write (mode 600)")
  static let environment = Key(
    "env", variable, example: "TAG_PASSWORD", "An environment variable; `check` warns of it")
  static let credential = Key(
    "credential", credentialName, example: "tag-password",
    "A credential of systemd's: a file in `$CREDENTIALS_DIRECTORY`")

  static let shape = ObjectShape(
    "the secret", "Where the secret is; never the secret itself", count: 1...1,
    [file.shape, environment.shape, credential.shape])

  /// A reference to a secret of `size` bytes.
  static func value(bytes size: Int) -> Kind<SecretReference> {
    Kind(.object(shape)) { node, reading in
      guard let entries = node.entries, !entries.isEmpty else {
        if case .refused = node.content {
          reading.hideNext(node.place)
          reading.error(
            "wrong-type", "\(reading.subject) needs a reference to a secret", at: node.place,
            help: instead)
          return nil
        }
        if node.isNull || node.entries != nil {
          reading.error(
            "wrong-type", "\(reading.subject) needs a reference to a secret, and there is none",
            at: node.place, help: instead)
        } else {
          reading.literal(at: node.place, of: node.place)
        }
        return nil
      }
      let known = shape.keys.map(\.name)
      for entry in entries {
        let place = entry.value.place
        if !known.contains(entry.key), entry.value.isNull || entry.key.looksLikeKey(of: size) {
          // A secret in braces.
          reading.literal(at: node.place, of: entry.keyPlace)
          return nil
        }
        let text = entry.value.scalar?.text ?? ""
        if known.contains(entry.key), text.looksLikeKey(of: size) {
          reading.literal(at: place, of: place)
          return nil
        }
      }
      guard let fields = Fields(node, as: shape, &reading) else { return nil }
      guard fields.entries.count == 1 else {
        reading.error(
          "one-key", "\(reading.subject) takes one of `file`, `env` and `credential`",
          at: fields.place)
        return nil
      }
      return source(fields, &reading).map {
        SecretReference(source: $0, size: size, place: fields.entries[0].value.place)
      }
    }
  }

  private static func source(_ fields: Fields, _ reading: inout Reading) -> SecretSource? {
    if fields.has(file) { return fields.read(file, &reading).map { .file($0) } }
    if fields.has(credential) {
      return fields.read(credential, &reading).map { .credential($0) }
    }
    guard let name = fields.read(environment, &reading) else { return nil }
    reading.warning(
      "secret-env", "every child process inherits an environment variable, and /proc shows it",
      at: fields.entries[0].value.place, help: "use `file`, or `credential` in a systemd service")
    return .environment(name)
  }

  private static let variable = Kind<String>(.text(.variable)) { node, reading in
    name(node, &reading, SecretSource.isVariable, "an environment variable")
  }

  private static let credentialName = Kind<String>(.text(.credential)) { node, reading in
    name(node, &reading, SecretSource.isCredential, "a credential")
  }

  /// A name; one that can be none is not shown, since it may be the secret.
  private static func name(
    _ node: YAMLNode, _ reading: inout Reading, _ isName: (String) -> Bool, _ what: String
  ) -> String? {
    guard let scalar = node.text(&reading, needs: "the name of \(what)") else { return nil }
    if isName(scalar.text) { return scalar.text }
    var place = node.place
    place.length = 1
    reading.add(
      Diagnostic(
        .error, "name", "\(reading.subject) needs the name of \(what), which cannot be so",
        at: place, help: "letters, digits and `_`; for a credential also `.` and `-`",
        hiding: [node.place]))
    return nil
  }

  static let instead =
    "write `{file: PATH}`, `{env: NAME}` or `{credential: NAME}`, with the secret there"
}

extension Reading {
  /// Tells that a secret stands in the file at `place`, without showing it or what follows it.
  mutating func literal(at place: Place, of secret: Place) {
    var place = place
    place.length = 1
    add(
      Diagnostic(
        .error, "secret-literal", "\(subject) says where a secret is, and never the secret itself",
        at: place,
        help: SecretKeys.instead + ", and change it if others may have read it here",
        hiding: [place, secret]))
  }
}

extension String {
  /// Whether it is what a key of `size` bytes looks like, or one of the usual lengths: hexadecimal
  /// digits alone, or PEM (RFC 7468).
  func looksLikeKey(of size: Int) -> Bool {
    if contains("-----BEGIN") { return true }
    let digits = unicodeScalars.filter { $0 != ":" && $0 != "-" && $0 != " " }
    return [2 * size, 32, 48, 64].contains(digits.count)
      && digits.allSatisfy { $0.properties.isASCIIHexDigit }
  }
}

extension ObjectShape {
  /// Whether it is a reference to a secret, or has one among its own keys.
  var namesSecrets: Bool {
    name == SecretKeys.shape.name
      || keys.contains { key in
        if case .object(let object) = key.shape {
          object.name == SecretKeys.shape.name
        } else {
          false
        }
      }
  }
}
