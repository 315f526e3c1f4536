internal import Diagnostics
internal import YAMLTree

/// The keys of `session`.
enum SessionKeys {
  static let kind = Key(
    "kind", Kind.word(SessionSpec.Kind.self), default: "tag", "Which of Core NFC's sessions it is")
  static let polling = Key(
    "polling", Kind.list(.word(PollingOption.self), atLeast: 1), default: "[iso14443]",
    "What a `tag` session looks for")
  static let selectIdentifiers = Key(
    "selectIdentifiers", Kind.list(.applicationIdentifier), default: "[]",
    example: "[\"D2760000850101\"]",
    "Application identifiers in SELECT order, of those that the station declares; none for all")
  static let systemCodes = Key(
    "systemCodes", Kind.list(.systemCode), default: "[]", example: "[\"12FC\"]",
    "FeliCa system codes, of those that the station declares; none for all")
  static let invalidateAfterFirstRead = Key(
    "invalidateAfterFirstRead", Kind.boolean, default: "false",
    "Whether the session ends after its first tag")
  static let alertMessage = Key(
    "alertMessage", Kind.template, default: "Present a tag", "What is shown while a tag is awaited")
  static let timeout = Key(
    "timeout", Kind.duration(positive: true), default: "60s",
    "How long the session lives from the moment it is active")

  static let shape = ObjectShape(
    "`session`", "One use of a reader, as Core NFC has it",
    rules: [
      .whereValue(
        kind.name, "ndef", excludes: [polling.name, selectIdentifiers.name, systemCodes.name]),
      .whereValue(kind.name, "payment", excludes: [systemCodes.name]),
    ],
    [
      kind.shape, polling.shape, selectIdentifiers.shape, systemCodes.shape,
      invalidateAfterFirstRead.shape, alertMessage.shape, timeout.shape,
    ])

  /// A `session` map; values that are faulty are told and keep their default.
  static let value = Kind<SessionSpec>.object(shape) { fields, reading in
    var session = SessionSpec(place: fields.place)
    reading.use = .message
    session.kind = fields.read(kind, &reading) ?? session.kind
    session.polling = fields.read(polling, &reading) ?? session.polling
    session.selectIdentifiers = fields.read(selectIdentifiers, &reading) ?? []
    session.systemCodes = fields.read(systemCodes, &reading) ?? []
    session.selectIdentifierPlaces = places(fields.node(selectIdentifiers))
    session.systemCodePlaces = places(fields.node(systemCodes))
    session.invalidateAfterFirstRead = fields.read(invalidateAfterFirstRead, &reading) ?? false
    session.alertMessage = fields.read(alertMessage, &reading)
    session.timeout = fields.read(timeout, &reading) ?? session.timeout
    check(session, fields, &reading)
    return session
  }

  /// Where the items of a list stand.
  private static func places(_ node: YAMLNode?) -> [Place] {
    guard case .sequence(let items) = node?.content else { return [] }
    return items.map(\.place)
  }

  /// What may not stand beside what in a session.
  private static func check(_ session: SessionSpec, _ fields: Fields, _ reading: inout Reading) {
    func refuse(_ has: Bool, _ name: String, at place: Place) {
      guard has else { return }
      reading.error(
        "session-kind", "`\(name)` cannot stand beside `kind: \(session.kind.rawValue)`", at: place,
        help: "leave it out, or use `kind: tag`")
    }
    switch session.kind {
    case .tag:
      if fields.has(systemCodes), !session.polling.contains(.iso18092) {
        reading.warning(
          "unused-key", "`systemCodes` does nothing without `iso18092` in `polling`",
          at: fields.place(of: systemCodes))
      }
      if fields.has(selectIdentifiers), !session.polling.contains(.iso14443) {
        reading.warning(
          "unused-key", "`selectIdentifiers` does nothing without `iso14443` in `polling`",
          at: fields.place(of: selectIdentifiers))
      }
    case .ndef:
      refuse(fields.has(polling), "polling", at: fields.place(of: polling))
      refuse(
        fields.has(selectIdentifiers), "selectIdentifiers", at: fields.place(of: selectIdentifiers))
      refuse(fields.has(systemCodes), "systemCodes", at: fields.place(of: systemCodes))
    case .payment:
      refuse(session.polling != [.iso14443], "polling", at: fields.place(of: polling))
      refuse(fields.has(systemCodes), "systemCodes", at: fields.place(of: systemCodes))
    }
  }
}
