import Foundation
import Platform
import Testing
import VirtualReader

/// Tags whose UID is not theirs alone: clones, random UIDs, zeros.
@Suite(.serialized)
struct CloneTests {
  @Test func `R7: a clone of a tag that is done is refused and left as it is`() throws {
    let rig = try FrameRig(
      [FrameRig.fresh(1), FrameRig.fresh(1)], rows: 2, unchecked: [1])
    var ending = try rig.run()
    let tags = ending.events("tag")
    #expect(tags.map(\.isPassed) == [true, false])
    #expect(tags.last?.contains("\"cause\":\"uidSeenBefore\"") == true, "\(tags)")
    #expect(tags.last?.contains("row ROW-0001 was put on this UID by run") == true, "\(tags)")
    #expect(try rig.shelf.withLock { $0[1] } == FrameRig.fresh(1))
    #expect(ending.statuses == [1])
    try rig.check(&ending, "after", killed: false)
    #expect(ending.findings == [])
    Rig.show("R7 clone of a done tag", "refused, untouched")
  }

  private struct Tally {
    var rounds = 0
    var faulty: [String] = []
    var causes: [String: Int] = [:]
  }

  /// The run on the first reader stands still at a command; meanwhile its tag's clone meets another run.
  @Test func `R7: a clone of a tag in work by another live run is refused`() throws {
    let commands = try FrameRig().play(nil).tagCommands
    let stops = (1...commands).filter { Rig.isFull || $0 % 5 == 0 }
    let tally = Locked(Tally())
    DispatchQueue.concurrentPerform(iterations: 3) { worker in
      for index in stride(from: worker, to: stops.count, by: 3) {
        let findings: [String]
        var cause = "?"
        do {
          findings = try meet(stoppedAt: stops[index], cause: &cause)
        } catch {
          findings = ["\(error)"]
        }
        tally.withLock {
          $0.rounds += 1
          $0.causes[cause, default: 0] += 1
          if !findings.isEmpty { $0.faulty.append("stopped at \(stops[index]): \(findings)") }
        }
      }
    }
    let all = tally.withLock { $0 }
    let causes = all.causes.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }
    Rig.show(
      "R7 clone beside a live run (\(commands) commands)",
      "\(all.rounds) rounds, \(all.faulty.count) faulty; the later one: "
        + causes.joined(separator: ", "))
    #expect(all.faulty.isEmpty, "\(all.faulty.joined(separator: "\n"))")
    #expect(all.causes["cloned", default: 0] * 2 > all.rounds)
  }

  /// What is wrong with a meeting; `cause` is why one of the two was refused.
  private func meet(stoppedAt command: Int, cause: inout String) throws -> [String] {
    let rig = try FrameRig([FrameRig.fresh(1), FrameRig.fresh(1)], rows: 2)
    let pid = Locked<Int32>(0)
    let isStopped = Locked(false)
    // A run that stood still lists again; its tag must not be taken away for that.
    let first = try rig.reader(
      deck: [0], hold: .forever,
      faults: { point in
        guard point.tagCommand == command, point.touchesTag, !isStopped.withLock({ $0 }) else {
          return []
        }
        for _ in 0..<5000 where pid.withLock({ $0 }) == 0 { usleep(1000) }
        kill(pid.withLock { $0 }, SIGSTOP)
        isStopped.withLock { $0 = true }
        return []
      })
    let second = try rig.reader("port-2", deck: [1])
    defer {
      first.stop()
      second.stop()
    }
    let one = try rig.start()
    pid.withLock { $0 = one.process.processIdentifier }
    for _ in 0..<6000 where !isStopped.withLock({ $0 }) { usleep(5000) }
    let other = try rig.start(on: "second")
    let otherEnded = other.ends(within: .seconds(120))
    kill(one.process.processIdentifier, SIGCONT)
    let oneEnded = one.ends(within: .seconds(120))
    let (mine, theirs) = (try one.result(), try other.result())
    var findings: [String] = []
    if !otherEnded || !oneEnded { findings.append("a run did not end by itself") }
    let tags = [mine, theirs].map { $0.lines.filter { $0.contains("\"event\":\"tag\"") } }
    let passed = tags.map { $0.count(where: \.isPassed) }
    if passed.reduce(0, +) != 1 { findings.append("\(passed) passed") }
    let loser = passed[0] == 1 ? 1 : 0
    let refused = tags[loser].first ?? ""
    for name in ["cloned", "uidSeenBefore"] where refused.contains("\"cause\":\"\(name)\"") {
      cause = name
    }
    // One that stood still before it had a tag may find that nothing came for too long.
    if command <= 3, tags[loser].isEmpty { cause = "idle" }
    if cause == "?" { findings.append("not refused") }
    let images = rig.shelf.withLock { $0 }
    if try images[loser].pages != FrameRig.fresh(1).pages {
      findings.append("the refused tag was written")
    }
    var ending = FrameRig.Ending()
    rig.unchecked = [loser]
    try rig.folder.write("shown", mine.output + theirs.output)
    try rig.check(&ending, "after both", killed: false)
    findings += ending.findings
    return findings.isEmpty ? [] : findings + tags.flatMap(\.self) + [mine.errors, theirs.errors]
  }

  @Test func `R7: random UIDs are known by their bytes, where the job says so`() throws {
    let rig = try FrameRig(
      [FrameRig.random(1), FrameRig.random(2)], rows: 2, accept: "{uid: random}")
    var ending = try rig.run()
    #expect(ending.events("tag").map(\.isPassed) == [true, true])
    try rig.check(&ending, "after", killed: false)
    #expect(ending.findings == [])
    // The next time they come with other UIDs, and are not written again.
    let before = rig.shelf.withLock { shelf in
      shelf[0].uid = [0x08, 0x77, 0x01, 0x02]
      shelf[1].uid = [0x08, 0x77, 0x03, 0x04]
      return shelf
    }
    let again = try rig.run()
    #expect(again.statuses == [0])
    #expect(again.events("tag").allSatisfy { !$0.isPassed })
    #expect(rig.shelf.withLock { $0 } == before)
    Rig.show("R7 random UIDs", "2 passed, none written again under other UIDs")
  }

  @Test
  func `R7: where UIDs are to be fixed, a random one is refused, and one of zeros taken once`()
    throws
  {
    let refused = try FrameRig([FrameRig.random(1)])
    let random = try refused.run()
    #expect(random.events("tag").count == 1)
    #expect(random.events("tag").first?.contains("accept: {uid: random}") == true)
    #expect(random.events("tag").first?.contains("\"cause\":\"unsupported\"") == true)
    #expect(try refused.shelf.withLock { $0[0] } == FrameRig.random(1))

    var zeros = try FrameRig.random(1)
    zeros.uid = [0, 0, 0, 0]
    let rig = try FrameRig([zeros, zeros], rows: 2, unchecked: [1])
    var ending = try rig.run()
    let tags = ending.events("tag")
    #expect(tags.map(\.isPassed) == [true, false])
    #expect(tags.last?.contains("\"cause\":\"uidSeenBefore\"") == true, "\(tags)")
    #expect(rig.shelf.withLock { $0[1] } == zeros)
    try rig.check(&ending, "after", killed: false)
    #expect(ending.findings == [])
    Rig.show("R7 fixed UIDs", "a random one refused; of two zeros one passed, one refused")
  }
}
