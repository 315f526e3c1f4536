internal import CSystem
internal import Glibc

/// Another program, run to its end, with what the kernel says it used.
package struct ChildProcess: Sendable {
  /// The exit status; a signal's number below zero.
  package let status: Int32
  /// From its start until it was reaped.
  package let wall: Duration
  /// In user and in kernel mode.
  package let processor: Duration
  /// The most memory it had resident, in bytes.
  ///
  /// Never below what the starting process had at the time: Linux counts the moment before `execve` too.
  package let peakMemory: Int

  /// Runs the program at `path`, with nothing on standard input and both outputs in the file `output`.
  ///
  /// A child that a signal stops is waited for; none but this child is.
  package init(
    running path: String, _ arguments: [String], environment: [String: String],
    output: String = "/dev/null"
  ) throws(SystemError) {
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    unsafe posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    unsafe posix_spawn_file_actions_addopen(
      &actions, 1, output, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    unsafe posix_spawn_file_actions_adddup2(&actions, 1, 2)
    var words = unsafe ([path] + arguments).map { unsafe strdup($0) } + [nil]
    var settings = unsafe environment.map { unsafe strdup("\($0.key)=\($0.value)") } + [nil]
    defer { unsafe (words + settings).forEach { unsafe free($0) } }
    var child = pid_t()
    let start = ContinuousClock.now
    let code = unsafe posix_spawn(&child, path, &actions, nil, &words, &settings)
    guard code == 0 else { throw SystemError("start \(path)", code: code) }
    var ended: Int32 = 0
    var usage = rusage()
    while unsafe wait4(child, &ended, 0, &usage) < 0 {
      if tagstation_errno() != EINTR { throw .last("wait for \(path)") }
    }
    wall = ContinuousClock.now - start
    let signal = ended & 0x7F
    status = signal == 0 ? ended >> 8 & 0xFF : -signal
    processor = Self.duration(usage.ru_utime) + Self.duration(usage.ru_stime)
    peakMemory = usage.ru_maxrss * 1024
  }

  private static func duration(_ time: timeval) -> Duration {
    .seconds(time.tv_sec) + .microseconds(time.tv_usec)
  }
}
