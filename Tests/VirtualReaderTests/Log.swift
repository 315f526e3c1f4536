import Platform

/// Lines that closures on another thread add.
final class Log: Sendable {
  private let kept = Locked<[String]>([])

  var lines: [String] { kept.withLock { $0 } }

  func add(_ line: String) { kept.withLock { $0.append(line) } }
}
