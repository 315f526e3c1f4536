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
    #expect(set.lines == ["::error title=unknown-key::--set x: unknown key `x` in the job"])
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
}
