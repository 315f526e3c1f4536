internal import Bytes

/// A tag's UID as it stands in data: two hexadecimal digits a byte, with or without `:`, `-` and spaces.
package enum UIDText {
  /// Why a text is no UID, as the end of a sentence that begins with the text.
  package struct Fault: Error, Sendable, Equatable {
    /// What is wrong.
    package var message: String
    /// What to do about it.
    package var help: String?
  }

  /// The UID's bytes; `lengths` are the numbers of bytes that it may have.
  package static func bytes(
    of text: String, lengths: [Int]
  ) throws(Fault) -> [UInt8] {
    if text.allSatisfy({ $0 == " " }) { throw Fault(message: "is empty") }
    if let fault = spreadsheetFault(in: text) { throw fault }
    guard let bytes = [UInt8](hex: text) else {
      let digits = text.utf8.filter { ![0x3A, 0x2D, 0x20].contains($0) }
      if digits.count % 2 != 0, digits.allSatisfy(isHexadecimal) {
        if isDecimal(text) { throw lostZeros }
        throw Fault(
          message: "is no UID: it has \(digits.count) digits",
          help: "each byte has two digits; was a leading zero lost?")
      }
      throw Fault(message: "is no UID: it is not hexadecimal", help: "write two digits a byte")
    }
    if bytes.count == 4, bytes[0] == 0x08 {
      // ISO/IEC 14443-3, single-size UIDs.
      throw Fault(
        message: "is a random UID, which is another one every time",
        help: "such tags can be told apart by their content only")
    }
    if !lengths.contains(bytes.count) {
      // Fewer digits than any UID has, or than the shortest that is longer.
      if isDecimal(text), text.first != "0", text.utf8.count < 2 * (lengths.max() ?? 0) {
        throw lostZeros
      }
      throw Fault(
        message: "is no UID: it has \(bytes.count) bytes, not \(list(lengths))",
        help: bytes.first == 0x88 && bytes.count == 8
          ? "leave out the cascade tag 88, which is not part of the UID" : nil)
    }
    return bytes
  }

  private static let asText = """
    its digits are gone: take the UIDs from their source again, and format the column as text before they \
    go into the spreadsheet, or write them with `:` between the bytes, which it leaves alone
    """

  private static let lostZeros = Fault(
    message: "is no UID any more: a spreadsheet took it for a number and dropped its leading zeros",
    help: asText)

  /// What shows that a spreadsheet took the text for a number: an exponent with a sign or a decimal mark, a
  /// decimal mark, or fifteen digits with zeros behind them, which is all that such a number keeps.
  private static func spreadsheetFault(in text: String) -> Fault? {
    let bytes = Array(text.utf8)
    let number = bytes.drop { $0 == UInt8(ascii: " ") }.prefix { $0 != UInt8(ascii: " ") }
    let isMark: (UInt8) -> Bool = { $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: ",") }
    let mantissa = number.prefix { isDigit($0) || isMark($0) }
    guard let first = mantissa.first, isDigit(first) else { return nil }
    let hasMark = mantissa.contains(where: isMark)
    let rest = number.dropFirst(mantissa.count)
    if rest.isEmpty {
      if hasMark {
        return Fault(
          message: "is no UID any more: a spreadsheet changed it into a number", help: asText)
      }
      let tail = number.dropFirst(15)
      if first != UInt8(ascii: "0"), !tail.isEmpty, tail.allSatisfy({ $0 == UInt8(ascii: "0") }) {
        return Fault(
          message:
            "is no UID any more: a spreadsheet changed it into a number and kept 15 of its digits",
          help: asText)
      }
      return nil
    }
    guard let letter = rest.first, letter | 0x20 == UInt8(ascii: "e") else { return nil }
    let exponent = rest.dropFirst()
    let isSigned = exponent.first == UInt8(ascii: "+") || exponent.first == UInt8(ascii: "-")
    let digits = isSigned ? exponent.dropFirst() : exponent
    guard !digits.isEmpty, digits.allSatisfy(isDigit) else { return nil }
    guard hasMark || exponent.first == UInt8(ascii: "+") else { return nil }
    return Fault(
      message: "is no UID any more: a spreadsheet changed it into a number", help: asText)
  }

  private static func isDecimal(_ text: String) -> Bool { text.utf8.allSatisfy(isDigit) }

  private static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }

  private static func isHexadecimal(_ byte: UInt8) -> Bool {
    isDigit(byte) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte | 0x20)
  }

  private static func list(_ lengths: [Int]) -> String {
    guard lengths.count > 1, let last = lengths.last else {
      return lengths.map(String.init).joined()
    }
    return lengths.dropLast().map(String.init).joined(separator: ", ") + " or \(last)"
  }
}
