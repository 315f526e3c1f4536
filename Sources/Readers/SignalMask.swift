internal import Glibc

/// Which signals reach a thread that waits in libnfc.
///
/// libnfc starts its waits again, with the full time, whenever a signal ends one: a periodic signal would
/// keep it waiting for ever.
enum SignalMask {
  private static let periodic: [Int32] = [SIGALRM, SIGVTALRM, SIGPROF, SIGCHLD, SIGWINCH, SIGIO]

  /// Runs `body` with the signals kept from this thread that come again and again.
  static func withoutPeriodicSignals<Result>(_ body: () -> Result) -> Result {
    var blocked = sigset_t()
    var previous = sigset_t()
    unsafe sigemptyset(&blocked)
    for signal in periodic { unsafe sigaddset(&blocked, signal) }
    unsafe pthread_sigmask(SIG_BLOCK, &blocked, &previous)
    defer { unsafe pthread_sigmask(SIG_SETMASK, &previous, nil) }
    return body()
  }
}
