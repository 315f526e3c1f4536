extension YAMLScalar {
  /// What other YAML readers would make of the text, in words; `nil` where all of them keep it.
  ///
  /// Hexadecimal values are read here from their text, but an editor or a YAML 1.1 reader takes
  /// some of them for numbers, times or truth values: `0003`, `12E4`, `660000e0`,
  /// `00:50:56:55:42:45`.
  package var foreignReading: String? {
    guard style == .plain, tag != "str" else { return nil }
    switch value {
    case .null: return "nothing"
    case .boolean: return "true or false"
    case .integer, .float: return "a number"
    case .text: break
    }
    // YAML 1.1: sexagesimal integers, `_` in numbers, binary, and more words for true and false.
    let lower = text.lowercased()
    if ["yes", "no", "on", "off", "y", "n"].contains(lower) { return "true or false" }
    let bytes = Array(lower.utf8)
    let isDigits = { (part: Substring.UTF8View) in
      !part.isEmpty && part.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    }
    let parts = lower.utf8.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
    if parts.count > 1, parts.allSatisfy(isDigits),
      parts.dropFirst().allSatisfy({ (Int(String($0) ?? "") ?? 60) < 60 })
    {
      return "a number"
    }
    if bytes.contains(UInt8(ascii: "_")) || lower.hasPrefix("0b") {
      let plain = String(lower.filter { $0 != "_" })
      if !plain.isEmpty, plain.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }) { return "a number" }
      if plain.hasPrefix("0b"), plain.count > 2,
        plain.dropFirst(2).allSatisfy({ $0 == "0" || $0 == "1" })
      {
        return "a number"
      }
    }
    let dashes = lower.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
    if dashes.count == 3, dashes.allSatisfy(isDigits), dashes[0].count == 4 { return "a date" }
    return nil
  }
}
