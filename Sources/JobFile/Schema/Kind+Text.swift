internal import Bytes
internal import Declarations
internal import Diagnostics
internal import Templates
internal import YAMLTree

extension YAMLNode {
  /// The text of a scalar that is not nothing, else tells that a text is needed.
  func text(_ reading: inout Reading, needs what: String = "a text") -> YAMLScalar? {
    guard let scalar, scalar.value != .null else {
      reading.wrongType(self, needs: what, help: onlyItem.map { "write `\($0)`, without brackets" })
      return nil
    }
    return scalar
  }

  /// The text of the only item of a list.
  private var onlyItem: String? {
    guard case .sequence(let items) = content, items.count == 1 else { return nil }
    return items[0].scalar?.text
  }
}

extension Kind where Value == String {
  /// Any text, also one that looks like a number.
  static var text: Kind {
    Kind(.text(.any)) { node, reading in node.text(&reading)?.text }
  }

  /// A text with something in it.
  static var word: Kind {
    Kind(.text(.any)) { node, reading in
      guard let text = node.plainText(&reading) else { return nil }
      if text.isEmpty {
        reading.error("out-of-range", "\(reading.subject) must not be empty", at: node.place)
        return nil
      }
      return text
    }
  }

  /// A name of the user's choosing: `[A-Za-z0-9._-]{1,64}`.
  static var name: Kind {
    Kind(.text(.name)) { node, reading in
      guard let text = node.plainText(&reading) else { return nil }
      return reading.isName(text, at: node.place) ? text : nil
    }
  }

  /// A path, resolved against the folder of the file it stands in.
  static var path: Kind {
    Kind(.text(.path)) { node, reading in
      guard let text = Kind.word.read(node, &reading) else { return nil }
      return reading.resolve(text, at: node.place)
    }
  }
}

extension Reading {
  /// Whether `text` may be a name; tells it where not.
  mutating func isName(_ text: String, at place: Place) -> Bool {
    let isAllowed = { (byte: UInt8) in
      switch byte {
      case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"),
        UInt8(ascii: "-"):
        true
      default: false
      }
    }
    let bytes = text.utf8
    if !bytes.isEmpty, bytes.count <= 64, bytes.allSatisfy(isAllowed) { return true }
    error(
      "name", "`\(text)` cannot be a name", at: place,
      help: "1 to 64 letters without accents, digits, `.`, `_` and `-`")
    return false
  }
}

extension YAMLNode {
  /// The text of a scalar in which nothing is filled in.
  func plainText(_ reading: inout Reading) -> String? {
    guard let text = text(&reading)?.text else { return nil }
    if text.contains("${") {
      reading.error(
        "no-template", "\(reading.subject) takes no `${…}`", at: place,
        help: "templates may stand in `alertMessage`, `prompt` and inside `steps`")
      return nil
    }
    return text
  }

  /// The place of the piece at `offset` in the scalar's text, in UTF-8 bytes.
  ///
  /// Known where the text stands in one line without escapes; else the scalar's own place.
  func place(atOffset offset: Int, length: Int = 1) -> Place {
    guard let scalar else { return place }
    let quotes = scalar.style == .plain ? 0 : 1
    let count = scalar.text.unicodeScalars.count
    let isVerbatim =
      scalar.style != .literal && scalar.style != .folded && place.length == count + 2 * quotes
    guard isVerbatim, offset <= scalar.text.utf8.count else { return place }
    let before = String(decoding: scalar.text.utf8.prefix(offset), as: UTF8.self)
    var piece = place
    piece.column += quotes + before.unicodeScalars.count
    piece.length = max(1, min(length, count - before.unicodeScalars.count))
    return piece
  }
}

extension Kind where Value == Template {
  /// A text with places to fill.
  static var template: Kind {
    Kind(.text(.template)) { node, reading in
      guard let scalar = node.text(&reading) else { return nil }
      return reading.template(scalar.text, at: node)
    }
  }
}

extension Reading {
  /// The template that `text` writes, remembered for the rules; tells it where it cannot be parsed.
  mutating func template(_ text: String, at node: YAMLNode) -> Template? {
    do throws(TemplateError) {
      let template = try Template(text)
      warnOfBraces(in: text, at: node)
      templates.append((template, node, use))
      return template
    } catch {
      self.error(
        "template", error.message, at: node.place(atOffset: error.offset), help: error.help)
      return nil
    }
  }
}

extension Reading {
  /// Warns of `{{row.code}}`, with which other programs fill in values.
  private mutating func warnOfBraces(in text: String, at node: YAMLNode) {
    let bytes = Array(text.utf8)
    for start in bytes.indices.dropLast() {
      guard bytes[start...].starts(with: "{{".utf8),
        let end = bytes[start...].firstIndex(of: UInt8(ascii: "}"))
      else { continue }
      let inside = String(decoding: bytes[(start + 2)..<end], as: UTF8.self)
        .split(separator: " ").joined(separator: " ")
      guard (try? Template("${\(inside)}"))?.references.isEmpty == false else { continue }
      warning(
        "literal-braces", "`{{\(inside)}}` is written as it stands",
        at: node.place(atOffset: start, length: end + 2 - start),
        help: "a value is filled in with `${\(inside)}`")
    }
  }
}

extension Kind where Value == [UInt8] {
  /// Bytes in hexadecimal, read from the scalar's text and never as a number.
  static func hex(_ count: ClosedRange<Int> = 0...(1 << 20)) -> Kind {
    Kind(.text(.hex(count))) { node, reading in
      guard let scalar = node.hexScalar(&reading) else { return nil }
      guard let bytes = reading.bytes(of: scalar.text, at: node.place) else { return nil }
      if count.contains(bytes.count) { return bytes }
      let wanted =
        count.lowerBound == count.upperBound
        ? "\(count.lowerBound)" : "\(count.lowerBound) to \(count.upperBound)"
      reading.error(
        "hex", "\(reading.subject) needs \(wanted) bytes, not \(bytes.count)", at: node.place)
      return nil
    }
  }
}

extension YAMLNode {
  /// The scalar of a hexadecimal value, with a warning where other YAML readers would change it.
  func hexScalar(_ reading: inout Reading) -> YAMLScalar? {
    guard let scalar, !scalar.text.isEmpty || scalar.style != .plain else {
      reading.wrongType(self, needs: "hexadecimal digits")
      return nil
    }
    if let other = scalar.foreignReading {
      reading.warning(
        "unquoted-hex", "other YAML readers take `\(scalar.text)` for \(other)", at: place,
        help: "write `\"\(scalar.text)\"`")
    }
    return scalar
  }
}

extension Reading {
  /// The bytes that `text` spells; tells it where it spells none.
  mutating func bytes(of text: String, at place: Place) -> [UInt8]? {
    if let bytes = [UInt8](hex: text) { return bytes }
    error("hex", "`\(text)` is not hexadecimal", at: place, help: HexHelp.help(for: text))
    return nil
  }
}
