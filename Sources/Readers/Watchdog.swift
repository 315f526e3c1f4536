internal import Glibc
internal import Platform

/// The thread that holds every libnfc call of the process to its time limit.
///
/// It runs only while a device is open.
enum Watchdog {
  private struct State: Sendable {
    var limits: [ObjectIdentifier: CallLimit] = [:]
    var isRunning = false
  }

  private static let state = Locked(State())
  private static let tick = useconds_t(100_000)

  /// Watches over the calls of `limit` from now on.
  static func watch(_ limit: CallLimit) {
    state.withLock { state in
      state.limits[ObjectIdentifier(limit)] = limit
      if !state.isRunning { state.isRunning = start() }
    }
  }

  /// Watches no more.
  static func forget(_ limit: CallLimit) {
    state.withLock { state in state.limits[ObjectIdentifier(limit)] = nil }
  }

  private static func start() -> Bool {
    do throws(SystemError) {
      _ = try SystemThread(name: "reader-watchdog") {
        while Watchdog.round() { usleep(Watchdog.tick) }
      }
      return true
    } catch {
      return false
    }
  }

  /// Looks at every call once; `false` when there is nothing left to watch.
  private static func round() -> Bool {
    let limits: [CallLimit] = state.withLock { state in
      if state.limits.isEmpty { state.isRunning = false }
      return Array(state.limits.values)
    }
    let now = ContinuousClock.now
    for limit in limits { limit.enforce(at: now) }
    return !limits.isEmpty
  }
}
