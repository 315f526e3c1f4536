/// How a serial number is written: a text with exactly one `%d`, `%0Nd`, `%X` or `%0NX`.
package struct SerialFormat: Sendable, Equatable {
  /// The format as written.
  package let text: String
  private let before: String
  private let after: String
  private let width: Int
  private let isHexadecimal: Bool

  /// Most digits that a format may ask for.
  private static let widthLimit = 32

  /// Checks `text`.
  package init(_ text: String) throws(DataError) {
    let help = "write exactly one `%d`, `%0Nd`, `%X` or `%0NX`, such as `%06d`"
    let parts = text.split(separator: "%", omittingEmptySubsequences: false)
    guard parts.count == 2 else {
      throw DataError(
        parts.count < 2
          ? "the serial format has no place for the number: \(help)"
          : "the serial format has more than one `%`: \(help)")
    }
    let place = parts[1]
    let digits = place.prefix { $0 != "d" && $0 != "X" }
    guard let letter = place.dropFirst(digits.count).first else {
      throw DataError("the serial format is not understood: \(help)")
    }
    width = try Self.width(digits, help: help)
    self.text = text
    before = String(parts[0])
    after = String(place.dropFirst(digits.count + 1))
    isHexadecimal = letter == "X"
  }

  /// The width that `0N` asks for, 0 where nothing stands there.
  private static func width(_ digits: Substring, help: String) throws(DataError) -> Int {
    if digits.isEmpty { return 0 }
    guard digits.first == "0", digits.utf8.count > 1,
      digits.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
      let width = Int(digits)
    else { throw DataError("the serial format is not understood: \(help)") }
    guard (1...widthLimit).contains(width) else {
      throw DataError("a serial number has 1 to \(widthLimit) digits: \(help)")
    }
    return width
  }

  /// The serial number `number` in this format; longer numbers are not cut.
  package func text(of number: Int) -> String {
    let digits = String(number.magnitude, radix: isHexadecimal ? 16 : 10, uppercase: true)
    let sign = number < 0 ? "-" : ""
    let zeros = String(repeating: "0", count: max(width - digits.count - sign.count, 0))
    return before + sign + zeros + digits + after
  }
}
