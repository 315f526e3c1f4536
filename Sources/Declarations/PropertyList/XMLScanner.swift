internal import Diagnostics

/// The tags and texts of an XML file, as far as property lists use XML (XML 1.0, fifth edition).
struct XMLScanner {
  /// A start or end tag.
  struct Tag {
    var name: String
    var isEnd: Bool
    /// Whether it closes itself: `<array/>`.
    var isEmpty: Bool
    /// Its first code point and the one behind its last.
    var start: Int
    var end: Int
  }

  private let text: SourceText
  private let file: String
  private var index = 0

  init(_ text: SourceText, file: String) {
    self.text = text
    self.file = file
  }

  /// The place of what lies from `start` to before `end`.
  func place(from start: Int, to end: Int) -> Place {
    let position = text.position(of: start)
    return Place(
      file: file, line: position.line, column: position.column,
      length: text.length(from: start, to: end))
  }

  /// A fault that begins at `start`, by default where the scanner stands, and ends there.
  func fault(
    _ message: String, from start: Int? = nil, code: String = "syntax", help: String? = nil
  ) -> PropertyListFault {
    let start = min(start ?? index, text.count)
    return PropertyListFault(
      code: code, message: message, place: place(from: start, to: max(index, start + 1)),
      help: help)
  }

  private var current: Unicode.Scalar? { text.scalar(at: index) }

  private func isAt(_ word: String) -> Bool {
    var at = index
    for scalar in word.unicodeScalars {
      if text.scalar(at: at) != scalar { return false }
      at += 1
    }
    return true
  }

  private mutating func skipSpaces() {
    while let scalar = current, Self.isSpace(scalar) { index += 1 }
  }

  private static func isSpace(_ scalar: Unicode.Scalar) -> Bool {
    scalar == " " || scalar == "\t" || scalar == "\n" || scalar == "\r"
  }

  /// Moves behind the next `mark`; a fault named by what began at `start` where there is none.
  private mutating func skip(
    to mark: String, _ what: String, from start: Int
  ) throws(PropertyListFault) {
    while !isAt(mark) {
      guard current != nil else { throw fault("\(what) that begins here never ends", from: start) }
      index += 1
    }
    index += mark.unicodeScalars.count
  }

  // MARK: Between tags

  /// Passes the XML declaration and the document type.
  mutating func skipProlog() throws(PropertyListFault) {
    try skipBetween()
    guard isAt("<!DOCTYPE") else { return }
    let start = index
    var quote: Unicode.Scalar?
    while true {
      guard let scalar = current else {
        throw fault("the document type that begins here never ends", from: start)
      }
      index += 1
      if let open = quote {
        if scalar == open { quote = nil }
      } else if scalar == "\"" || scalar == "'" {
        quote = scalar
      } else if scalar == "[" {
        throw fault(
          "a document type with declarations of its own is not read", from: start,
          help: "write the values out and use Apple's document type")
      } else if scalar == ">" {
        break
      }
    }
    try skipBetween()
  }

  /// Passes spaces, comments and processing instructions.
  private mutating func skipBetween() throws(PropertyListFault) {
    while true {
      skipSpaces()
      let start = index
      if isAt("<!--") {
        index += 4
        try skip(to: "-->", "the comment", from: start)
      } else if isAt("<?") {
        index += 2
        try skip(to: "?>", "the instruction", from: start)
      } else {
        return
      }
    }
  }

  /// The next tag, where nothing but tags may stand.
  mutating func nextTag() throws(PropertyListFault) -> Tag {
    try skipBetween()
    return try tag()
  }

  /// Makes sure that nothing follows.
  mutating func expectEnd() throws(PropertyListFault) {
    try skipBetween()
    if current != nil { throw fault("nothing may follow `</plist>`") }
  }

  // MARK: Tags and texts

  /// The tag that begins here; its attributes are passed over.
  mutating func tag() throws(PropertyListFault) -> Tag {
    let start = index
    guard let first = current else { throw fault("the file ends too early") }
    guard first == "<" else { throw fault("a tag must stand here") }
    index += 1
    let isEnd = current == "/"
    if isEnd { index += 1 }
    var name = String.UnicodeScalarView()
    while let scalar = current, scalar.properties.isAlphabetic, name.count < 64 {
      name.append(scalar)
      index += 1
    }
    if name.isEmpty { throw fault("this is no tag", from: start) }
    var quote: Unicode.Scalar?
    var isEmpty = false
    while true {
      guard let scalar = current, quote != nil || scalar != "<" else {
        throw fault("the tag that begins here never ends", from: start)
      }
      index += 1
      if let open = quote {
        if scalar == open { quote = nil }
      } else if scalar == "\"" || scalar == "'" {
        quote = scalar
      } else if scalar == ">" {
        break
      } else {
        isEmpty = scalar == "/"
      }
    }
    return Tag(name: String(name), isEnd: isEnd, isEmpty: isEmpty, start: start, end: index)
  }

