internal import CSystem
internal import Glibc

/// A signal that ends another thread's wait on descriptors; once given it stays given.
package final class WakeSignal: Sendable {
  private let event: Descriptor

  /// A signal not yet given.
  package init() throws(SystemError) {
    let number = eventfd(0, Int32(EFD_CLOEXEC) | Int32(EFD_NONBLOCK))
    guard number >= 0 else { throw .last("eventfd") }
    event = Descriptor(owning: number)
  }

  /// Readable once the signal was given.
  package var number: Int32 { event.number }

  /// Waits for the signal, at most `limit`; `true` if it was given.
  package func wait(atMost limit: Duration) throws(SystemError) -> Bool {
    let nanoseconds = Int64(max(limit, .zero) / .nanoseconds(1))
    let ready = tagstation_wait_readable(event.number, event.number, nanoseconds)
    guard ready >= 0 else { throw .last("wait for a signal") }
    return ready != 0
  }

  /// Gives the signal.
  package func give() {
    eventfd_write(event.number, 1)
  }
}
