import Foundation
import Testing

/// Faults at every frame to the tag, each followed by the same command again.
@Suite(.serialized)
struct FrameTests {
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
    Rounds.play(faults).report("R2 kill at every frame (\(commands) commands)")
  }

  @Test func `R21: a signal at any command stops the run after the tag in hand`() throws {
    let commands = try count().tagCommands
    let signals = FrameFault.statuses.keys.sorted()
    let faults = (1...commands).flatMap { command in
      signals.enumerated().compactMap { index, signal in
        // The fast part has each signal at every tenth command.
        Rig.isFull || (command + index * 2) % 10 == 0
          ? FrameFault(command: command, kind: .signal(signal)) : nil
      }
    }
    Rounds.play(faults).report("R21 signals (\(commands) commands)")
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
    Rounds.play(faults).report("R4 torn pages (\(writes.count) writes)")
  }
}
