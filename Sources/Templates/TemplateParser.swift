/// Reads a template's text once, from left to right.
struct TemplateParser {
  private let bytes: [UInt8]
  private var at = 0

  static func segments(of text: String) throws(TemplateError) -> [TemplateSegment] {
    var parser = TemplateParser(bytes: Array(text.utf8))
    return try parser.segments()
  }

  /// Whether `byte` may be in a name that is not written in brackets: ASCII letters and digits,
  /// `_`, `-`, and all beyond ASCII.
  static func isNameByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "_"), UInt8(ascii: "-"), 0x80...:
      true
    default: false
    }
  }

  private init(bytes: [UInt8]) { self.bytes = bytes }

  private mutating func segments() throws(TemplateError) -> [TemplateSegment] {
    var segments: [TemplateSegment] = []
    var places = 0
    var literal: [UInt8] = []
    while at < bytes.count {
      if follows("$${") {
        literal += Array("${".utf8)
        at += 3
      } else if follows("${") {
        if !literal.isEmpty { segments.append(.literal(String(decoding: literal, as: UTF8.self))) }
        literal = []
        places += 1
        if places > Template.mostPlaces {
          throw TemplateError(
            "a text has at most \(Template.mostPlaces) places to fill", offset: at)
        }
        segments.append(.place(try place()))
      } else {
        literal.append(bytes[at])
        at += 1
      }
    }
    if !literal.isEmpty { segments.append(.literal(String(decoding: literal, as: UTF8.self))) }
    return segments
  }

  /// Reads from `${` to its `}`.
  private mutating func place() throws(TemplateError) -> TemplatePlace {
    let start = at
    at += 2
    skipSpaces()
    let offset = at
    let path = try path(openedAt: start)
    var filters: [(filter: Filter, offset: Int)] = []
    while true {
      skipSpaces()
      guard at < bytes.count else { throw Self.unclosed(start) }
      if bytes[at] == UInt8(ascii: "}") { break }
      guard bytes[at] == UInt8(ascii: "|") else { throw unexpected("`|` or `}`", spaced(path)) }
      at += 1
      skipSpaces()
      let filterOffset = at
      if filters.count == Template.mostFilters {
        throw TemplateError(
          "a place has at most \(Template.mostFilters) filters", offset: filterOffset)
      }
      let name = try name(expecting: "the name of a filter", openedAt: start)
      let arguments = try arguments(openedAt: start)
      let filter = try Filter(name: name, arguments: arguments, offset: filterOffset)
      filters.append((filter, filterOffset))
    }
    at += 1
    return TemplatePlace(path: path, offset: offset, filters: filters)
  }

  private mutating func path(openedAt start: Int) throws(TemplateError) -> [String] {
    var offsets = [at]
    var path = [try name(expecting: "a path, such as `row.code`", openedAt: start)]
    while at < bytes.count {
      if bytes[at] == UInt8(ascii: ".") {
        at += 1
        offsets.append(at)
        path.append(try name(expecting: "a name", openedAt: start))
      } else if bytes[at] == UInt8(ascii: "[") {
        at += 1
        offsets.append(at)
        guard at < bytes.count else { throw Self.unclosed(start) }
        guard bytes[at] == UInt8(ascii: "\"") else { throw unexpected("a name in double quotes") }
        path.append(try quoted())
        guard at < bytes.count else { throw Self.unclosed(start) }
        guard bytes[at] == UInt8(ascii: "]") else { throw unexpected("`]`") }
        at += 1
      } else {
        break
      }
    }
    try TemplateRoot.check(path, at: offsets)
    return path
  }

  private mutating func name(
    expecting what: String, openedAt start: Int
  ) throws(TemplateError) -> String {
    let first = at
    while at < bytes.count, Self.isNameByte(bytes[at]) { at += 1 }
    if at == first {
      if at == bytes.count { throw Self.unclosed(start) }
      throw unexpected(what)
    }
    return String(decoding: bytes[first..<at], as: UTF8.self)
  }

  private mutating func arguments(openedAt start: Int) throws(TemplateError) -> [FilterArgument] {
    var arguments: [FilterArgument] = []
    while true {
      skipSpaces()
      guard at < bytes.count else { throw Self.unclosed(start) }
      let offset = at
      switch bytes[at] {
      case UInt8(ascii: "|"), UInt8(ascii: "}"): return arguments
      case UInt8(ascii: "\""):
        arguments.append(FilterArgument(text: try quoted(), isQuoted: true, offset: offset))
      case UInt8(ascii: "'"):
        throw TemplateError(
          "an argument is a number, a word or a text in double quotes", offset: offset,
          help: "use double quotes")
      default:
        while at < bytes.count, !endsWord(bytes[at]) { at += 1 }
        let word = String(decoding: bytes[offset..<at], as: UTF8.self)
        arguments.append(FilterArgument(text: word, isQuoted: false, offset: offset))
      }
    }
  }

  /// Reads a text in double quotes, in which `\"` and `\\` stand for the second letter.
  private mutating func quoted() throws(TemplateError) -> String {
    let start = at
    var text: [UInt8] = []
    at += 1
    while at < bytes.count, bytes[at] != UInt8(ascii: "\"") {
      if bytes[at] == UInt8(ascii: "\\"), at + 1 < bytes.count,
        bytes[at + 1] == UInt8(ascii: "\"") || bytes[at + 1] == UInt8(ascii: "\\")
      {
        at += 1
      }
      text.append(bytes[at])
      at += 1
    }
    guard at < bytes.count else {
      throw TemplateError("the quoted text is not closed", offset: start)
    }
    at += 1
    return String(decoding: text, as: UTF8.self)
  }

  private mutating func skipSpaces() {
    while at < bytes.count, Self.isSpace(bytes[at]) { at += 1 }
  }

  private static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D
  }

  private func endsWord(_ byte: UInt8) -> Bool {
    Self.isSpace(byte) || [UInt8(ascii: "|"), UInt8(ascii: "}"), UInt8(ascii: "\"")].contains(byte)
  }

  private func follows(_ letters: String) -> Bool { bytes[at...].starts(with: letters.utf8) }

  private static func unclosed(_ start: Int) -> TemplateError {
    TemplateError(
      "`${` is not closed", offset: start, help: "add `}`, or write `$${` for the letters `${`")
  }

  /// What to write for `row.Card No`.
  private func spaced(_ path: [String]) -> String? {
    guard path.count == 2, ["row", "env"].contains(path[0]), Self.isNameByte(bytes[at]) else {
      return nil
    }
    let rest = bytes[at...].prefix { $0 != UInt8(ascii: "|") && $0 != UInt8(ascii: "}") }
    let words = String(decoding: rest, as: UTF8.self).split(separator: " ")
    let name = ([path[1]] + words.map(String.init)).joined(separator: " ")
    return "a name with spaces stands in brackets: `\(Template.name(of: [path[0], name]))`"
  }

  private func unexpected(_ wanted: String, _ help: String? = nil) -> TemplateError {
    let found = String(decoding: bytes[at...].prefix(4), as: UTF8.self).unicodeScalars.first
    let shown = found.map { "`\($0.escaped(asASCII: true))`" } ?? "the end"
    return TemplateError("\(wanted) is expected here, not \(shown)", offset: at, help: help)
  }
}
