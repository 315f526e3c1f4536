internal import Diagnostics
internal import YAMLTree

/// The steps: a bare word, or a map of one key.
enum StepKeys {
  static let read = Key("read", ReadKeys.value, "Keep what the tag holds")
  static let expect = Key("expect", ExpectationKeys.value, "Hold the tag against what it must be")
  static let write = Key("write", MessageKeys.value, "Put a message on the tag and read it back")
  static let verify = Key("verify", nothing, "Select the tag anew, read the message, compare")
  static let lock = Key("lock", nothing, "Make the tag read-only for ever; the last step")

  static let protect = Key(
    "protect", ProtectKeys.value, "Set a password; after `write` and `verify`, before `lock`")
  static let unprotect = Key(
    "unprotect", ProtectKeys.takingOffValue,
    "Take the password off; before all other steps that touch the tag")

  static let shape = ObjectShape(
    "a step", "One thing done to a tag", count: 1...1,
    [
      read.shape, expect.shape, write.shape, verify.shape, lock.shape,
      .later("format", "Make the tag ready for NDEF"), .later("erase", "Empty the tag"),
      protect.shape, unprotect.shape,
      .later("mirror", "Let the tag write its UID or counter into its message"),
      .later("send", "Send a command"), .later("dump", "Keep the whole memory in a file"),
    ])

  static let bareWords: [String] = ["read", "verify", "lock"]

  static let value = Kind<Step>(
    .either([.words(bareWords), .object(shape)])
  ) { node, reading in
    if let scalar = node.scalar, scalar.value != .null {
      return bare(scalar.text, at: node, &reading)
    }
    guard node.entries != nil else {
      reading.wrongType(node, needs: "steps", help: "a step is a word or a map of one key")
      return nil
    }
    guard let fields = Fields(node, as: shape, &reading) else { return nil }
    if fields.entries.count != 1 {
      let place = fields.entries.dropFirst().first?.keyPlace ?? fields.place
      reading.error(
        "one-step", "a step is a word or a map of one key", at: place,
        help: "begin each step with `-`; keys of a step stand under it, indented")
      return nil
    }
    return step(fields, at: fields.entries[0].keyPlace, &reading)
  }

  private static func step(_ fields: Fields, at place: Place, _ reading: inout Reading) -> Step? {
    reading.use = .step(writes: fields.has(write))
    let kind: Step.Kind? =
      if fields.has(read) {
        fields.read(read, &reading).map { .read($0) }
      } else if fields.has(expect) {
        fields.read(expect, &reading).map { .expect($0) }
      } else if fields.has(write) {
        fields.read(write, &reading).map { .write($0) }
      } else if fields.has(verify) {
        fields.read(verify, &reading).map { .verify }
      } else if fields.has(lock) {
        fields.read(lock, &reading).map { .lock }
      } else if fields.has(protect) {
        fields.read(protect, &reading).map { .protect($0) }
      } else if fields.has(unprotect) {
        fields.read(unprotect, &reading).map { .unprotect($0) }
      } else {
        nil
      }
    return kind.map { Step(kind: $0, place: place) }
  }

  private static func bare(_ word: String, at node: YAMLNode, _ reading: inout Reading) -> Step? {
    switch word {
    case "read": return Step(kind: .read(ReadKeys.plain), place: node.place)
    case "verify": return Step(kind: .verify, place: node.place)
    case "lock": return Step(kind: .lock, place: node.place)
    case "write", "expect", "protect", "unprotect":
      let example =
        switch word {
        case "write": "- write: [{uri: \"https://example.com\"}]"
        case "expect": "- expect: {content: message}"
        default: "- \(word): {password: {file: tag-password}}"
        }
      reading.error(
        "missing-value", "`\(word)` needs a value", at: node.place, help: "for example `\(example)`"
      )
      return nil
    default: break
    }
    if shape.keys.contains(where: { $0.name == word && $0.isLater }) {
      reading.error("not-yet", "`\(word)` is not supported by this version", at: node.place)
    } else {
      reading.error(
        "unknown-step", "unknown step `\(word)`", at: node.place,
        help: Reading.suggestion(for: word, among: shape.keys))
    }
    return nil
  }

  /// The value of a step that takes none.
  private static let nothing = Kind<Void>(.nothing) { node, reading in
    if node.isNull || node.scalar?.value == .boolean(true) { return () }
    if case .refused = node.content { return nil }
    reading.error(
      "wrong-type", "\(reading.subject) takes no value", at: node.place,
      help: "write the word alone")
    return nil
  }
}
