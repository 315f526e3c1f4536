internal import CSystem
internal import Glibc

/// The signals that a program takes note of, read one at a time on a thread of their own.
///
/// Nothing runs in signal handlers, and no system call anywhere is cut short by one.
package enum Signals {
  /// Ctrl-C (SIGINT).
  package static let interrupt = SIGINT
  /// The usual wish of other programs that this one ends (SIGTERM).
  package static let terminate = SIGTERM
  /// The terminal is gone (SIGHUP).
  package static let hangUp = SIGHUP
  /// Ctrl-\\ (SIGQUIT).
  package static let quit = SIGQUIT
  /// Nobody reads any more what is written (SIGPIPE); ignored, and found out by the write.
  package static let brokenPipe = SIGPIPE
  /// The first one with no fixed meaning (SIGUSR1).
  package static let user1 = SIGUSR1

  /// Blocks these signals, and SIGTTIN, in this thread and all that it starts; ignores SIGPIPE.
  ///
  /// To be called before the first thread is started. With SIGTTIN blocked, reading from the terminal in
  /// the background fails instead of stopping the process.
  package static func block() {
    signal(SIGPIPE, SIG_IGN)
    var set = waited
    unsafe sigaddset(&set, SIGTTIN)
    unsafe pthread_sigmask(SIG_BLOCK, &set, nil)
  }

  /// Calls `handle` with each signal that arrives, on a thread made for it, until the process ends.
  ///
  /// Signals that were ignored when the process started (`nohup`, a background job of a script) stay
  /// ignored: the system drops them before they can be waited for.
  package static func listen(
    _ handle: @escaping @Sendable (Int32) -> Void
  ) throws(SystemError) {
    _ = try SystemThread(name: "signals") {
      var set = waited
      while true {
        var arrived: Int32 = 0
        if unsafe sigwait(&set, &arrived) == 0 { handle(arrived) }
      }
    }
  }

  private static var waited: sigset_t {
    var set = sigset_t()
    unsafe sigemptyset(&set)
    for number in [interrupt, terminate, hangUp, quit, user1] { unsafe sigaddset(&set, number) }
    return set
  }
}
