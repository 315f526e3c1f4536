/// Why a line is no JSON object of plain values.
struct JSONFault: Error {
  var message: String
  var offset: Int
  /// What to write instead, where it is known.
  var help: String?
}

/// Reads one JSON object (RFC 8259) of plain values that ends where its line ends.
///
/// Numbers keep their text, so that `0.10` and long numbers stay what they are; `null` is no value.
struct JSONObjectScanner {
  struct Member {
    var name: String
    var value: String?
    /// Where the name begins.
    var offset: Int
    /// Whether the value is a number such as `1e5`.
    var hasExponent: Bool
  }

  let bytes: [UInt8]
  /// The next byte to read.
  private(set) var at: Int

  /// A scanner for the line that begins at `at`.
  init(bytes: [UInt8], at: Int) {
    self.bytes = bytes
    self.at = at
  }

  /// The members in their order, repeated names included.
  mutating func members() throws(JSONFault) -> [Member] {
    var members: [Member] = []
    skipSpaces()
    try expect("{", as: "a JSON object")
    skipSpaces()
    if next == UInt8(ascii: "}") {
      at += 1
    } else {
      while true {
        skipSpaces()
        let offset = at
        guard next == UInt8(ascii: "\"") else {
          throw unexpected(
            "a name in double quotes",
            help: next == UInt8(ascii: "'")
              ? "JSON has double quotes only: `\"code\"`"
              : next == UInt8(ascii: "}") ? "take out the comma before it" : nil)
        }
        let name = try string()
        skipSpaces()
        try expect(":", as: "`:`")
        skipSpaces()
        let isText = next == UInt8(ascii: "\"")
        let value = try value()
        let hasExponent = !isText && value?.utf8.contains { $0 | 0x20 == UInt8(ascii: "e") } == true
        members.append(
          Member(
            name: name, value: value, offset: offset,
            hasExponent: hasExponent && value != "true" && value != "false"))
        skipSpaces()
        guard next == UInt8(ascii: ",") else {
          try expect("}", as: "`,` or `}`")
          break
        }
        at += 1
      }
    }
    skipSpaces()
    if next != nil { throw JSONFault(message: "the line goes on behind its object", offset: at) }
    return members
  }

  /// The next byte; `nil` at the end of the line or file.
  private var next: UInt8? { at < bytes.count && bytes[at] != 0x0A ? bytes[at] : nil }

  private mutating func skipSpaces() {
    while let byte = next, byte == 0x20 || byte == 0x09 || byte == 0x0D { at += 1 }
  }

  private mutating func expect(_ sign: Unicode.Scalar, as what: String) throws(JSONFault) {
    guard let byte = next, UInt32(byte) == sign.value else { throw unexpected(what) }
    at += 1
  }

  private func unexpected(_ wanted: String, help: String? = nil) -> JSONFault {
    JSONFault(
      message: next == nil ? "the line ends where \(wanted) is expected" : "\(wanted) is expected",
      offset: at, help: help)
  }

  private mutating func value() throws(JSONFault) -> String? {
    guard let first = next else { throw unexpected("a value") }
    switch first {
    case UInt8(ascii: "\""): return try string()
    case UInt8(ascii: "{"), UInt8(ascii: "["):
      throw JSONFault(
        message: "a value is a text, a number, true, false or null, not a list or an object",
        offset: at, help: "give each part a name of its own: `\"first\": …, \"last\": …`")
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return try number()
    default: break
    }
    for word in ["true", "false", "null"] where bytes[at...].starts(with: word.utf8) {
      at += word.utf8.count
      return word == "null" ? nil : word
    }
    let isText = first == UInt8(ascii: "'") || first | 0x20 >= UInt8(ascii: "a")
    throw unexpected(
      "a value",
      help: isText
        ? "a text stands in double quotes; `true`, `false` and `null` are in lower case" : nil)
  }

