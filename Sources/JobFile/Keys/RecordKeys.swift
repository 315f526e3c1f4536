internal import Bytes
internal import Diagnostics
internal import Templates
internal import YAMLTree

/// The keys of a record in `write`.
enum RecordKeys {
  static let uri = Key(
    "uri", Kind.template, example: "\"https://example.com/c/${row.code | urlencode}\"",
    "A URI record")
  static let text = Key(
    "text", Kind.template, "A text record, or the content of `mime` and `external`")
  static let language = Key("language", Kind.template, default: "en", "The text's language")
  static let encoding = Key(
    "encoding", Kind.word(TextEncoding.self), default: "utf-8", "How the text is encoded")
  static let smartPoster = Key("smartPoster", PosterKeys.value, "A URI with titles and an icon")
  static let mime = Key("mime", Kind.template, "A record of this media type")
  static let external = Key("external", Kind.template, "A record of this type, `domain:type`")
  static let bytes = Key("bytes", hexTemplate, "Content in hexadecimal")
  static let base64 = Key("base64", base64Template, "Content in Base64")
  static let file = Key("file", Kind.fileContent, "A file with the content")
  static let application = Key("application", Kind.template, "An Android package to open")
  static let record = Key("record", rawRecord, "A record by its fields")
  static let id = Key("id", Kind.template, "The record's id")

  static let shape = ObjectShape(
    "the record", "One record of a message",
    rules: [
      .atLeastOne(kinds), .atMostOne(kinds.filter { $0 != text.name }),
      .excludes(text.name, kinds.filter { ![text.name, mime.name, external.name].contains($0) }),
      .atMostOne([text.name, bytes.name, base64.name, file.name]),
      .needs(mime.name, [text.name, bytes.name, base64.name, file.name]),
      .needs(external.name, [text.name, bytes.name, base64.name, file.name]),
      .needs(language.name, [text.name]), .needs(encoding.name, [text.name]),
      .excludes(language.name, [mime.name, external.name]),
      .excludes(encoding.name, [mime.name, external.name]),
      .needs(bytes.name, [mime.name, external.name]),
      .needs(base64.name, [mime.name, external.name]),
      .needs(file.name, [mime.name, external.name]),
    ],
    [
      uri.shape, text.shape, language.shape, encoding.shape, smartPoster.shape, mime.shape,
      external.shape, bytes.shape, base64.shape, file.shape, application.shape, record.shape,
      id.shape, .later("phone", "A telephone number"), .later("sms", "A text message to send"),
      .later("mail", "A mail to write"), .later("geo", "A position"), .later("vcard", "A contact"),
      .later("wifi", "A network to join"), .later("bluetooth", "A device to pair with"),
      .later("gs1", "A GS1 Digital Link"),
    ])

  static let value = Kind<RecordSpec>(.object(shape)) { node, reading in
    if let text = node.scalar?.text, StepKeys.bareWords.contains(text) {
      reading.error(
        "wrong-type", "`\(text)` is a step, not a record", at: node.place,
        help: "begin its line as far left as the step before it")
      return nil
    }
    return map.read(node, &reading)
  }

  private static let map = Kind<RecordSpec>.object(shape) { fields, reading in
    guard let content = content(fields, &reading) else { return nil }
    return RecordSpec(
      content: content, id: fields.read(id, &reading), place: fields.place)
  }

  private static let kinds = [
    "uri", "smartPoster", "mime", "external", "application", "record", "text",
  ]

