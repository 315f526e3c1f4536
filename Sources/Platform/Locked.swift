internal import Glibc

/// A value that several threads share, behind a mutex.
///
/// `Synchronization.Mutex` reports races on correct code under the thread sanitizer of Swift 6.3; a plain
/// `pthread_mutex_t` does not.
@safe
package final class Locked<Value>: @unchecked Sendable {
  // Sendable: `value` is touched between lock and unlock of `mutex` only.
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>
  private var value: Value

  /// Wraps `value`.
  package init(_ value: Value) {
    self.value = value
    unsafe mutex = .allocate(capacity: 1)
    unsafe pthread_mutex_init(mutex, nil)
  }

  deinit {
    unsafe pthread_mutex_destroy(mutex)
    unsafe mutex.deallocate()
  }

  /// Runs a closure with the value while no other thread has it.
  ///
  /// Must not be nested on one value.
  package func withLock<Result, Failure: Error>(
    _ body: (inout Value) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    unsafe pthread_mutex_lock(mutex)
    defer { unsafe pthread_mutex_unlock(mutex) }
    return try body(&value)
  }
}
