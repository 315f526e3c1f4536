/// A JSON value to be written; objects keep the order of their keys.
package enum JSON: Sendable, Equatable {
  case null
  case bool(Bool)
  case integer(Int64)
  /// Printed with at most three decimals, as milliseconds and durations need.
  ///
  /// What is not finite or not below 10^12 is printed as `null`.
  case number(Double)
  case string(String)
  case array([JSON])
  case object([(key: String, value: JSON)])

  /// Whether both are written with the same bytes: `String` alone would take é and e + U+0301 as one.
  package static func == (left: JSON, right: JSON) -> Bool {
    left.text.utf8.elementsEqual(right.text.utf8)
  }

  /// The value on one line, pure ASCII where a character could act on a terminal or split a line.
  ///
  /// Control characters, U+007F to U+009F, line and paragraph separators, bidirectional controls,
  /// zero-width characters and the byte order mark leave as `\uXXXX` (RFC 8259 section 7).
  package var text: String {
    var out = ""
    write(to: &out)
    return out
  }

  private func write(to out: inout String) {
    switch self {
    case .null: out += "null"
    case .bool(let value): out += value ? "true" : "false"
    case .integer(let value): out += String(value)
    case .number(let value): out += Self.decimal(value)
    case .string(let value): Self.quote(value, to: &out)
    case .array(let values):
      out += "["
      for (index, value) in values.enumerated() {
        if index > 0 { out += "," }
        value.write(to: &out)
      }
      out += "]"
    case .object(let members):
      out += "{"
      for (index, member) in members.enumerated() {
        if index > 0 { out += "," }
        Self.quote(member.key, to: &out)
        out += ":"
        member.value.write(to: &out)
      }
      out += "}"
    }
  }

  private static func decimal(_ value: Double) -> String {
    guard value.isFinite, abs(value) < 1e12 else { return "null" }
    let thousandths = Int64((value * 1000).rounded())
    let (whole, part) = thousandths.magnitude.quotientAndRemainder(dividingBy: 1000)
    let sign = thousandths < 0 ? "-" : ""
    if part == 0 { return "\(sign)\(whole)" }
    var digits = String(part + 1000).dropFirst()
    while digits.last == "0" { digits.removeLast() }
    return "\(sign)\(whole).\(digits)"
  }

  private static func quote(_ value: String, to out: inout String) {
    out += "\""
    for scalar in value.unicodeScalars {
      switch scalar {
      case "\"": out += "\\\""
      case "\\": out += "\\\\"
      case "\n": out += "\\n"
      case "\r": out += "\\r"
      case "\t": out += "\\t"
      case _ where scalar.actsOnDisplay:
        for unit in String(scalar).utf16 {
          let digits = String(unit, radix: 16)
          out += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        }
      default: out.unicodeScalars.append(scalar)
      }
    }
    out += "\""
  }
}

extension Unicode.Scalar {
  /// Whether a terminal or an editor would act on this scalar instead of showing it.
  ///
  /// C0, DEL and C1 controls, separators of lines, the byte order mark, and every format character
  /// that Unicode gives no shape of its own: zero-width and bidirectional controls, tags, and the like.
  package var actsOnDisplay: Bool {
    switch value {
    case 0...0x1F, 0x7F...0x9F, 0xAD, 0x61C, 0x180E, 0x200B...0x200F, 0x2028...0x202E,
      0x2060...0x206F,
      0xFEFF, 0xFFF9...0xFFFB, 0x1BCA0...0x1BCA3, 0x1D173...0x1D17A, 0xE0000...0xE007F:
      true
    default: false
    }
  }
}
