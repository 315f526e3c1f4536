internal import YAMLTree

/// The steps that set a password and take it off.
enum ProtectKeys {
  static let password = Key(
    "password", SecretKeys.value(bytes: 4), required: true,
    "Where the password is: 8 hexadecimal digits, or 4 bytes")
  static let pack = Key(
    "pack", Kind.hex(2...2), default: "\"0000\"", "What the tag answers to the password")
  static let from = Key(
    "from", firstPage, default: "all",
    "The first page that needs the password; `all` guards lock bytes and capability container too")
  static let reading = Key(
    "reading", Kind.boolean, default: "false",
    "Whether reading needs the password too, so that no phone reads the message")
  static let tries = Key(
    "tries", Kind.integer(0...7), default: "0",
    "After how many wrong passwords the tag takes none for ever; 0 for no limit")

  static let shape = ObjectShape(
    "`protect`", "A password on the tag",
    [password.shape, pack.shape, from.shape, reading.shape, tries.shape])

  static let value = Kind<ProtectStep>.object(shape) { fields, reading in
    let password = fields.read(password, &reading)
    let pack = fields.read(pack, &reading)
    let from = fields.read(from, &reading)
    let guardsReading = fields.read(ProtectKeys.reading, &reading)
    let tries = fields.read(tries, &reading)
    guard let password, let pack, let from, let guardsReading, let tries else { return nil }
    return ProtectStep(
      password: password, pack: pack, from: from, reading: guardsReading, tries: tries)
  }

  /// The keys of `unprotect`.
  static let takingOff = ObjectShape("`unprotect`", "The password on the tag", [password.shape])

  static let takingOffValue = Kind<SecretReference>.object(takingOff) { fields, reading in
    fields.read(password, &reading)
  }

  /// A page, or `all`, which is the first one.
  private static let firstPage = Kind<Int>(
    .either([.integer(0...254), .words(["all"])])
  ) { node, reading in
    if node.scalar?.text == "all" { return 0 }
    if case .text = node.scalar?.value {
      reading.wrongType(node, needs: "a page or `all`")
      return nil
    }
    return Kind.integer(0...254).read(node, &reading)
  }
}