  /// The text of a number as it is written (RFC 8259 section 6).
  private mutating func number() throws(JSONFault) -> String {
    let start = at
    if next == UInt8(ascii: "-") { at += 1 }
    if next == UInt8(ascii: "0") {
      at += 1
      if let byte = next, isDigit(byte) {
        throw JSONFault(
          message: "a number does not begin with a zero", offset: start,
          help: "put it into double quotes: it is a text then, zeros and all")
      }
    } else {
      try digits()
    }
    if next == UInt8(ascii: ".") {
      at += 1
      try digits()
    }
    if next == UInt8(ascii: "e") || next == UInt8(ascii: "E") {
      at += 1
      if next == UInt8(ascii: "+") || next == UInt8(ascii: "-") { at += 1 }
      try digits()
    }
    guard at - start <= DataRows.valueLimit else { throw tooLong(start) }
    return String(decoding: bytes[start..<at], as: UTF8.self)
  }

  private mutating func digits() throws(JSONFault) {
    guard let byte = next, isDigit(byte) else { throw unexpected("a digit") }
    while let byte = next, isDigit(byte) { at += 1 }
  }

  private func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }

  /// Reads a string from its quote to its quote (RFC 8259 section 7).
  private mutating func string() throws(JSONFault) -> String {
    let start = at
    at += 1
    let first = at
    while let byte = next, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\"), byte >= 0x20 {
      at += 1
    }
    var text = bytes[first..<at]
    while let byte = next, byte != UInt8(ascii: "\"") {
      if byte < 0x20 {
        throw JSONFault(message: "a control character must be written as `\\u00XX`", offset: at)
      }
      if byte == UInt8(ascii: "\\") {
        try escape(into: &text)
      } else {
        text.append(byte)
        at += 1
      }
    }
    guard next != nil else {
      throw JSONFault(
        message: "the text is not closed", offset: start,
        help: "add `\"` where it ends; within a text a quote is `\\\"`")
    }
    at += 1
    guard text.count <= DataRows.valueLimit else { throw tooLong(start) }
    return String(decoding: text, as: UTF8.self)
  }

  private func tooLong(_ start: Int) -> JSONFault {
    JSONFault(
      message: "the value is longer than \(DataRows.valueLimit >> 20) MiB", offset: start)
  }

  private mutating func escape(into text: inout ArraySlice<UInt8>) throws(JSONFault) {
    let start = at
    at += 1
    guard let letter = next else { throw unexpected("the rest of an escape") }
    at += 1
    switch letter {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(letter)
    case UInt8(ascii: "b"): text.append(0x08)
    case UInt8(ascii: "f"): text.append(0x0C)
    case UInt8(ascii: "n"): text.append(0x0A)
    case UInt8(ascii: "r"): text.append(0x0D)
    case UInt8(ascii: "t"): text.append(0x09)
    case UInt8(ascii: "u"):
      var value = try unit()
      if value & 0xFC00 == 0xD800, bytes[at...].starts(with: "\\u".utf8) {
        at += 2
        let second = try unit()
        guard second & 0xFC00 == 0xDC00 else {
          throw JSONFault(message: "half of a surrogate pair stands alone", offset: start)
        }
        value = 0x10000 + (value & 0x3FF) << 10 + second & 0x3FF
      }
      guard let scalar = Unicode.Scalar(value) else {
        throw JSONFault(message: "half of a surrogate pair stands alone", offset: start)
      }
      if value == 0 { throw JSONFault(message: "a value holds a NUL", offset: start) }
      text += Array(String(scalar).utf8)
    default: throw JSONFault(message: "there is no such escape", offset: start)
    }
  }

  private mutating func unit() throws(JSONFault) -> UInt32 {
    var value: UInt32 = 0
    for _ in 0..<4 {
      guard let byte = next, let digit = Character(Unicode.Scalar(byte)).hexDigitValue else {
        throw unexpected("a hexadecimal digit")
      }
      value = value << 4 | UInt32(digit)
      at += 1
    }
    return value
  }
}
