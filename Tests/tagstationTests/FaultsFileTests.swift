import Foundation
import Testing

/// Faults files: checked, played by a station's virtual reader, and by `virtual-reader`.
struct FaultsFileTests {
  private let folder: ScratchFolder
  private let program: BuiltProgram

  init() throws {
    folder = try ScratchFolder()
    program = folder.program
  }

  private func write(_ name: String, _ text: String) throws {
    try Data(text.utf8).write(to: folder.url.appending(path: name))
  }

  /// A station whose reader plays `faults`, and a job for so many tags.
  private func prepare(_ faults: String, tags: Int) throws {
    try write("faults.yaml", faults)
    try write(
      "station.yaml",
      """
      station: faulty
      declarations: {formats: [TAG], usageDescription: Tests}
      readers:
        only: {virtual: {tags: [\(tags) x NTAG213], timing: none, faults: faults.yaml}}
      ledger: ledger.sqlite
      log: log.jsonl
      """)
    let rows = (1...tags).map { "{code: A\($0)}" }.joined(separator: ", ")
    try write(
      "job.yaml",
      """
      job: faults
      data: {rows: [\(rows)], key: code}
      stop: {whenIdleFor: 5s}
      steps:
        - write: [{uri: "https://example.com/${row.code}"}]
        - verify
        - lock
      """)
  }

  private func log(_ event: String) throws -> [[String: Any]] {
    try String(contentsOf: folder.url.appending(path: "log.jsonl"), encoding: .utf8)
      .split(separator: "\n").map { line in
        try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any] ?? [:]
      }.filter { $0["event"] as? String == event }
  }

  @Test func `a reader that is plugged in again is found, and its tag taken up`() throws {
    try prepare("- {tag: 2, page: 8, do: unplug, for: 20s}\n", tags: 3)
    let result = try program.run("run", "job.yaml", "--no-input")
    #expect(result.status == 0, "\(result.errors)")
    #expect(try log("reader.lost").count == 1)
    #expect(try log("reader.back").count == 1)
    let tags = try log("tag")
    #expect(tags.compactMap { $0["outcome"] as? String } == ["passed", "torn", "passed", "passed"])
    #expect(tags[1]["uid"] as? String == tags[2]["uid"] as? String)
    #expect(tags.compactMap { $0["row"] as? String } == ["A1", "A2", "A2", "A3"])
  }

  @Test func `a reader that stays away ends the run with 69`() throws {
    try prepare("- {tag: 1, command: 14, do: unplug}\n", tags: 2)
    let result = try program.run("run", "job.yaml", "--no-input")
    #expect(result.status == 69, "\(result.errors)")
    #expect(result.errors.contains("did not come back within 30 s"))
  }

  @Test func `a tag torn at a page and back in time passes`() throws {
    try prepare("- {tag: 1, page: 8, do: lift, for: 500ms}\n", tags: 1)
    let result = try program.run("run", "job.yaml", "--no-input")
    #expect(result.status == 0, "\(result.errors)")
    #expect(try log("tag").compactMap { $0["outcome"] as? String } == ["passed"])
  }

  @Test(arguments: [
    "badSum", "noAck", "ackOnly", "late", "garbage", "badLength", "badEnd", "short", "split",
    "joined", "nack", "error", "noise", "nak", "field", "reset", "speed",
  ])
  func `a passing fault costs nothing but time`(_ word: String) throws {
    try prepare("- {tag: 1, command: 12, do: \(word)}\n", tags: 2)
    let result = try program.run("run", "job.yaml", "--no-input")
    #expect(result.status == 0, "\(result.errors)")
    #expect(try log("tag").compactMap { $0["outcome"] as? String } == ["passed", "passed"])
  }

  @Test func `a faults file is checked, by itself and with its station`() throws {
    try prepare("- {tag: 1, comand: 12, do: lift}\n", tags: 1)
    for file in ["faults.yaml", "station.yaml"] {
      let result = try program.run("check", file)
      #expect(result.status == 65)
      #expect(result.errors.contains("faults.yaml:1:12: error: unknown key `comand`"))
      #expect(result.errors.contains("did you mean `command`?"))
    }
    let reader = try program.run(
      "virtual-reader", "--tags", "NTAG213", "--faults", "faults.yaml")
    #expect(reader.status == 65)
    #expect(reader.errors.contains("did you mean `command`?"))
    let missing = try program.run("virtual-reader", "--tags", "NTAG213", "--faults", "none.yaml")
    #expect(missing.status == 66)
    try write("seed.yaml", "seed: 3\n")
    #expect(try program.run("check", "--strict", "seed.yaml").status == 0)
  }

  @Test func `a job on a reader with drawn faults ends, and what passed is done`() throws {
    try prepare("seed: 4711\n", tags: 12)
    let result = try program.run("run", "job.yaml", "--no-input")
    #expect([0, 1, 3].contains(result.status), "\(result.errors)")
    let passed = try log("tag").filter { $0["outcome"] as? String == "passed" }
    #expect(passed.count >= 6, "\(result.errors)")
    let done = try program.run("ledger", "list", "--state", "done", "--format", "json")
    #expect(done.lines.count == passed.count)
  }
}
