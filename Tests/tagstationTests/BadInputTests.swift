import Foundation
import Testing

/// Wrong jobs, stations, data and tags: each ends in clear lines and the right exit status.
struct BadInputTests {
  private let folder: ScratchFolder
  private let program: BuiltProgram

  init() throws {
    folder = try ScratchFolder()
    program = folder.program
    try folder.write("cards.csv", "code,name\nA-1,Ada\nA-2,Björn\n")
    try folder.write(
      "station.yaml", Self.station("{tags: [2 x NTAG213], keep: tags, timing: none}"))
    try folder.write("job.yaml", Self.job)
  }

  private static func station(_ virtual: String, declarations: String? = nil) -> String {
    """
    station: test
    declarations: \(declarations ?? "{formats: [TAG], usageDescription: Try faulty input}")
    readers:
      left:
        virtual: \(virtual)

    """
  }

  private static let job = """
    job: cards
    data: {csv: cards.csv, key: code}
    stop: {whenIdleFor: 5s}
    steps:
      - write:
          - uri: "https://example.com/${row.code}"
      - verify

    """

  private func replace(_ old: String, by new: String) throws {
    #expect(Self.job.contains(old))
    try folder.write("job.yaml", Self.job.replacingOccurrences(of: old, with: new))
  }

  private func outcomes() throws -> [String] {
    try String(contentsOf: folder.url.appending(path: "var/test.jsonl"), encoding: .utf8)
      .split(separator: "\n").compactMap { line in
        let event = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any] ?? [:]
        guard event["event"] as? String == "tag" else { return nil }
        return "\(event["outcome"] ?? "") \(event["cause"] as? String ?? "")"
      }
  }

  @Test func `the job is sound before it is spoilt`() throws {
    let result = try program.run("run", "job.yaml")
    #expect(result.status == 0, "\(result.errors)")
    #expect(try outcomes() == ["passed ", "passed "])
  }

  @Test(
    arguments: [
      ("steps:", "stpes:", "job.yaml:4:1: error: unknown key `stpes` in the job", "`steps`"),
      ("row.code}", "row.cod}", "job.yaml:6:37: error: the data has no column `cod`", "`row.code`"),
      ("key: code", "key: cod", "job.yaml:2:", "`code`"),
      ("csv: cards.csv", "csv: crads.csv", "crads.csv cannot be read", "No such file"),
      ("${row.code}", "${row.code", "job.yaml:6:", "error"),
      ("  - verify", "  - lock\n  - verify", "`lock` must be the last step", "job.yaml:7:"),
    ])
  func `a mistake in the job is shown where it stands`(
    _ old: String, _ new: String, _ message: String, _ more: String
  ) throws {
    try replace(old, by: new)
    for command in ["check", "run"] {
      let result = try program.run(command, "job.yaml")
      #expect(result.status == 65 || result.status == 66)
      #expect(result.output.isEmpty)
      #expect(result.errors.contains(message), "\(result.errors)")
      #expect(result.errors.contains(more), "\(result.errors)")
    }
    #expect(!FileManager.default.fileExists(atPath: folder.url.appending(path: "var").path()))
  }

  @Test func `a job that is not there is 66`() throws {
    let result = try program.run("run", "nix.yaml")
    #expect(result.status == 66)
    #expect(result.errors.contains("nix.yaml: error: the file cannot be read"))
  }

  @Test func `no station file at all is said with what to do`() throws {
    try FileManager.default.removeItem(at: folder.url.appending(path: "station.yaml"))
    let result = try program.run("readers")
    #expect(result.status == 66)
    #expect(result.errors.contains("no station file"))
    #expect(result.errors.contains("--station"))
  }

  @Test func `a reader that the station lacks is named`() throws {
    let result = try program.run("run", "job.yaml", "--reader", "lfet")
    #expect(result.status == 65)
    #expect(result.errors.contains("the station has no reader `lfet`"))
    #expect(result.errors.contains("left"))
  }

  @Test(
    arguments: [
      ("{formats: [TAG]}", "usageDescription"),
      ("{formats: [NDEF], usageDescription: Try}", "formats"),
    ])
  func `what the station does not declare is 78`(_ declarations: String, _ word: String) throws {
    try folder.write(
      "station.yaml", Self.station("{tags: [NTAG213], timing: none}", declarations: declarations))
    for command in ["check", "run"] {
      let result = try program.run(command, "job.yaml")
      #expect(result.status == 78, "\(result.errors)")
      #expect(result.errors.contains(word))
    }
  }

  @Test func `no reader at the port is 69`() throws {
    try folder.write(
      "station.yaml",
      """
      station: test
      declarations: {formats: [TAG], usageDescription: Try faulty input}
      readers: {left: "pn532_uart:/dev/ttyNONE:115200"}

      """)
    let run = try program.run("run", "job.yaml", "--no-input")
    #expect(run.status == 69, "\(run.errors)")
    #expect(run.errors.contains("/dev/ttyNONE"))
    let readers = try program.run("readers")
    #expect(readers.status == 69)
    #expect(readers.output.contains("/dev/ttyNONE"))
  }

  @Test func `a message that no tag holds fails each tag and frees its row`() throws {
    let long = String(repeating: "x", count: 200)
    try replace("/${row.code}", by: "/\(long)/${row.code}")
    let result = try program.run("run", "job.yaml")
    #expect(result.status == 1, "\(result.errors)")
    #expect(try outcomes() == ["failed tooSmall", "failed tooSmall"])
    let rows = try program.run("ledger", "list", "--state", "done")
    #expect(rows.output.isEmpty)
  }

  @Test func `locked and foreign tags fail, and the run goes on with the next`() throws {
    let finished = ExampleFiles.path("examples/finished-tags/card-1.nfc")
    let other = ExampleFiles.path("examples/returned-tags/other-address.nfc")
    try folder.write(
      "station.yaml", Self.station("{tags: [\(finished), \(other), NTAG213], timing: none}"))
    let result = try program.run("run", "job.yaml")
    #expect(result.status == 1, "\(result.errors)")
    #expect(try outcomes().dropFirst().first == "failed notEmpty")
    #expect(try outcomes().last == "passed ")
    #expect(try outcomes().first?.hasPrefix("failed ") == true)
  }

  @Test func `a run that nothing can end is refused where nobody can stop it`() throws {
    try replace("data: {csv: cards.csv, key: code}\nstop: {whenIdleFor: 5s}\n", by: "")
    try folder.write(
      "job.yaml", "job: cards\nsteps:\n  - read\n")
    try folder.write(
      "station.yaml", Self.station("{tags: [NTAG213], timing: none, hold: forever}"))
    let result = try program.run("run", "job.yaml")
    #expect(result.status == 65)
    #expect(result.errors.contains("stop: never"))
  }

  @Test func `a changed job is refused until a reason is given`() throws {
    #expect(try program.run("run", "job.yaml", "--limit", "1").status == 0)
    try replace("https://example.com/", by: "https://example.org/")
    let refused = try program.run("run", "job.yaml")
    #expect(refused.status == 65)
    #expect(refused.errors.contains("--accept-change"))
    let accepted = try program.run("run", "job.yaml", "--accept-change", "new address")
    #expect(accepted.status == 0, "\(accepted.errors)")
  }

  @Test func `what a ledger's row does not allow is 1`() throws {
    #expect(try program.run("run", "job.yaml").status == 0)
    let release = try program.run(
      "ledger", "release", "A-1", "--series", "cards", "--reason", "lost")
    #expect(release.status == 1)
    #expect(release.output.isEmpty)
    let reissue = try program.run(
      "ledger", "reissue", "A-1", "--series", "cards", "--reason", "lost")
    #expect(reissue.status == 0, "\(reissue.errors)")
    let verify = try program.run("ledger", "verify")
    #expect(verify.status == 0, "\(verify.errors)")
  }
}
