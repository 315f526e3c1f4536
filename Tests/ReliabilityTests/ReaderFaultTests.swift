import Foundation
import Testing
import VirtualReader

/// A reader that fails at every frame of a job, or goes away and comes back at another port.
@Suite(.serialized)
struct ReaderFaultTests {
  /// What passes, and what every run is to get over by itself.
  static let passing: [Fault] = [
    .split(.milliseconds(20)), .joined, .noAck, .nack, .noReply, .delay(.milliseconds(100)),
    .delay(.milliseconds(500)), .garbage([0xF0, 0x0F, 0x55, 0x00, 0xFF, 0x01]), .badSum, .badLength,
    .badEnd, .truncated(6), .errorFrame, .reset, .speed(921_600),
  ]

  /// How many frames a run sends without a fault.
  private func count() throws -> Int {
    let ending = try FrameRig().play(nil)
    #expect(ending.statuses == [0] && ending.findings.isEmpty, "\(ending)")
    return ending.hostCommands
  }

  private func faults(_ kinds: [Fault], frames: Int, every step: Int) -> [FrameFault] {
    (1...frames).flatMap { frame in
      kinds.enumerated().compactMap { index, fault in
        Rig.isFull || frame % step == 0 && (frame / step) % kinds.count == index
          ? FrameFault(command: frame, kind: .reader(fault), countsAllFrames: true) : nil
      }
    }
  }

  @Test func `R5: a reader that garbles, loses or delays any frame costs nothing but time`() throws
  {
    let frames = try count()
    let faults = faults(Self.passing, frames: frames, every: 3)
    let rounds = Rounds.play(
      faults,
      judge: { _, ending in
        // Whatever the frame was, the run goes on by itself and finishes its tag.
        ending.statuses.first == 0 ? [] : ["the run ended with \(ending.statuses): \(ending.lines)"]
      })
    rounds.report("R5 faulty frames (\(frames) frames)")
  }

  @Test func `R5: a reader unplugged at any frame is said to be gone, and found at its new port`()
    throws
  {
    let frames = try count()
    let faults = faults(
      [.unplug(comeBack: .milliseconds(300))], frames: frames, every: Rig.isFull ? 1 : 7)
    let rounds = Rounds.play(
      faults,
      judge: { _, ending in
        let (lost, back) = (ending.events("reader.lost").count, ending.events("reader.back").count)
        // Before it was ever open there is nothing to come back to: that is the first frames' 69.
        if ending.statuses.first == 69, lost == 0, ending.events("tag").isEmpty { return [] }
        // And all was done and recorded when it went while it was being closed.
        let isDone = ending.events("run.ended").first?.contains("\"passed\":1") ?? false
        if ending.statuses.first == 0, lost == 0, isDone { return [] }
        var findings: [String] = []
        if lost != 1 || back != 1 { findings.append("lost \(lost) times, back \(back) times") }
        // The tag that still lay there was taken up again.
        if ending.statuses.first != 0 { findings.append("not finished in the same run") }
        return findings.isEmpty ? [] : findings + ending.lines
      })
    rounds.report("R5 unplugged and back (\(frames) frames)")
  }
}
