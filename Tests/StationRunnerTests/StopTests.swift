import Ledger
import Platform
import StationRunner
import Testing
import VirtualReader

/// When a run stops, and how its sessions end.
@Suite struct StopTests {
  static let write = """
    steps:
      - write:
          - uri: "https://example.com/${tag.position}"
    """

  @Test func `afterTags, and a limit over it`() async throws {
    let bench = try Bench(Bench.fresh("NTAG213", count: 4))
    let job = "job: stop\nstop: {afterTags: 2}\n" + Self.write
    let (summary, ear) = try await bench.run(job)
    #expect(ear.tags.count == 2)
    #expect(summary.reason == .afterTags)
    let (limited, one) = try await bench.run(job, positions: [3, 4]) { $0.limit = 1 }
    #expect(one.tags.count == 1)
    #expect(limited.reason == .afterTags)
  }

  @Test func `afterFailures counts those in a row`() async throws {
    var tags = Bench.fresh("NTAG213", count: 5)
    for bad in [0, 2, 3] { tags[bad].pages[15] = 0x0F }
    let bench = try Bench(tags)
    let (summary, ear) = try await bench.run(
      "job: stop\nstop: {afterFailures: 2}\n" + Self.write)
    #expect(ear.tags.map(\.outcome) == [.failed, .passed, .failed, .failed])
    #expect(summary.reason == .failures)
    #expect(summary.exit == .someFailed)
  }

  @Test func `an empty reader is idle, and one tag too few is said by the exit status`()
    async throws
  {
    let reader = try VirtualReader(configuration: VirtualReaderConfiguration(timing: .none))
    defer { reader.stop() }
    let bench = try Bench([])
    for (expected, exit) in [("1", ExitStatus.someFailed), ("any", .success)] {
      let (summary, ear) = try await bench.run(
        "job: stop\nexpectTags: \(expected)\nstop: {whenIdleFor: 2500ms}\n"
          + "session: {timeout: 1s}\nsteps: [read: {}]\n",
        on: reader)
      #expect(summary.reason == .idle, "\(summary)")
      #expect(summary.exit == exit)
      // A second each; the run's end comes in the third.
      #expect(ear.ends.prefix(2) == ["201 system", "201 system"], "\(ear.ends)")
    }
  }

  @Test func `a batch is as many tags as it says, each in a session of its own`() async throws {
    let bench = try Bench(Bench.fresh("NTAG213", count: 5))
    let (_, ear) = try await bench.run(
      "job: stop\nbatch: {tags: 2, prompt: Change the tray}\n" + Self.write)
    #expect(ear.tags.map(\.batch) == [1, 1, 2, 2, 3])
    let prompts = ear.news.filter {
      if case .remark(let text) = $0 { text == "prompt: Change the tray" } else { false }
    }
    #expect(prompts.count == 3)
    #expect(ear.tags.map(\.session) == [1, 1, 2, 2, 3])
  }

  @Test func `reading one tag a session ends each with 204 in an ndef session, else with 200`()
    async throws
  {
    for (kind, end) in [("ndef", "204 system"), ("tag", "200 runner")] {
      let bench = try Bench(Bench.fresh("NTAG215", count: 2))
      let (_, ear) = try await bench.run(
        """
        job: once
        session: {kind: \(kind), invalidateAfterFirstRead: true}
        steps: [read: {}]
        """)
      #expect(ear.tags.count == 2)
      #expect(ear.ends.prefix(2) == [end, end], "\(ear.ends)")
    }
  }

  @Test func `a person's wish ends the run after the tag in hand`() async throws {
    let bench = try Bench(Bench.fresh("NTAG213", count: 3))
    let cancellation = bench.cancellation
    let (summary, ear) = try await bench.run(
      "job: stop\n" + Self.write,
      observer: Ear { report in
        if report.position == 1 { cancellation.raise(signal: 2) }
      })
    #expect(ear.tags.map(\.outcome) == [.passed])
    #expect(ear.ends == ["200 person"])
    #expect(summary.reason == .canceled)
    #expect(summary.exit == .interrupted)
  }

  @Test func `the second wish stops at once, with the ledger in order`() async throws {
    let bench = try Bench(Bench.fresh("NTAG213"))
    let cancellation = bench.cancellation
    let (summary, ear) = try await bench.run(
      "job: stop\n" + Self.write,
      faults: { point in
        // At the second WRITE of the message.
        if point.code == 0x40, Array(point.parameters.dropFirst().prefix(2)) == [0xA2, 7] {
          cancellation.raise(signal: 15)
          cancellation.raise(signal: 15)
        }
        return []
      })
    #expect(ear.tags.map(\.outcome) == [.torn], "\(ear.tags)")
    #expect(summary.exit == .terminated)
    #expect(try bench.ledger().counts(series: "stop")[.free] == 1)
  }

  @Test func `a reading job skips what it has seen, unless it repeats always`() async throws {
    for (word, outcomes) in [
      ("eachRun", [Outcome.passed, .passed, .skipped]), ("always", [.passed, .passed, .passed]),
    ] {
      let bench = try Bench(Bench.fresh("NTAG213", count: 2))
      let (summary, ear) = try await bench.run(
        "job: again\nrepeat: \(word)\nsteps: [read: {}]\n", positions: [1, 2, 1])
      #expect(ear.tags.map(\.outcome) == outcomes)
      #expect(summary.exit == .success)
    }
  }
}
