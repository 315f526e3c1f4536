package import Bytes

extension NDEFRecord {
  /// The record as events and reports show it, with the names that job files use.
  ///
  /// Bytes are upper-case hexadecimal; those of `mime` and `external` stand as `text` too where they
  /// are UTF-8. `record` shows what has no name of its own, and what is malformed, with the reason.
  package var json: JSON {
    var members = contentMembers
    if !id.isEmpty {
      let text = String(validating: id, as: UTF8.self)
      members.append(text.map { ("id", .string($0)) } ?? ("idBytes", .string(id.hex)))
    }
    return .object(members)
  }

  private var contentMembers: [(key: String, value: JSON)] {
    switch content {
    case .uri(let uri): [("uri", .string(uri))]
    case .text(let text): text.members(named: "text")
    case .smartPoster(let poster): [("smartPoster", poster.json)]
    case .mime(let type, let bytes): [("mime", .string(type))] + Self.members(of: bytes)
    case .external(let type, let bytes): [("external", .string(type))] + Self.members(of: bytes)
    case .application(let name): [("application", .string(name))]
    case .absoluteURI(let uri, _): [("absoluteURI", .string(uri)), fields]
    case .empty, .unknown, .other: [fields]
    case .malformed(let fault): [fields, ("malformed", .string(fault.reason))]
    }
  }

  private var fields: (key: String, value: JSON) {
    (
      "record",
      .object([
        ("tnf", .integer(Int64(typeNameFormat.rawValue))), ("type", .string(type.hex)),
        ("payload", .string(payload.hex)),
      ])
    )
  }

  private static func members(of bytes: [UInt8]) -> [(key: String, value: JSON)] {
    guard let text = String(validating: bytes, as: UTF8.self) else {
      return [("bytes", .string(bytes.hex))]
    }
    return [("bytes", .string(bytes.hex)), ("text", .string(text))]
  }
}

extension NDEFText {
  func members(named name: String) -> [(key: String, value: JSON)] {
    [
      (name, .string(text)), ("language", .string(language)),
      ("encoding", .string(encoding.rawValue)),
    ]
  }
}

extension SmartPoster {
  /// The poster with the names that job files use; of two titles in one language, the first.
  var json: JSON {
    var members: [(key: String, value: JSON)] = [("uri", .string(uri))]
    var shown: [(key: String, value: JSON)] = []
    for title in titles where !shown.contains(where: { $0.key == title.language }) {
      shown.append((title.language, .string(title.text)))
    }
    if !shown.isEmpty { members.append(("titles", .object(shown))) }
    if let action { members.append(("action", .string(action.name))) }
    if let type { members.append(("type", .string(type))) }
    if let size { members.append(("size", .integer(Int64(size)))) }
    if let icon = icons.first {
      members.append(
        ("icon", .object([("mime", .string(icon.mediaType)), ("bytes", .string(icon.bytes.hex))])))
    }
    return .object(members)
  }
}
