/// A text with `${…}` places to fill, parsed once and filled for every tag.
///
/// A place is a path and filters: `${row.code | default none | urlencode}`, `${row["Card No"]}`.
/// `$${` stands for the letters `${`. Filling is one pass: what a value brings in is never read as
/// a template.
package struct Template: Sendable, Equatable {
  /// What becomes of a place whose value is empty.
  package enum EmptyValues: Sendable {
    case allowed
    /// An error, unless the place has a `default` filter.
    case refused
  }

  /// How many places a text may have, and how many filters one of them.
  static let mostPlaces = 100
  static let mostFilters = 16
  /// The longest text, in bytes, that filling may make: more than fits any tag, and as much as a value of
  /// data may have.
  static let longest = 1 << 20

  /// The template as written.
  package let text: String
  private let segments: [TemplateSegment]

  /// Parses `text`.
  package init(_ text: String) throws(TemplateError) {
    self.text = text
    segments = try TemplateParser.segments(of: text)
  }

  /// The paths it refers to, such as `["row", "code"]`, in order, repeated ones included.
  package var references: [[String]] {
    segments.compactMap {
      if case .place(let place) = $0 { place.path } else { nil }
    }
  }

  /// Whether there is nothing to fill: it renders the same for every tag.
  package var isLiteral: Bool {
    segments.allSatisfy {
      if case .literal = $0 { true } else { false }
    }
  }

  /// Where in `text` each of `references` is written, in UTF-8 bytes from its start, in the same
  /// order.
  package var referenceOffsets: [Int] {
    segments.compactMap {
      if case .place(let place) = $0 { place.offset } else { nil }
    }
  }

  /// The text with every place filled from `values`.
  package func render(
    _ values: any TemplateValues, emptyValues: EmptyValues = .allowed
  ) throws(TemplateError) -> String {
    var filled = ""
    for segment in segments {
      switch segment {
      case .literal(let text): filled += text
      case .place(let place):
        filled += try place.render(values, emptyValues: emptyValues)
        if filled.utf8.count > Self.longest { throw TemplatePlace.tooLong(at: place.offset) }
      }
    }
    return filled
  }

  /// How a template names `path`, for example `row.code` or `row["Card No"]`.
  package static func name(of path: [String]) -> String {
    var name = path.first ?? ""
    for part in path.dropFirst() {
      if !part.isEmpty, part.utf8.allSatisfy(TemplateParser.isNameByte) {
        name += "." + part
      } else {
        let escaped = part.unicodeScalars.reduce(into: "") { text, scalar in
          if scalar == "\"" || scalar == "\\" { text += "\\" }
          text.unicodeScalars.append(scalar)
        }
        name += "[\"\(escaped)\"]"
      }
    }
    return name
  }
}

/// A stretch of a parsed template.
enum TemplateSegment: Sendable, Equatable {
  case literal(String)
  case place(TemplatePlace)
}
