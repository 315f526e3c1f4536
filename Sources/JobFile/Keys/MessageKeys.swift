internal import Diagnostics
internal import YAMLTree

/// What `write` puts on a tag.
enum MessageKeys {
  static let message = Key("message", Kind.hex(), "A whole message in hexadecimal")
  static let file = Key("file", Kind.fileContent, "A file that holds a whole message")

  static let shape = ObjectShape(
    "`write`", "A whole message", count: 1...1, [message.shape, file.shape])
  static let records = Kind.list(RecordKeys.value)

  /// A list of records, or a whole message.
  static let value = Kind<MessageSpec>(
    .either([records.shape, .object(shape)])
  ) { node, reading in
    if case .sequence(let items) = node.content {
      guard let specs = records.read(node, &reading), specs.count == items.count else { return nil }
      return .records(specs)
    }
    guard node.entries != nil else {
      reading.wrongType(
        node, needs: "a list of records",
        help: "for example `- write: [{uri: \"https://example.com\"}]`")
      return nil
    }
    if let key = node.entries?.first?.key,
      RecordKeys.shape.keys.contains(where: { $0.name == key }),
      key != "file"
    {
      reading.error(
        "wrong-type", "\(reading.subject) needs a list of records, not one record", at: node.place,
        help: "begin the record with `-`")
      return nil
    }
    guard let fields = Fields(node, as: shape, &reading) else { return nil }
    if fields.entries.count != 1 {
      reading.error("one-key", "`write` takes one of `message` and `file`", at: fields.place)
      return nil
    }
    guard let bytes = fields.read(message, &reading) ?? fields.read(file, &reading) else {
      return nil
    }
    if let fault = WholeMessage.fault(in: bytes) {
      reading.error("ndef", "this is no NDEF message: \(fault)", at: fields.entries[0].value.place)
      return nil
    }
    return .bytes(bytes)
  }
}
