internal import Dispatch
internal import Platform

/// Waiting for asynchronous work on the program's first thread.
///
/// With an asynchronous `main` the first thread would end, and Linux then hides the process's open files,
/// by which others see who holds a reader.
enum Waiting {
  /// The result of `body`, which runs elsewhere meanwhile.
  static func forResult<Result: Sendable>(
    _ body: @escaping @Sendable () async -> Result
  ) -> Result {
    let box = Locked<Result?>(nil)
    let done = DispatchSemaphore(value: 0)
    Task {
      let result = await body()
      box.withLock { $0 = result }
      done.signal()
    }
    done.wait()
    guard let result = box.withLock({ $0 }) else {
      preconditionFailure("the semaphore is signalled after the result is there")
    }
    return result
  }
}