  private static func content(
    _ fields: Fields, _ reading: inout Reading
  ) -> RecordSpec.Content? {
    let hasData = fields.has(mime) || fields.has(external)
    let named = fields.entries.filter {
      kinds.contains($0.key) && !($0.key == "text" && hasData)
    }
    guard let first = named.first else {
      if !fields.hasOtherKeys {
        reading.error(
          "record", "the record does not say what it is", at: fields.place,
          help: "give it one of " + kinds.map { "`\($0)`" }.joined(separator: ", "))
      }
      return nil
    }
    if named.count > 1 {
      reading.error(
        "record", "a record is one thing, not `\(first.key)` and `\(named[1].key)`",
        at: named[1].keyPlace, help: "begin each record with `-`",
        secondary: Diagnostic.Secondary(first.keyPlace, "the record begins as this"))
      return nil
    }
    checkCompanions(of: first.key, fields, &reading)
    switch first.key {
    case "uri": return fields.read(uri, &reading).map { .uri($0) }
    case "text":
      guard let words = fields.read(text, &reading), let tongue = fields.read(language, &reading)
      else { return nil }
      return .text(words, language: tongue, encoding: fields.read(encoding, &reading) ?? .utf8)
    case "smartPoster": return fields.read(smartPoster, &reading).map { .smartPoster($0) }
    case "mime":
      guard let type = fields.read(mime, &reading), let data = data(fields, &reading) else {
        return nil
      }
      return .mime(type: type, data)
    case "external":
      guard let type = fields.read(external, &reading), let data = data(fields, &reading) else {
        return nil
      }
      return .external(type: type, data)
    case "application": return fields.read(application, &reading).map { .application($0) }
    default: return fields.read(record, &reading)
    }
  }

  /// Tells keys that do not go with this kind of record.
  private static func checkCompanions(
    of kind: String, _ fields: Fields, _ reading: inout Reading
  ) {
    for entry in fields.entries {
      let owners: [String]
      switch entry.key {
      case "language", "encoding": owners = ["text"]
      case "bytes", "base64", "file": owners = ["mime", "external"]
      default: continue
      }
      if owners.contains(kind) { continue }
      let names = owners.map { "`\($0)`" }.joined(separator: " and ")
      reading.error(
        "record", "`\(entry.key)` goes with \(names), not with `\(kind)`", at: entry.keyPlace)
    }
  }

  /// The content of a `mime` or `external` record: exactly one of four keys.
  private static func data(_ fields: Fields, _ reading: inout Reading) -> DataTemplate? {
    let named = fields.entries.filter { ["text", "bytes", "base64", "file"].contains($0.key) }
    guard named.count == 1 else {
      reading.error(
        "record", "the record needs one of `text`, `bytes`, `base64` and `file`",
        at: named.dropFirst().first?.keyPlace ?? fields.place,
        help: named.isEmpty ? "add its content, for example `text: Hello`" : "keep one of them")
      return nil
    }
    switch named[0].key {
    case "text": return fields.read(text, &reading).map { .text($0) }
    case "bytes": return fields.read(bytes, &reading).map { .hex($0) }
    case "base64": return fields.read(base64, &reading).map { .base64($0) }
    default: return fields.read(file, &reading).map { .bytes($0) }
    }
  }

  /// Hexadecimal text that may have places to fill; checked at once where it has none.
  static let hexTemplate = Kind<Template>(.text(.template)) { node, reading in
    guard let scalar = node.hexScalar(&reading),
      let template = reading.template(scalar.text, at: node)
    else { return nil }
    if template.references.isEmpty && reading.bytes(of: scalar.text, at: node.place) == nil {
      return nil
    }
    return template
  }

  private static let base64Template = Kind<Template>(.text(.template)) { node, reading in
    guard let text = node.text(&reading)?.text, let template = reading.template(text, at: node)
    else { return nil }
    if template.references.isEmpty && [UInt8](base64: text) == nil {
      reading.error(
        "base64", "this is not Base64", at: node.place,
        help: "letters, digits, `+` and `/`, with `=` at the end only; `text` takes plain text")
      return nil
    }
    return template
  }

  private static let tnf = Key(
    "tnf", Kind.integer(0...6), required: true, "The type name format, 0 to 6")
  private static let type = Key(
    "type", Kind.hex(0...255), default: "\"\"", "The type, in hexadecimal")
  private static let payload = Key(
    "payload", hexTemplate, default: "\"\"", "The payload, in hexadecimal")
  private static let rawShape = ObjectShape(
    "`record`", "A record by its fields", [tnf.shape, type.shape, payload.shape])

  private static let rawRecord = Kind<RecordSpec.Content>.object(rawShape) { fields, reading in
    let format = fields.read(tnf, &reading)
    let type = fields.read(type, &reading)
    let payload = fields.read(payload, &reading)
    guard let format, let type, let payload else { return nil }
    return .record(tnf: format, type: type, payload: .hex(payload))
  }
}
