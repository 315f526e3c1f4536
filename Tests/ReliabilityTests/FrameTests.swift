import Foundation
import Platform
import Testing

/// Faults at every frame to the tag, each followed by the same command again.
@Suite(.serialized)
struct FrameTests {
  private struct Tally {
    var rounds = 0
    var inDoubt = 0
    var unlockable = 0
    var notReached = 0
    var faulty: [String] = []
  }

  /// Plays every fault with a rig of its own, some at once.
  private func play(_ faults: [FrameFault]) -> Tally {
    let tally = Locked(Tally())
    DispatchQueue.concurrentPerform(iterations: 4) { worker in
      for index in stride(from: worker, to: faults.count, by: 4) {
        let fault = faults[index]
        do {
          let ending = try FrameRig().play(fault)
          tally.withLock {
            $0.rounds += 1
            $0.inDoubt += ending.inDoubt
            $0.unlockable += ending.unlockable
            if !ending.reached { $0.notReached += 1 }
            if !ending.findings.isEmpty {
              $0.faulty.append("\(fault): \(ending.statuses) \(ending.findings)")
            }
          }
        } catch {
          tally.withLock { $0.faulty.append("\(fault): \(error)") }
        }
      }
    }
    return tally.withLock { $0 }
  }

  private func report(_ name: String, _ tally: Tally) {
    Rig.show(
      name,
      "\(tally.rounds) rounds, \(tally.faulty.count) faulty, \(tally.inDoubt) rows left in doubt, "
        + "\(tally.unlockable) on tags that can never be locked, "
        + "\(tally.notReached) faults that did not come to pass")
    #expect(tally.faulty.isEmpty, "\(tally.faulty.joined(separator: "\n"))")
    #expect(tally.notReached * 4 < tally.rounds)
  }

  /// A run without a fault: how many commands there are, and which of them are WRITEs.
  private func count() throws -> FrameRig.Ending {
    let ending = try FrameRig().play(nil)
    #expect(ending.statuses == [0] && ending.findings.isEmpty, "\(ending)")
    return ending
  }

  @Test func `R2: a run killed at any frame to the tag goes on with nothing lost or doubled`()
    throws
  {
    let commands = try count().tagCommands
    #expect(commands > 20)
    let faults = (1...commands).flatMap { command in
      FrameFault.Effect.allCases.enumerated().compactMap { index, effect in
        // The fast part takes each command once.
        Rig.isFull || command % 2 == index
          ? FrameFault(command: command, kind: .kill(effect)) : nil
      }
    }
    report("R2 kill at every frame (\(commands) commands)", play(faults))
  }

  @Test func `R4: a page torn at any write never passes, and is settled`() throws {
    let writes = try count().writes
    #expect(writes.count > 8)
    var faults: [FrameFault] = []
    for killing in [false, true] {
      for (place, command) in writes.enumerated() {
        for (index, page) in FrameFault.Page.allCases.enumerated()
        where Rig.isFull || (place + index + (killing ? 2 : 0)) % 5 == 0 {
          faults.append(FrameFault(command: command, kind: .tear(page, killing: killing)))
        }
      }
    }
    report("R4 torn pages (\(writes.count) writes)", play(faults))
  }
}
