internal import Diagnostics
internal import YAMLTree

extension Kind where Value == Duration {
  /// Digits and `ms`, `s`, `m` or `h`; more than nothing where `positive`.
  static func duration(positive: Bool = false) -> Kind {
    Kind(.text(.duration(positive: positive))) { node, reading in
      guard let scalar = node.scalar, scalar.value != .null else {
        reading.wrongType(node, needs: "a duration such as `30s`")
        return nil
      }
      guard let duration = Duration(written: scalar.text) else {
        reading.error(
          "duration", "`\(scalar.text)` is no duration", at: node.place,
          help: Duration.suggestion(for: scalar.text))
        return nil
      }
      if positive && duration == .zero {
        reading.error("out-of-range", "\(reading.subject) must be more than 0", at: node.place)
        return nil
      }
      return duration
    }
  }
}

extension Duration {
  /// What to write for a duration that people write in other ways: `60`, `2 min`, `1.5s`, `PT2S`.
  static func suggestion(for text: String) -> String {
    var rest = text.lowercased()[...]
    if rest.hasPrefix("pt") { rest = rest.dropFirst(2) }
    let digits = rest.prefix { "0123456789".contains($0) }
    rest = rest.dropFirst(digits.count)
    var fraction: Substring = ""
    if rest.first == "." || rest.first == "," {
      fraction = rest.dropFirst().prefix { "0123456789".contains($0) }
      rest = rest.dropFirst(fraction.count + 1)
    }
    let word = rest.drop { $0 == " " }
    if word.isEmpty, fraction.isEmpty, !digits.isEmpty, digits.count == text.count {
      return "name the unit: `\(digits)s` for seconds"
    }
    let units = [
      ("ms", ["ms", "msec", "millisecond", "milliseconds"], 1),
      ("s", ["s", "sec", "secs", "second", "seconds"], 1000),
      ("m", ["m", "min", "mins", "minute", "minutes"], 60_000),
      ("h", ["h", "hr", "hrs", "hour", "hours"], 3_600_000),
    ]
    let usual = "write digits and `ms`, `s`, `m` or `h`, for example `500ms`"
    guard let unit = units.first(where: { $0.1.contains(String(word)) }), !digits.isEmpty,
      digits.count <= 6, fraction.count <= 3
    else { return usual }
    if fraction.isEmpty { return "write `\(digits)\(unit.0)`" }
    let parts = (Int(digits) ?? 0) * 1000 + (Int(fraction.padded(to: 3)) ?? 0)
    let milliseconds = parts * unit.2 / 1000
    return milliseconds % 1000 == 0
      ? "write `\(milliseconds / 1000)s`" : "write `\(milliseconds)ms`"
  }

  /// The duration that `text` writes, as digits and a unit; `nil` if it writes none.
  init?(written text: String) {
    let digits = text.utf8.prefix { (0x30...0x39).contains($0) }
    guard !digits.isEmpty, digits.count <= 9, let number = Int(String(digits) ?? "") else {
      return nil
    }
    switch String(text.utf8.dropFirst(digits.count)) {
    case "ms": self = .milliseconds(number)
    case "s": self = .seconds(number)
    case "m": self = .seconds(number * 60)
    case "h": self = .seconds(number * 3600)
    default: return nil
    }
  }
}

extension Substring {
  /// With zeros behind it, up to `count` letters.
  fileprivate func padded(to count: Int) -> String {
    String(self) + String(repeating: "0", count: Swift.max(0, count - self.count))
  }
}
