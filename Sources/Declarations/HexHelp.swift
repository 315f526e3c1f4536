/// What to write in place of a text that spells no bytes.
package enum HexHelp {
  /// What mends `text`, which is not hexadecimal.
  package static func help(for text: String) -> String {
    let digits = text.unicodeScalars.filter { $0 != ":" && $0 != "-" && $0 != " " }
    if let wrong = digits.first(where: { !$0.properties.isASCIIHexDigit }) {
      if text.lowercased().hasPrefix("0x") { return "leave out `0x`: `\(text.dropFirst(2))`" }
      if wrong == "O" || wrong == "o" { return "`\(wrong)` is the letter: write the digit 0" }
      return "`\(wrong)` is no digit: two of 0–9 and A–F make a byte"
    }
    return digits.count % 2 == 1
      ? "two digits for each byte: a 0 is missing" : "signs stand between bytes only"
  }
}
