internal import CSystem
internal import Glibc

/// Another program whose outputs are read while it runs.
///
/// It leads a process group of its own, so that a key typed at the terminal does not reach it, and all that
/// it starts ends with it.
package final class PipedProcess: Sendable {
  /// What it writes to standard output.
  package let output: Descriptor
  /// What it writes to standard error.
  package let errors: Descriptor
  private let child: pid_t
  private let isReaped = Locked(false)

  /// Starts the program at `path` in `folder`, with nothing on standard input.
  package init(
    running path: String, _ arguments: [String], environment: [String: String], folder: String
  ) throws(SystemError) {
    let output = try Pipe()
    let errors = try Pipe()
    var words = unsafe ([path] + arguments).map { unsafe strdup($0) } + [nil]
    var settings = unsafe environment.map { unsafe strdup("\($0.key)=\($0.value)") } + [nil]
    defer { unsafe (words + settings).forEach { unsafe free($0) } }
    var child = pid_t()
    let code = unsafe tagstation_spawn(
      path, &words, &settings, folder, output.writing.number, errors.writing.number, &child)
    guard code == 0 else { throw SystemError("start \(path)", code: code) }
    self.output = output.reading()
    self.errors = errors.reading()
    self.child = child
  }

  /// How it ended, once it has: its exit status, a signal's number below zero.
  ///
  /// Waits for its end, but not longer than `limit`; `nil` while it runs.
  package func status(within limit: Duration) -> Int32? {
    let end = ContinuousClock.now + limit
    while true {
      var status: Int32 = 0
      if unsafe tagstation_has_ended(child, &status) != 0 { return status }
      if ContinuousClock.now >= end { return nil }
      usleep(5000)
    }
  }

  /// Ends it and all that it started: SIGTERM, then SIGKILL to what is left after `grace`.
  package func end(grace: Duration = .seconds(2)) {
    isReaped.withLock { isReaped in
      if isReaped { return }
      isReaped = true
      if status(within: .zero) == nil {
        kill(-child, SIGTERM)
        _ = status(within: grace)
      }
      // Not waited for yet, it still has its number, and nobody else's group is meant.
      kill(-child, SIGKILL)
      while waitpid(child, nil, 0) < 0, tagstation_errno() == EINTR {}
    }
  }

  deinit { end() }

  /// A pipe: the child has the writing end, and this process the reading one.
  private struct Pipe: ~Copyable {
    let read: Descriptor
    let writing: Descriptor

    init() throws(SystemError) {
      var ends: [Int32] = [-1, -1]
      guard unsafe tagstation_pipe(&ends) == 0 else { throw .last("pipe") }
      read = Descriptor(owning: ends[0])
      writing = Descriptor(owning: ends[1])
    }

    /// The reading end alone; the writing one is closed.
    consuming func reading() -> Descriptor { read }
  }
}
