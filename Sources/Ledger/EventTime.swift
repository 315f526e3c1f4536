internal import Glibc

/// A moment as events carry it: UTC, in milliseconds.
package struct EventTime: Sendable, Equatable {
  /// Seconds since 1970-01-01T00:00:00Z.
  package var seconds: Int64
  /// 0 to 999.
  package var milliseconds: Int

  /// A moment of that second.
  package init(seconds: Int64, milliseconds: Int) {
    self.seconds = seconds
    self.milliseconds = milliseconds
  }

  /// The machine's time of day.
  package static var now: EventTime {
    var time = timespec()
    unsafe clock_gettime(CLOCK_REALTIME, &time)
    return EventTime(seconds: Int64(time.tv_sec), milliseconds: time.tv_nsec / 1_000_000)
  }

  /// The moment as RFC 3339 section 5.6 writes it, with three decimals and `Z`.
  package var text: String {
    // Years 0 to 9999, which is what the format has room for.
    let second = min(max(seconds, -62_167_219_200), 253_402_300_799)
    let day = (second >= 0 ? second : second - 86_399) / 86_400
    let rest = second - day * 86_400
    // Days counted from 0000-03-01, so that the leap day is the last of its year.
    let shifted = day + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let month = (5 * dayOfYear + 2) / 153
    let dayOfMonth = dayOfYear - (153 * month + 2) / 5 + 1
    let calendarMonth = month < 10 ? month + 3 : month - 9
    let year = yearOfEra + era * 400 + (calendarMonth <= 2 ? 1 : 0)
    let date = "\(digits(year, 4))-\(digits(calendarMonth, 2))-\(digits(dayOfMonth, 2))"
    let minutes = "\(digits(rest / 3600, 2)):\(digits(rest / 60 % 60, 2))"
    return "\(date)T\(minutes):\(digits(rest % 60, 2)).\(digits(Int64(milliseconds), 3))Z"
  }
}

private func digits(_ value: Int64, _ count: Int) -> String {
  let text = String(value)
  return String(repeating: "0", count: max(count - text.utf8.count, 0)) + text
}
