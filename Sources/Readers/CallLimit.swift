internal import CLibNFC
internal import Platform

/// The time limit of the libnfc call in flight on one device, and the way to cut it short from other threads.
///
/// `nfc_abort_command` closes a pipe that the waiting thread watches while it waits for the first bytes of the
/// chip's answer. Called at any other time it is lost and leaves one descriptor behind, so it is called only
/// while a call is in flight, and not in its first 50 ms, in which the chip acknowledges the command.
@safe
package final class CallLimit: Sendable {
  // The pointer is used under the lock only, and taken out before the device is closed.
  @safe private struct State: @unchecked Sendable {
    var device: OpaquePointer?
    var isInUse = false
    var isCanceled = false
    var began = ContinuousClock.now
    var deadline: ContinuousClock.Instant?
    var aborts = 0
  }

  /// How a use of the device ended, apart from what libnfc said.
  struct Outcome {
    let isCanceled: Bool
    let hasExpired: Bool
  }

  private static let acknowledgement = Duration.milliseconds(50)
  private static let patience = Duration.seconds(1)
  private static let mostAborts = 3

  private let state = Locked(State())

  init() {}

  /// Cuts the use of the device short that is going on now; `false` if none is.
  ///
  /// The call throws `canceled`, unless it already has its answer. A later call is not touched.
  @discardableResult
  package func cancel() -> Bool {
    state.withLock { state in
      if state.isInUse { state.isCanceled = true }
      return state.isInUse
    }
  }

  /// Whether the use of the device going on now is to end.
  var isCanceled: Bool { state.withLock { $0.isCanceled } }

  /// Begins a use of the device, which may consist of several libnfc calls and waits.
  func beginUse() {
    state.withLock { state in
      state.isInUse = true
      state.isCanceled = false
      state.aborts = 0
    }
  }

  /// Ends the use.
  func endUse() -> Outcome {
    state.withLock { state in
      defer {
        state.isInUse = false
        state.isCanceled = false
      }
      return Outcome(isCanceled: state.isCanceled, hasExpired: state.aborts > 0)
    }
  }

  /// Runs one libnfc call that must end within `limit`.
  func withDeadline<Result>(_ limit: Duration, _ call: () -> Result) -> Result {
    state.withLock { state in
      state.began = .now
      state.deadline = state.began + limit
    }
    defer { state.withLock { $0.deadline = nil } }
    return call()
  }

  /// Names the device that calls are made on, `nil` before it is closed.
  func attach(_ device: OpaquePointer?) {
    state.withLock { unsafe $0.device = device }
  }

  /// Ends the call in flight if its time is over or it is canceled; called by the watchdog.
  func enforce(at now: ContinuousClock.Instant) {
    state.withLock { state in
      guard let deadline = state.deadline, let device = unsafe state.device,
        state.aborts < Self.mostAborts
      else { return }
      let isDue = state.isCanceled && state.aborts == 0 && now >= state.began + Self.acknowledgement
      guard isDue || now >= deadline else { return }
      state.aborts += 1
      state.deadline = now + Self.patience
      unsafe nfc_abort_command(device)
    }
  }
}
