import Glibc
import Platform

/// What the process knows of itself.
enum Process {
  static let number = getpid()

  /// CPU time that this thread has used.
  static var cpuTime: Duration {
    var time = timespec()
    unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
  }

  /// A line of /proc/self/status in KiB, for example the largest amount of memory so far (`VmHWM`).
  static func kilobytes(_ name: String) -> Int {
    guard let file = try? Descriptor(opening: "/proc/self/status", flags: O_RDONLY),
      let bytes = try? file.read(atMost: 1 << 16)
    else { return 0 }
    for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n") {
      let words = line.split { $0 == " " || $0 == "\t" || $0 == ":" }
      if words.count > 1, words[0] == name { return Int(words[1]) ?? 0 }
    }
    return 0
  }

  static func remove(_ path: String) { unsafe unlink(path) }

  static func end(_ status: Int32) -> Never { exit(status) }
}
