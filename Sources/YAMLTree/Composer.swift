internal import Diagnostics

/// Makes the tree of one file out of libyaml's events.
struct Composer: ~Copyable {
  private var parser: EventParser
  private let source: SourceText
  private let bytes: [UInt8]
  private let file: String
  private var nodes = 0
  private(set) var findings = Findings()

  /// Why composing ends before the end of the file; the finding is kept already.
  private struct Stop: Error {}

  init(parser: consuming EventParser, bytes: [UInt8], file: String) {
    self.parser = parser
    self.source = SourceText(bytes)
    self.bytes = bytes
    self.file = file
  }

  /// The first document's root; `nil` after a syntax error, a broken limit, or with no document at
  /// all.
  mutating func compose() -> YAMLNode? {
    do throws(Stop) {
      try checkDirectives()
      var root: YAMLNode?
      while true {
        let next = try step()
        switch next.event {
        case .streamStart, .documentEnd: continue
        case .streamEnd:
          if root == nil {
            findings.error(
              "empty", "the file has nothing in it", at: Place(file: file),
              help: "`tagstation init` writes a job and a station to begin with")
          }
          return root
        case .documentStart:
          if root != nil {
            findings.error(
              "several-documents", "a second document begins here, and only one is read",
              at: place(next.start, next.end), help: "put it into a file of its own")
            return root
          }
          root = try node(try step(), depth: 1)
        default: return root
        }
      }
    } catch {
      return nil
    }
  }

  /// libyaml compares each of a document's `%TAG` lines with all before it.
  private mutating func checkDirectives() throws(Stop) {
    var count = 0
    for number in 1...source.lineCount where source.line(number)?.starts(with: Self.tag) == true {
      count += 1
      if count > YAMLTree.mostDirectives {
        try stop(
          "too-many-directives", "the file has more than \(YAMLTree.mostDirectives) `%TAG` lines",
          at: Place(file: file, line: number, column: 1, length: 4))
      }
    }
  }

  private static let tag = Array("%TAG".unicodeScalars)

  private mutating func step() throws(Stop) -> (event: YAMLEvent, start: Int, end: Int) {
    do throws(YAMLSyntaxError) {
      return try parser.next()
    } catch {
      tell(error)
      throw Stop()
    }
  }

  private mutating func node(
    _ next: (event: YAMLEvent, start: Int, end: Int), depth: Int
  ) throws(Stop) -> YAMLNode {
    let place = place(next.start, next.end)
    nodes += 1
    if findings.all.count >= 200 {
      try stop("too-many", "further faults are not told", at: Place(file: file))
    }
    if nodes > YAMLTree.mostNodes {
      try stop("too-many-nodes", "the file has more than 100,000 values", at: place)
    }
    if depth > YAMLTree.deepest {
      try stop("too-deep", "values are nested more than 64 deep", at: place)
    }
    switch next.event {
    case .scalar(let text, let style, let properties):
      return scalar(text, style: style, properties, at: place)
    case .sequenceStart(let properties):
      return try sequence(properties, at: place, depth: depth)
    case .mappingStart(let properties, let isFlow):
      return try mapping(properties, at: place, isFlow: isFlow, depth: depth)
    case .alias(let name):
      findings.error(
        "alias", "aliases are not supported: `*\(name)`", at: place,
        help: "write the value out here")
      return YAMLNode(.refused, at: place)
    case .streamStart, .streamEnd, .documentStart, .documentEnd, .sequenceEnd, .mappingEnd:
      return YAMLNode(.scalar(YAMLScalar("")), at: place)
    }
  }

  private mutating func sequence(
    _ properties: YAMLEvent.Properties, at place: Place, depth: Int
  ) throws(Stop) -> YAMLNode {
    let isPlain = check(properties, allowed: "seq", at: place)
    var items: [YAMLNode] = []
    while true {
      let next = try step()
      if case .sequenceEnd = next.event { break }
      items.append(try node(next, depth: depth + 1))
    }
    return YAMLNode(isPlain ? .sequence(items) : .refused, at: place)
  }

  private mutating func mapping(
    _ properties: YAMLEvent.Properties, at place: Place, isFlow: Bool, depth: Int
  ) throws(Stop) -> YAMLNode {
    var isPlain = check(properties, allowed: "map", at: place)
    var entries: [YAMLEntry] = []
    var seen: [String: Place] = [:]
    var first: Place?
    while true {
      let next = try step()
      if case .mappingEnd = next.event { break }
      let key = try node(next, depth: depth + 1)
      let value = try node(try step(), depth: depth + 1)
      if first == nil { first = key.place }
      if case .refused = key.content { continue }
      guard let scalar = key.scalar else {
        findings.error(
          "not-a-key", "a key must be a word, not \(key.kindName)", at: key.place,
          help: Self.bracesHelp(key, isAlone: value.isNull))
        // What was meant is a text, and not told to be no map as well.
        isPlain = isPlain && !value.isNull
        continue
      }
      if scalar.text == "<<" && scalar.style == .plain {
        findings.error(
          "merge-key", "merge keys are not supported: `<<`", at: key.place,
          help: "write the keys out here")
      } else if let before = seen[scalar.text] {
        findings.error(
          "duplicate-key", "the key `\(scalar.text)` is given twice", at: key.place,
          help: "keep one of the two, or put both values under one",
          secondary: Diagnostic.Secondary(before, "first given here"))
      } else {
        seen[scalar.text] = key.place
        entries.append(YAMLEntry(key: scalar.text, keyPlace: key.place, value: value))
      }
    }
    let whole = isFlow ? place : first ?? place
    return YAMLNode(isPlain ? .mapping(entries) : .refused, at: whole)
  }

