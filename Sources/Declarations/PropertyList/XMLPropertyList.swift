internal import Diagnostics

/// Reads property lists in XML, as Apple's PropertyList-1.0.dtd has them.
///
/// Nothing is fetched and nothing expanded: beside the five entities of XML and characters by
/// number there are none, as a document type with declarations of its own is refused.
struct XMLPropertyList {
  private var scanner: XMLScanner
  private var values = 0

  init(_ text: SourceText, file: String) {
    scanner = XMLScanner(text, file: file)
  }

  /// The value inside `<plist>`.
  mutating func root() throws(PropertyListFault) -> PropertyValue {
    try scanner.skipProlog()
    let list = try scanner.tag()
    guard list.name == "plist", !list.isEnd else {
      throw scanner.fault("a property list begins with `<plist>`", from: list.start)
    }
    guard !list.isEmpty else {
      throw scanner.fault("the property list has nothing in it", from: list.start)
    }
    let first = try scanner.nextTag()
    if first.isEnd {
      throw scanner.fault("the property list has nothing in it", from: first.start)
    }
    let root = try value(first, depth: 1)
    let end = try scanner.nextTag()
    guard end.isEnd, end.name == "plist" else {
      throw scanner.fault("`</plist>` is missing here", from: end.start)
    }
    try scanner.expectEnd()
    return root
  }

  private mutating func value(
    _ tag: XMLScanner.Tag, depth: Int
  ) throws(PropertyListFault) -> PropertyValue {
    values += 1
    if values > PropertyListFile.mostValues {
      throw scanner.fault(
        "the file has more than 100,000 values", from: tag.start, code: "too-many-nodes")
    }
    if depth > PropertyListFile.deepest {
      throw scanner.fault(
        "values are nested more than 64 deep", from: tag.start, code: "too-deep")
    }
    if tag.isEnd {
      throw scanner.fault("`</\(tag.name)>` closes nothing here", from: tag.start)
    }
    let place = scanner.place(from: tag.start, to: tag.end)
    switch tag.name {
    case "array": return PropertyValue(.array(try array(tag, depth: depth)), at: place)
    case "dict": return PropertyValue(.dictionary(try dictionary(tag, depth: depth)), at: place)
    case "string":
      let text = try scanner.content(of: tag)
      return PropertyValue(.text(text.text), at: text.place)
    case "integer", "real": return try other("a number", tag)
    case "true", "false": return try other("true or false", tag)
    case "date": return try other("a date", tag)
    case "data": return try other("data", tag)
    case "key": throw scanner.fault("a key can stand in a dictionary only", from: tag.start)
    default:
      throw scanner.fault("`<\(tag.name)>` is no element of property lists", from: tag.start)
    }
  }

  private mutating func other(
    _ name: String, _ tag: XMLScanner.Tag
  ) throws(PropertyListFault) -> PropertyValue {
    PropertyValue(.other(name), at: try scanner.content(of: tag).place)
  }

  private mutating func array(
    _ tag: XMLScanner.Tag, depth: Int
  ) throws(PropertyListFault) -> [PropertyValue] {
    if tag.isEmpty { return [] }
    var items: [PropertyValue] = []
    while true {
      let next = try scanner.nextTag()
      if next.isEnd {
        try scanner.expect(next, closes: tag)
        return items
      }
      items.append(try value(next, depth: depth + 1))
    }
  }

  private mutating func dictionary(
    _ tag: XMLScanner.Tag, depth: Int
  ) throws(PropertyListFault) -> [PropertyEntry] {
    if tag.isEmpty { return [] }
    var entries: [PropertyEntry] = []
    while true {
      let next = try scanner.nextTag()
      if next.isEnd {
        try scanner.expect(next, closes: tag)
        return entries
      }
      guard next.name == "key" else {
        throw scanner.fault("a `<key>` must stand before each value", from: next.start)
      }
      let key = try scanner.content(of: next)
      let after = try scanner.nextTag()
      if after.isEnd || after.name == "key" {
        throw scanner.fault(
          "the key `\(EntryFault.short(key.text))` has no value", from: next.start)
      }
      let value = try value(after, depth: depth + 1)
      entries.append(PropertyEntry(key: key.text, keyPlace: key.place, value: value))
    }
  }
}
