internal import Bytes
internal import Diagnostics
internal import YAMLTree

/// What one record must be, in `records` and `contains`.
enum RecordTestKeys {
  static let uri = Key("uri", ValueTestKeys.plain, "A URI record")
  static let text = Key("text", ValueTestKeys.plain, "A text record, or the content of `mime`")
  static let language = Key("language", Kind.word, "The text's language")
  static let smartPoster = Key("smartPoster", poster, "A smart poster")
  static let mime = Key("mime", ValueTestKeys.plain, "A record of this media type")
  static let external = Key("external", ValueTestKeys.plain, "A record of this type")
  static let application = Key("application", ValueTestKeys.plain, "An Android package")
  static let record = Key("record", raw, "A record by its fields")

  private static let kinds = [
    "uri", "smartPoster", "mime", "external", "application", "record", "text",
  ]

  static let shape = ObjectShape(
    "the record", "What one record must be",
    rules: [
      .atLeastOne(kinds), .atMostOne(kinds.filter { $0 != text.name }),
      .excludes(text.name, kinds.filter { ![text.name, mime.name, external.name].contains($0) }),
      .needs(language.name, [text.name]), .excludes(language.name, [mime.name, external.name]),
    ],
    [
      uri.shape, text.shape, language.shape, smartPoster.shape, mime.shape, external.shape,
      application.shape, record.shape,
    ])

  static let value = Kind<Expectation.RecordTest>.object(shape) { fields, reading in
    let hasType = fields.has(mime) || fields.has(external)
    let named = fields.entries.filter { kinds.contains($0.key) && !(hasType && $0.key == "text") }
    guard named.count == 1 else {
      if named.isEmpty && fields.hasOtherKeys { return nil }
      reading.error(
        "record",
        named.isEmpty ? "the record does not say what it is" : "a record is one thing",
        at: named.dropFirst().first?.keyPlace ?? fields.place,
        help: "give it one of " + kinds.map { "`\($0)`" }.joined(separator: ", "))
      return nil
    }
    if fields.has(language) && named[0].key != "text" {
      reading.error("record", "`language` goes with `text`", at: fields.place(of: language))
    }
    switch named[0].key {
    case "uri": return fields.read(uri, &reading).map { .uri($0) }
    case "text":
      return fields.read(text, &reading).map {
        .text($0, language: fields.read(language, &reading))
      }
    case "smartPoster": return fields.read(smartPoster, &reading)
    case "mime":
      let content = fields.read(text, &reading)
      return fields.read(mime, &reading).map { .mime(type: $0, text: content) }
    case "external":
      let content = fields.read(text, &reading)
      return fields.read(external, &reading).map { .external(type: $0, text: content) }
    case "application": return fields.read(application, &reading).map { .application($0) }
    default: return fields.read(record, &reading)
    }
  }

  private static let poster = Kind<Expectation.RecordTest>.object(
    ObjectShape("`smartPoster`", "A smart poster", [uri.shape])
  ) { fields, reading in
    .smartPoster(uri: fields.read(uri, &reading))
  }

  private static let tnf = Key("tnf", Kind.integer(0...7), "The type name format")
  private static let type = Key("type", Kind.hex(0...255), "The type, in hexadecimal")
  private static let payload = Key("payload", Kind.hex(), "The payload, in hexadecimal")

  private static let raw = Kind<Expectation.RecordTest>.object(
    ObjectShape("`record`", "A record by its fields", [tnf.shape, type.shape, payload.shape])
  ) { fields, reading in
    .record(
      tnf: fields.read(tnf, &reading), type: fields.read(type, &reading),
      payload: fields.read(payload, &reading))
  }
}