  /// Makes sure that `end` closes `tag`.
  func expect(_ end: Tag, closes tag: Tag) throws(PropertyListFault) {
    if end.isEnd, end.name == tag.name { return }
    throw PropertyListFault(
      message: "`</\(tag.name)>` must stand here, not `<\(end.isEnd ? "/" : "")\(end.name)>`",
      place: place(from: end.start, to: end.end))
  }

  /// The text inside `tag`, up to the tag that closes it, with the place of what is seen of it.
  mutating func content(of tag: Tag) throws(PropertyListFault) -> (text: String, place: Place) {
    let whole = place(from: tag.start, to: tag.end)
    if tag.isEmpty { return ("", whole) }
    let start = index
    var content = String.UnicodeScalarView()
    while true {
      guard let scalar = current else {
        throw PropertyListFault(message: "`<\(tag.name)>` is never closed", place: whole)
      }
      if scalar == "<" {
        if isAt("<!--") {
          let comment = index
          index += 4
          try skip(to: "-->", "the comment", from: comment)
        } else if isAt("<![CDATA[") {
          try takeRaw(into: &content)
        } else {
          break
        }
      } else if scalar == "&" {
        content.append(try reference())
      } else {
        content.append(try character(scalar))
      }
    }
    let end = index
    try expect(try self.tag(), closes: tag)
    if end == start { return ("", whole) }
    return (String(content), visiblePlace(from: start, to: end))
  }

  /// The place of a text, from where it is seen where a line break begins it.
  private func visiblePlace(from start: Int, to end: Int) -> Place {
    var first = start
    while first < end, let scalar = text.scalar(at: first), Self.isSpace(scalar) { first += 1 }
    let isBroken = (start..<first).contains { index in
      text.scalar(at: index) == "\n" || text.scalar(at: index) == "\r"
    }
    return place(from: isBroken && first < end ? first : start, to: end)
  }

  /// One character that stands for itself; line ends become line feeds (XML 1.0 section 2.11).
  private mutating func character(
    _ scalar: Unicode.Scalar
  ) throws(PropertyListFault) -> Unicode.Scalar {
    guard Self.isAllowed(scalar.value) else {
      throw fault("control characters are not allowed")
    }
    index += 1
    guard scalar == "\r" else { return scalar }
    if current == "\n" { index += 1 }
    return "\n"
  }

  private mutating func takeRaw(
    into content: inout String.UnicodeScalarView
  ) throws(PropertyListFault) {
    let start = index
    index += 9
    while !isAt("]]>") {
      guard let scalar = current else {
        throw fault("the CDATA section that begins here never ends", from: start)
      }
      content.append(try character(scalar))
    }
    index += 3
  }

  /// The character that `&amp;` or `&#38;` stands for.
  private mutating func reference() throws(PropertyListFault) -> Unicode.Scalar {
    let start = index
    index += 1
    var name = String.UnicodeScalarView()
    while let scalar = current, scalar != ";" {
      guard name.count < 16,
        scalar == "#" || scalar.properties.isAlphabetic
          || scalar.properties.isASCIIHexDigit
      else { break }
      name.append(scalar)
      index += 1
    }
    guard current == ";" else {
      throw fault("a `&` by itself is written `&amp;`", from: start)
    }
    index += 1
    let word = String(name)
    switch word {
    case "amp": return "&"
    case "lt": return "<"
    case "gt": return ">"
    case "quot": return "\""
    case "apos": return "'"
    default: break
    }
    let digits = word.dropFirst(word.hasPrefix("#x") ? 2 : 1)
    guard word.hasPrefix("#"), digits.first?.isHexDigit == true,
      let value = UInt32(digits, radix: word.hasPrefix("#x") ? 16 : 10), Self.isAllowed(value),
      let scalar = Unicode.Scalar(value)
    else { throw fault("`&\(word);` stands for no character", from: start) }
    return scalar
  }

  /// Whether XML 1.0 section 2.2 allows the character.
  private static func isAllowed(_ value: UInt32) -> Bool {
    switch value {
    case 0x9, 0xA, 0xD, 0x20...0xD7FF, 0xE000...0xFFFD, 0x10000...0x10FFFF: true
    default: false
    }
  }
}
