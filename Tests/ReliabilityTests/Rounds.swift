import Foundation
import Platform
import Testing

/// Many rounds, each with a rig of its own, some at once, and what came of them.
struct Rounds: Sendable {
  var count = 0
  var inDoubt = 0
  var unlockable = 0
  var notReached = 0
  /// How often the run with the fault ended with which exit status.
  var statuses: [Int32: Int] = [:]
  var faulty: [String] = []

  /// How many rounds go on at once; they mostly wait for the reader.
  private static let workers = Rig.isFull ? 8 : 4

  /// Plays every fault; `judge` adds what is wrong with an ending beyond its own findings.
  static func play(
    _ faults: [FrameFault], rig: @escaping @Sendable () throws -> FrameRig = { try FrameRig() },
    judge: @escaping @Sendable (FrameFault, FrameRig.Ending) -> [String] = { _, _ in [] }
  ) -> Rounds {
    let tally = Locked(Rounds())
    // Not concurrentPerform, which has no more threads than the machine has processors.
    let queue = OperationQueue()
    queue.maxConcurrentOperationCount = Self.workers
    for fault in faults {
      queue.addOperation {
        do {
          let ending = try rig().play(fault)
          let findings = ending.findings + judge(fault, ending)
          tally.withLock {
            $0.count += 1
            $0.inDoubt += ending.inDoubt
            $0.unlockable += ending.unlockable
            if !ending.reached { $0.notReached += 1 }
            $0.statuses[ending.statuses.first ?? -1, default: 0] += 1
            if !findings.isEmpty {
              $0.faulty.append("\(fault): \(ending.statuses) \(findings) \(ending.errors)")
            }
          }
        } catch {
          tally.withLock { $0.faulty.append("\(fault): \(error)") }
        }
      }
    }
    queue.waitUntilAllOperationsAreFinished()
    return tally.withLock { $0 }
  }

  /// Shows the figure; every round has to be as promised, and most faults have to come to pass.
  func report(_ name: String) {
    var figure = "\(count) rounds, \(faulty.count) faulty, \(inDoubt) rows left in doubt"
    if unlockable > 0 { figure += ", \(unlockable) on tags that can never be locked" }
    let ends = statuses.sorted { $0.key < $1.key }.map { "\($0.value) with \($0.key)" }
    figure +=
      "; the runs with the fault ended \(ends.joined(separator: ", ")); "
      + "\(notReached) faults did not come to pass"
    Rig.show(name, figure)
    #expect(faulty.isEmpty, "\(faulty.joined(separator: "\n"))")
    #expect(notReached * 4 < count)
  }
}
