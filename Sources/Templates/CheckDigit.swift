/// The digit that is put behind a number so that typing slips are found.
enum CheckDigit {
  /// ISO/IEC 7812-1, annex B: every second digit doubled, beginning with the last, and the digits
  /// of all added up.
  static func luhn(of digits: [UInt8]) -> Int {
    var sum = 0
    for (place, digit) in digits.reversed().enumerated() {
      let weighted = place % 2 == 0 ? Int(digit) * 2 : Int(digit)
      sum += weighted > 9 ? weighted - 9 : weighted
    }
    return (10 - sum % 10) % 10
  }

  /// GS1 General Specifications, section 7.9: weights 3 and 1 by turns, beginning with 3 at the
  /// last digit.
  static func gs1(of digits: [UInt8]) -> Int {
    var sum = 0
    for (place, digit) in digits.reversed().enumerated() {
      sum += place % 2 == 0 ? Int(digit) * 3 : Int(digit)
    }
    return (10 - sum % 10) % 10
  }
}
