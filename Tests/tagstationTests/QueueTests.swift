import Foundation
import Testing

/// Runs of several processes on one reader: first come, first served (promise 8).
@Suite(.serialized) struct QueueTests {
  private static let brief = """
    station: station.yaml
    expectTags: any
    stop: {whenIdleFor: 300ms}
    steps: [read]
    """
  private static let endless = """
    station: station.yaml
    stop: never
    steps: [read]
    """

  @Test func `eight runs get the reader in the order they came, whoever is killed`() throws {
    let bench = try ReaderBench()
    var runs: [(name: String, process: Process)] = []
    let holder = try bench.run("holder", Self.endless)
    #expect(bench.wait(for: "session.began", of: "holder"))
    for number in 1...8 {
      let name = "run-\(number)"
      runs.append((name, try bench.run(name, Self.brief)))
      #expect(bench.wait(for: "session.queued", of: name))
    }
    var numbers = SystemRandomNumberGenerator()
    let victims = Set((0..<8).shuffled(using: &numbers).prefix(3))
    for victim in victims { kill(runs[victim].process.processIdentifier, SIGKILL) }
    kill(holder.processIdentifier, SIGKILL)
    for run in runs { run.process.waitUntilExit() }
    let survivors = runs.indices.filter { !victims.contains($0) }.map { runs[$0].name }
    let errors = try survivors.map { try bench.errors(of: $0) }
    #expect(bench.jobs(with: "session.began") == ["holder"] + survivors, "\(errors)")
    for index in runs.indices where !victims.contains(index) {
      #expect(runs[index].process.terminationStatus == 0)
    }
  }

  @Test func `the death of the holder frees the reader at once`() throws {
    let bench = try ReaderBench()
    let holder = try bench.run("holder", Self.endless)
    #expect(bench.wait(for: "session.began", of: "holder"))
    let next = try bench.run("next", Self.brief)
    #expect(bench.wait(for: "session.queued", of: "next"))
    #expect(
      try bench.errors(of: "next").contains("job holder (process \(holder.processIdentifier))"))
    kill(holder.processIdentifier, SIGKILL)
    next.waitUntilExit()
    #expect(next.terminationStatus == 0)
    #expect(bench.jobs(with: "session.began") == ["holder", "next"])
  }

  @Test func `without a queue a run ends with 75 and says who has the reader`() throws {
    let bench = try ReaderBench()
    let holder = try bench.run("holder", Self.endless)
    #expect(bench.wait(for: "session.began", of: "holder"))
    let other = try bench.run("other", Self.brief, "--no-queue")
    other.waitUntilExit()
    #expect(other.terminationStatus == 75)
    #expect(
      try bench.errors(of: "other").contains("job holder (process \(holder.processIdentifier))"))
    let end = bench.log.last { $0["event"] as? String == "session.ended" }
    #expect(end?["reason"] as? String == "readerSessionInvalidationErrorSystemIsBusy")
    #expect(end?["code"] as? Int == 203)
  }

  @Test func `a wait in the queue ends after queueFor with 75`() throws {
    let bench = try ReaderBench()
    _ = try bench.run("holder", Self.endless)
    #expect(bench.wait(for: "session.began", of: "holder"))
    let other = try bench.run("other", "queueFor: 200ms\n" + Self.brief)
    other.waitUntilExit()
    #expect(other.terminationStatus == 75)
    #expect(bench.jobs(with: "session.queued") == ["other"])
  }

  @Test func `who holds the reader and who waits is shown`() throws {
    let bench = try ReaderBench()
    let holder = try bench.run("holder", Self.endless)
    #expect(bench.wait(for: "session.began", of: "holder"))
    let waiter = try bench.run("waiter", Self.brief)
    #expect(bench.wait(for: "session.queued", of: "waiter"))
    let shown = try bench.folder.program.run("readers", "--format", "json")
    #expect(shown.status == 75)
    let object = try JSONSerialization.jsonObject(with: Data(shown.output.utf8)) as? [String: Any]
    let reader = (object?["readers"] as? [[String: Any]])?.first
    let first = reader?["holder"] as? [String: Any]
    let waiting = reader?["waiting"] as? [[String: Any]]
    #expect(reader?["state"] as? String == "held")
    #expect(first?["process"] as? Int32 == holder.processIdentifier)
    #expect(first?["job"] as? String == "holder")
    #expect(waiting?.map { $0["process"] as? Int32 } == [waiter.processIdentifier])
    #expect(waiting?.first?["until"] is String)
  }

  @Test func `a program that is no station makes the reader busy, not queued`() throws {
    let bench = try ReaderBench()
    // Another user's program: root ignores TIOCEXCL.
    unsafe chmod(bench.port, 0o666)
    let other = Process()
    other.executableURL = URL(filePath: "/bin/sh")
    other.arguments = [
      "-c",
      "exec setpriv --reuid=65534 --regid=65534 --clear-groups sh -c 'exec 3<>\"$0\"; sleep 30' \"$0\"",
      bench.port,
    ]
    try other.run()
    defer { kill(other.processIdentifier, SIGKILL) }
    for _ in 0..<200 where !Self.isOpen(bench.port, in: other.processIdentifier) { usleep(10_000) }
    let run = try bench.run("run", "retries: {busy: 1, wait: 100ms}\n" + Self.brief)
    run.waitUntilExit()
    #expect(run.terminationStatus == 75)
    #expect(bench.jobs(with: "session.queued").isEmpty)
    // The first refusal and the repetition that the job asks for.
    #expect(bench.log.count { $0["code"] as? Int == 203 } == 2)
    #expect(try bench.errors(of: "run").contains("(process \(other.processIdentifier))"))
  }

  private static func isOpen(_ path: String, in process: Int32) -> Bool {
    let folder = "/proc/\(process)/fd"
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.contains {
      (try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\($0)")) == path
    }
  }
}
