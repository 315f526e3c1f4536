internal import CSystem
internal import Glibc

/// The machine's calendar clock.
package enum WallTime {
  /// Seconds since 1970 in UTC.
  package static func now() -> Double {
    var time = timespec()
    unsafe clock_gettime(CLOCK_REALTIME, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  /// The moment as RFC 3339 section 5.6 writes it, in UTC and whole seconds.
  package static func text(_ seconds: Double) -> String {
    var time = time_t(seconds)
    var parts = unsafe tm()
    unsafe gmtime_r(&time, &parts)
    func digits(_ value: Int32, _ count: Int) -> String {
      let text = String(value)
      return String(repeating: "0", count: max(0, count - text.utf8.count)) + text
    }
    let day = unsafe (digits(parts.tm_mon + 1, 2), digits(parts.tm_mday, 2))
    let date = unsafe digits(parts.tm_year + 1900, 4) + "-\(day.0)-\(day.1)"
    let minutes = unsafe (digits(parts.tm_hour, 2), digits(parts.tm_min, 2))
    let clock = unsafe "\(minutes.0):\(minutes.1):" + digits(parts.tm_sec, 2)
    return "\(date)T\(clock)Z"
  }
}
