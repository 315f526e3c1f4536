import Foundation
import Testing

/// Faults at every frame to the tag, each followed by the same command again.
@Suite(.serialized)
struct FrameTests {
  /// All chips that jobs can write, the one that the other tests use first.
  static let chips = [
    "NTAG213", "NTAG215", "NTAG216", "NTAG210", "NTAG212", "UltralightEV1-48", "UltralightEV1-128",
    "Ultralight",
  ]

  private static func rig(_ chip: String) throws -> FrameRig {
    try FrameRig([FrameRig.fresh(1, chip: chip)])
  }

  /// A run without a fault: how many commands there are, and which of them are WRITEs.
  private func count(_ chip: String = Self.chips[0]) throws -> FrameRig.Ending {
    let ending = try Self.rig(chip).play(nil)
    #expect(ending.statuses == [0] && ending.findings.isEmpty, "\(chip): \(ending)")
    return ending
  }

  /// Which part of the faults the fast length has of a chip: one in so many.
  private func share(_ chip: String) -> Int { chip == Self.chips[0] ? 1 : 12 }

  @Test(arguments: chips)
  func `R2: a run killed at any frame to the tag goes on with nothing lost or doubled`(
    _ chip: String
  ) throws {
    let commands = try count(chip).tagCommands
    #expect(commands > 20)
    let faults = (1...commands).flatMap { command in
      FrameFault.Effect.allCases.enumerated().compactMap { index, effect in
        // The fast part takes each command once, of other chips some.
        Rig.isFull || command % 2 == index && command % share(chip) == 0
          ? FrameFault(command: command, kind: .kill(effect)) : nil
      }
    }
    Rounds.play(faults, rig: { try Self.rig(chip) }).report(
      "R2 kill at every frame, \(chip) (\(commands) commands)")
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

  @Test(arguments: chips)
  func `R4: a page torn at any write never passes, and is settled`(_ chip: String) throws {
    let writes = try count(chip).writes
    #expect(writes.count > 8)
    var faults: [FrameFault] = []
    for killing in [false, true] {
      for (place, command) in writes.enumerated() {
        for (index, page) in FrameFault.Page.allCases.enumerated()
        where Rig.isFull
          || (place + index + (killing ? 2 : 0)) % 5 == 0 && (place + index) % share(chip) == 0
        {
          faults.append(FrameFault(command: command, kind: .tear(page, killing: killing)))
        }
      }
    }
    Rounds.play(faults, rig: { try Self.rig(chip) }).report(
      "R4 torn pages, \(chip) (\(writes.count) writes)")
  }
}
