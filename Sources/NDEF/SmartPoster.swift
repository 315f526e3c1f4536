/// The content of a smart poster record (Smart Poster RTD 1.1): a URI and what goes with it.
///
/// Reading asks for a message of sound records with exactly one URI record. What an inner record
/// says beside that is left out where it has no meaning: an action above 2, a size that is not 4 bytes,
/// a type or a title that is not text.
package struct SmartPoster: Sendable, Hashable {
  /// What a reader should do with the URI (section 3.3.3).
  package enum Action: UInt8, Sendable, CaseIterable {
    case `do` = 0
    case save = 1
    case edit = 2

    /// The action's name in job files and reports.
    package var name: String {
      switch self {
      case .do: "do"
      case .save: "save"
      case .edit: "edit"
      }
    }
  }

  /// A picture to show beside the URI.
  package struct Icon: Sendable, Hashable {
    /// `image/…` or `video/…` as a rule; not checked.
    package var mediaType: String
    /// The picture.
    package var bytes: [UInt8]

    /// An icon of a media type.
    package init(mediaType: String, bytes: [UInt8]) {
      self.mediaType = mediaType
      self.bytes = bytes
    }
  }

  /// Where the poster leads.
  package var uri: String
  /// The titles in the order of the message; each language once where the poster is to be written.
  package var titles: [NDEFText]
  /// `nil` leaves it to the reader.
  package var action: Action?
  /// The size in bytes of what the URI leads to.
  package var size: UInt32?
  /// The media type of what the URI leads to.
  package var type: String?
  /// The pictures; one is usual.
  package var icons: [Icon]

  /// A poster for `uri`.
  package init(
    uri: String, titles: [NDEFText] = [], action: Action? = nil, size: UInt32? = nil,
    type: String? = nil, icons: [Icon] = []
  ) {
    self.uri = uri
    self.titles = titles
    self.action = action
    self.size = size
    self.type = type
    self.icons = icons
  }

  /// The payload: a message of URI, titles, action, icons, size and type.
  var payload: [UInt8] {
    get throws(NDEFError) {
      var records = [try NDEFRecord.uri(uri)]
      var languages: Set<String> = []
      for title in titles {
        guard languages.insert(title.language.lowercased()).inserted else {
          throw .titleTwice(language: title.language)
        }
        records.append(try .text(title.text, language: title.language, encoding: title.encoding))
      }
      if let action { records.append(try Inner.action.record([action.rawValue])) }
      for icon in icons { records.append(try .mime(icon.mediaType, icon.bytes)) }
      if let size {
        let bytes = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: size >> $0) }
        records.append(try Inner.size.record(bytes))
      }
      if let type { records.append(try Inner.type.record(Array(type.utf8))) }
      return NDEFMessage(records).bytes
    }
  }

  /// The poster that `payload` carries, or in words why it carries none.
  static func decode(_ payload: [UInt8]) -> Result<SmartPoster, NDEFContent.Fault> {
    let message: NDEFMessage
    do throws(NDEFError) {
      message = try NDEFMessage(parsing: payload)
    } catch {
      return .failure("in the smart poster, \(error)")
    }
    var uris: [String] = []
    var poster = SmartPoster(uri: "")
    // A poster in a poster has no meaning, and one in that neither, and so on as deep as the tag is large.
    for record in message.records where !record.isWellKnown("Sp") {
      switch record.content {
      case .uri(let uri): uris.append(uri)
      case .text(let title): poster.titles.append(title)
      case .mime(let type, let bytes): poster.icons.append(Icon(mediaType: type, bytes: bytes))
      case .malformed(let fault) where record.isWellKnown("U"): return .failure(fault)
      default: poster.take(record)
      }
    }
    guard let uri = uris.first, uris.count == 1 else {
      return .failure("the smart poster has \(uris.count) URI records where one is needed")
    }
    poster.uri = uri
    return .success(poster)
  }

  private mutating func take(_ record: NDEFRecord) {
    if record.isWellKnown(Inner.action.rawValue) {
      action = Self.action(record.payload) ?? action
    } else if record.isWellKnown(Inner.size.rawValue) {
      size = Self.size(record.payload) ?? size
    } else if record.isWellKnown(Inner.type.rawValue) {
      type = Self.type(record.payload) ?? type
    }
  }

  /// The action in an action record; `nil` where the value is reserved.
  static func action(_ payload: [UInt8]) -> Action? {
    guard payload.count == 1 else { return nil }
    return Action(rawValue: payload[0])
  }

  /// The size in a size record: 4 bytes, the highest first.
  static func size(_ payload: [UInt8]) -> UInt32? {
    guard payload.count == 4 else { return nil }
    return payload.reduce(0) { $0 << 8 | UInt32($1) }
  }

  /// The media type in a type record.
  static func type(_ payload: [UInt8]) -> String? { String(validating: payload, as: UTF8.self) }

  /// The record types that have a meaning in a poster only (section 3.3).
  private enum Inner: String {
    case action = "act"
    case size = "s"
    case type = "t"

    func record(_ payload: [UInt8]) throws(NDEFError) -> NDEFRecord {
      try NDEFRecord(typeNameFormat: .wellKnown, type: Array(rawValue.utf8), payload: payload)
    }
  }
}
