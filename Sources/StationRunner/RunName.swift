/// The name of one execution of a job: 16 letters and digits that sort by time.
enum RunName {
  /// Crockford's base 32 digits, which sort as their values do.
  private static let digits = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ")

  /// Ten digits of milliseconds since 1970, six random ones.
  static func make(now: Double, using generator: inout some RandomNumberGenerator) -> String {
    let time = text(UInt64(max(0, now * 1000)), digits: 10)
    return time + text(generator.next() >> 34, digits: 6)
  }

  private static func text(_ value: UInt64, digits count: Int) -> String {
    var rest = value
    var text = ""
    for _ in 0..<count {
      text.insert(digits[Int(rest % 32)], at: text.startIndex)
      rest /= 32
    }
    return text
  }
}
