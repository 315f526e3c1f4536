/// A scalar as written: its text, and whether quotes or a block kept it from being anything else.
package struct YAMLScalar: Sendable, Equatable {
  /// How a scalar is written (YAML 1.2.2 chapters 7 and 8).
  package enum Style: Sendable, Equatable {
    case plain, singleQuoted, doubleQuoted, literal, folded
  }

  /// What a scalar means by the core schema of YAML 1.2.2 (section 10.3.2).
  package enum Value: Sendable, Equatable {
    case null
    case boolean(Bool)
    /// `nil` where the number does not fit 64 bits.
    case integer(Int?)
    case float(Double)
    case text
  }

  /// The text, with escapes and line folding resolved.
  package var text: String
  /// How it is written.
  package var style: Style
  /// A core tag that was given, such as `str` or `int`; `nil` for none.
  package var tag: String?

  /// A scalar of this text.
  package init(_ text: String, style: Style = .plain, tag: String? = nil) {
    self.text = text
    self.style = style
    self.tag = tag
  }

  /// What it means: plain scalars by their text, all others text, and an explicit tag above both.
  package var value: Value {
    switch tag {
    case "str": .text
    case "null", "bool", "int", "float": Self.resolve(text)
    default: style == .plain ? Self.resolve(text) : .text
    }
  }

  /// The tag resolution table of YAML 1.2.2 section 10.3.2.
  private static func resolve(_ text: String) -> Value {
    switch text {
    case "", "~", "null", "Null", "NULL": return .null
    case "true", "True", "TRUE": return .boolean(true)
    case "false", "False", "FALSE": return .boolean(false)
    case ".inf", ".Inf", ".INF", "+.inf", "+.Inf", "+.INF": return .float(.infinity)
    case "-.inf", "-.Inf", "-.INF": return .float(-.infinity)
    case ".nan", ".NaN", ".NAN": return .float(.nan)
    default: break
    }
    let bytes = Array(text.utf8)
    if let integer = integer(bytes) { return integer }
    return isFloat(bytes) ? .float(Double(text) ?? .infinity) : .text
  }

  /// `[-+]?[0-9]+`, `0o[0-7]+` or `0x[0-9a-fA-F]+`.
  private static func integer(_ bytes: [UInt8]) -> Value? {
    let digits = bytes.dropFirst(2)
    if bytes.starts(with: "0o".utf8) || bytes.starts(with: "0x".utf8) {
      let radix = bytes[1] == UInt8(ascii: "o") ? 8 : 16
      guard !digits.isEmpty, digits.allSatisfy({ digit($0).map { $0 < radix } ?? false }) else {
        return nil
      }
      return .integer(Int(String(decoding: digits, as: UTF8.self), radix: radix))
    }
    let signed = bytes.first == UInt8(ascii: "-") || bytes.first == UInt8(ascii: "+")
    let rest = signed ? bytes.dropFirst() : bytes[...]
    guard !rest.isEmpty, rest.allSatisfy({ digit($0).map { $0 < 10 } ?? false }) else { return nil }
    return .integer(Int(String(decoding: bytes, as: UTF8.self)))
  }

  /// `[-+]? ( \. [0-9]+ | [0-9]+ ( \. [0-9]* )? ) ( [eE] [-+]? [0-9]+ )?`.
  private static func isFloat(_ bytes: [UInt8]) -> Bool {
    var rest = bytes[...]
    func isDigit(_ byte: UInt8) -> Bool { digit(byte).map { $0 < 10 } ?? false }
    func skipSign() {
      if rest.first == UInt8(ascii: "-") || rest.first == UInt8(ascii: "+") { rest.removeFirst() }
    }
    func skipDigits() -> Int {
      let count = rest.prefix(while: isDigit).count
      rest = rest.dropFirst(count)
      return count
    }
    skipSign()
    let whole = skipDigits()
    if rest.first == UInt8(ascii: ".") {
      rest.removeFirst()
      if skipDigits() == 0 && whole == 0 { return false }
    } else if whole == 0 {
      return false
    }
    if rest.first == UInt8(ascii: "e") || rest.first == UInt8(ascii: "E") {
      rest.removeFirst()
      skipSign()
      if skipDigits() == 0 { return false }
    }
    return rest.isEmpty
  }

  private static func digit(_ byte: UInt8) -> Int? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): Int(byte - UInt8(ascii: "0"))
    case UInt8(ascii: "a")...UInt8(ascii: "f"): Int(byte - UInt8(ascii: "a")) + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): Int(byte - UInt8(ascii: "A")) + 10
    default: nil
    }
  }
}
