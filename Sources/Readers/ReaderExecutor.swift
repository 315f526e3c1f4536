internal import Dispatch

/// The one thread at a time on which everything that concerns one reader runs.
///
/// Calls to a reader block; on a queue of their own they do not hold up the cooperative threads.
package final class ReaderExecutor: SerialExecutor {
  private let queue: DispatchQueue

  /// An executor for the reader called `name`.
  package init(name: String) {
    queue = DispatchQueue(label: "tagstation.reader.\(name)")
  }

  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { unsafe job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }

  package func checkIsolated() {
    dispatchPrecondition(condition: .onQueue(queue))
  }
}
