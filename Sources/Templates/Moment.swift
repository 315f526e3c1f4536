internal import Glibc

/// Moments in time as text.
enum Moment {
  /// The conversions of strftime(3) that print the same on every machine, in the C locale.
  private static let conversions = Array("aAbBdeFGHIjmMpRSTuUVwWyYzZ%".utf8)
  private static let formatLimit = 256

  /// What is wrong with a format; `nil` if nothing is.
  static func fault(in format: String) -> String? {
    if format.isEmpty { return "the format of a date is empty" }
    if format.utf8.count > formatLimit { return "the format of a date is too long" }
    if format.utf8.contains(0) { return "the format of a date holds a NUL" }
    var rest = format.utf8[...]
    while let percent = rest.firstIndex(of: UInt8(ascii: "%")) {
      rest = rest[percent...].dropFirst()
      guard let letter = rest.popFirst() else { return "the format of a date ends in `%`" }
      if !conversions.contains(letter) {
        let shown = letter < 0x80 ? Unicode.Scalar(letter).escaped(asASCII: true) : "…"
        return "`%\(shown)` is not part of a date"
      }
    }
    return nil
  }

  /// A moment in UTC or local time by a format that `fault(in:)` accepts; `nil` beyond the
  /// calendar.
  static func text(_ seconds: Double, format: String, local: Bool) -> String? {
    // From the first to the last year that strftime(3) prints with four digits.
    guard seconds >= -30_610_224_000, seconds < 253_402_300_800 else { return nil }
    var time = time_t(seconds.rounded(.down))
    var parts = unsafe tm()
    let converted = unsafe local ? localtime_r(&time, &parts) : gmtime_r(&time, &parts)
    guard unsafe converted != nil else { return nil }
    var buffer = [CChar](repeating: 0, count: formatLimit * 16)
    let length = unsafe strftime(&buffer, buffer.count, format, &parts)
    return String(decoding: buffer.prefix(length).map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// A moment as in RFC 3339, in UTC, to the second.
  static func rfc3339(_ seconds: Double) -> String? {
    text(seconds, format: "%Y-%m-%dT%H:%M:%SZ", local: false)
  }

  static func outOfRange(at offset: Int) -> TemplateError {
    TemplateError("the moment is not between the years 1000 and 9999", offset: offset)
  }
}
