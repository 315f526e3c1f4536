internal import CSystem
internal import Glibc

/// A thread of the system, for work that blocks on descriptors for as long as it lives.
///
/// All signals are blocked in it: they belong to the program's main thread.
@safe
package final class SystemThread: Sendable {
  private final class Work: Sendable {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }

  private let handle: Locked<pthread_t?>

  /// Starts `body` on a new thread called `name` (at most 15 bytes).
  package init(name: String, _ body: @escaping @Sendable () -> Void) throws(SystemError) {
    var all = sigset_t()
    var before = sigset_t()
    unsafe sigfillset(&all)
    unsafe pthread_sigmask(SIG_SETMASK, &all, &before)
    defer { unsafe pthread_sigmask(SIG_SETMASK, &before, nil) }
    let work = unsafe Unmanaged.passRetained(Work(body))
    var thread = pthread_t()
    let code = unsafe pthread_create(
      &thread, nil,
      { pointer in
        if let pointer = unsafe pointer {
          unsafe Unmanaged<Work>.fromOpaque(pointer).takeRetainedValue().body()
        }
        return nil
      }, work.toOpaque())
    guard code == 0 else {
      unsafe work.release()
      throw SystemError("start thread \(name)", code: code)
    }
    unsafe tagstation_name_thread(thread, name)
    handle = Locked(thread)
  }

  /// Waits until the thread has ended; only the first call waits.
  package func join() {
    if let thread = handle.withLock({ $0.take() }) { pthread_join(thread, nil) }
  }

  deinit {
    if let thread = handle.withLock({ $0.take() }) { pthread_detach(thread) }
  }
}