  /// What mends a map or list in the place of a key, where the line was meant as a text.
  private static func bracesHelp(_ key: YAMLNode, isAlone: Bool) -> String? {
    guard isAlone else { return "write the key without brackets and braces" }
    guard case .mapping(let entries) = key.content, entries.count == 1 else {
      return "a text with braces or brackets needs quotes"
    }
    return "a value is filled in with `\"${\(entries[0].key)}\"`, in quotes"
  }

  private mutating func scalar(
    _ bytes: [UInt8], style: YAMLScalar.Style, _ properties: YAMLEvent.Properties, at place: Place
  ) -> YAMLNode {
    var tag: String?
    if properties.tag == "!" { tag = "str" }
    for name in ["str", "null", "bool", "int", "float"] where properties.tag == Self.core + name {
      tag = name
    }
    let isPlain = check(properties, allowed: tag ?? "str", at: place)
    let text = String(decoding: bytes, as: UTF8.self)
    if bytes.contains(0) {
      findings.error(
        "nul", "a text must not hold U+0000", at: place, help: "take the `\\0` or `\\x00` out")
      return YAMLNode(.refused, at: place)
    }
    let scalar = YAMLScalar(text, style: style, tag: tag)
    guard isPlain, fits(scalar, tag, at: place) else { return YAMLNode(.refused, at: place) }
    return YAMLNode(.scalar(scalar), at: place)
  }

  private static let core = "tag:yaml.org,2002:"

  /// Whether the text is of the kind that its tag says.
  private mutating func fits(_ scalar: YAMLScalar, _ tag: String?, at place: Place) -> Bool {
    let fits =
      switch (tag, scalar.value) {
      case ("null", .null), ("bool", .boolean), ("int", .integer), ("float", .float),
        ("float", .integer):
        true
      case ("null", _), ("bool", _), ("int", _), ("float", _): false
      default: true
      }
    if !fits {
      findings.error("tag", "`\(scalar.text)` is not of the kind that its tag says", at: place)
    }
    return fits
  }

  /// Tells an anchor or a tag that is not supported; `false` where the node is not to be used.
  private mutating func check(
    _ properties: YAMLEvent.Properties, allowed: String, at place: Place
  ) -> Bool {
    if let anchor = properties.anchor {
      findings.error(
        "anchor", "anchors are not supported: `&\(anchor)`", at: place,
        help: "write the value out wherever it is needed")
    }
    guard let tag = properties.tag, tag != "!", tag != Self.core + allowed else { return true }
    findings.error(
      "tag", "the tag `\(tag)` is not supported here", at: place, help: "leave it out")
    return false
  }

  private mutating func stop(_ code: String, _ message: String, at place: Place) throws(Stop) {
    findings.error(code, message, at: place)
    throw Stop()
  }

  private func place(_ start: Int, _ end: Int) -> Place {
    let position = source.position(of: start)
    return Place(
      file: file, line: position.line, column: position.column,
      length: source.length(from: start, to: end))
  }

  private mutating func tell(_ error: YAMLSyntaxError) {
    let at: Place =
      switch error.position {
      case .scalar(let index): place(index, index + 1)
      case .byte(let offset): place(ofByte: offset)
      case .unknown: Place(file: file)
      }
    var second: Diagnostic.Secondary?
    if let context = error.context {
      let begin = place(context.scalar, context.scalar + 1)
      if context.message == "while scanning a quoted scalar", error.message.hasSuffix("stream") {
        findings.error(
          "syntax", "the quote that begins here is never closed", at: begin,
          help: "write the same quote where the text ends")
        return
      }
      if begin != at { second = Diagnostic.Secondary(begin, SyntaxWords.context(context.message)) }
    }
    if case .scalar(let index) = error.position, source.scalar(at: index) == "\t" {
      findings.error(
        "syntax", "a tab cannot indent", at: at, help: "indent with spaces", secondary: second)
      return
    }
    findings.error(
      "syntax", SyntaxWords.message(error.message), at: at,
      help: isInTemplate(at)
        ? SyntaxWords.templateHelp : SyntaxWords.remedy(error.message), secondary: second)
  }

  /// Whether `place` lies behind a `${` that is not closed before it, on the same line.
  private func isInTemplate(_ place: Place) -> Bool {
    guard let line = source.line(place.line) else { return false }
    let before = String(String.UnicodeScalarView(line.prefix(place.column)))
    guard let last = before.split(separator: "$", omittingEmptySubsequences: false).last else {
      return false
    }
    return before.contains("$") && last.hasPrefix("{") && !last.contains("}")
  }

  /// The place of a byte that is no text.
  private func place(ofByte offset: Int) -> Place {
    let before = SourceText(Array(bytes.prefix(offset)))
    let position = before.position(of: before.count)
    return Place(file: file, line: position.line, column: position.column)
  }
}
