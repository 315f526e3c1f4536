internal import Bytes

/// One `${…}` of a template: a path and what its value passes through.
struct TemplatePlace: Sendable, Equatable {
  var path: [String]
  /// Where the path begins, in UTF-8 bytes from the template's start.
  var offset: Int
  var filters: [(filter: Filter, offset: Int)]

  static func == (left: Self, right: Self) -> Bool {
    left.path == right.path && left.offset == right.offset
      && left.filters.elementsEqual(right.filters) {
        $0.filter == $1.filter && $0.offset == $1.offset
      }
  }

  static func tooLong(at offset: Int) -> TemplateError {
    TemplateError("the text would be longer than \(Template.longest >> 20) MiB", offset: offset)
  }

  func render(
    _ values: any TemplateValues, emptyValues: Template.EmptyValues
  ) throws(TemplateError) -> String {
    var value = values.value(at: path)
    if value == .unknown {
      throw TemplateError("`\(Template.name(of: path))` is not known here", offset: offset)
    }
    var hasDefault = false
    for (filter, offset) in filters {
      if case .default = filter { hasDefault = true }
      value = try filter.apply(to: value, of: path, at: offset)
      // Filters that double a text may stand one behind the other.
      if value.size > Template.longest { throw Self.tooLong(at: offset) }
    }
    let text: String
    switch value {
    case .text(let plain): text = plain
    case .bytes(let bytes): text = bytes.hex
    case .moment(let seconds):
      guard let printed = Moment.rfc3339(seconds) else { throw Moment.outOfRange(at: offset) }
      text = printed
    case .missing, .unknown:
      throw TemplateError(
        "`\(Template.name(of: path))` has no value", offset: offset,
        help: path.first == "env"
          ? "set the variable, or add `| default …` where it may be missing"
          : "fill it in, or add `| default …` where it may be missing")
    }
    if text.isEmpty, emptyValues == .refused, !hasDefault {
      throw TemplateError(
        "`\(Template.name(of: path))` is empty", offset: offset,
        help: "fill it in, or add `| default \"\"` where it may be empty")
    }
    return text
  }
}

extension TemplateValue {
  /// How many bytes it has.
  fileprivate var size: Int {
    switch self {
    case .text(let text): text.utf8.count
    case .bytes(let bytes): bytes.count
    case .moment, .missing, .unknown: 0
    }
  }
}
