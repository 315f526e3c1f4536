import Foundation
import TagFiles
import Testing

/// The jobs in `jobs`, run as they are.
struct JobsTests {
  private let folder: ScratchFolder
  private let program: BuiltProgram

  init() throws {
    folder = try ScratchFolder()
    try ExampleFiles.copy(to: folder)
    program = folder.program
  }

  private func keptTags(_ reader: String) throws -> [String: Data] {
    let url = folder.url.appending(path: "examples/var/\(reader)")
    var tags: [String: Data] = [:]
    for name in try FileManager.default.contentsOfDirectory(atPath: url.path())
    where name.hasSuffix(".nfc") {
      tags[name] = try Data(contentsOf: url.appending(path: name))
    }
    return tags
  }

  private func log() throws -> [[String: Any]] {
    try String(
      contentsOf: folder.url.appending(path: "examples/var/virtual.jsonl"), encoding: .utf8
    ).split(separator: "\n").map { line in
      try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any] ?? [:]
    }
  }

  @Test(arguments: ["jobs", "examples"])
  func `check finds nothing wrong`(_ name: String) throws {
    let files = try FileManager.default.contentsOfDirectory(
      atPath: folder.url.appending(path: name).path()
    ).filter { $0.hasSuffix(".yaml") }
    #expect(files.count >= 2)
    let result = try program.run(["check", "--strict"] + files.map { "\(name)/\($0)" })
    #expect(result.status == 0, "\(result.errors)")
  }

  @Test func `a hundred URLs go on a hundred tags, once`() throws {
    let first = try program.run("run", "jobs/provision-urls.yaml", "--progress", "plain")
    #expect(first.status == 0)
    #expect(first.output.isEmpty)
    #expect(first.errors.contains("\n100 passed in "))
    let tags = try keptTags("encoder")
    #expect(tags.count == 100)
    let events = try log().filter { $0["event"] as? String == "tag" }
    #expect(events.count == 100)
    #expect(Set(events.compactMap { $0["uid"] as? String }).count == 100)
    #expect(events.allSatisfy { $0["outcome"] as? String == "passed" })
    let rows = try program.run(
      "ledger", "list", "--station", "examples/virtual-station.yaml", "--state", "done", "--format",
      "json")
    #expect(rows.lines.count == 100)
    let onTags = Dictionary(
      uniqueKeysWithValues: events.map { ($0["row"] as? String ?? "", $0["uid"] as? String ?? "") })
    for line in rows.lines {
      let row = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any] ?? [:]
      #expect(onTags[row["key"] as? String ?? "?"] == row["uid"] as? String)
    }

    let second = try program.run("run", "jobs/provision-urls.yaml")
    #expect(second.status == 0)
    #expect(try keptTags("encoder") == tags)
    #expect(try log().filter { $0["event"] as? String == "tag" }.count == 100)
  }

  @Test func `finished tags pass at the end of the line`() throws {
    let result = try program.run("run", "jobs/end-of-line.yaml")
    #expect(result.status == 0)
    #expect(result.errors.contains("\n6 passed in "), "\(result.errors)")
  }

  @Test func `tags that are not finished fail at the end of the line`() throws {
    let result = try program.run("run", "jobs/end-of-line.yaml", "--reader", "returns")
    #expect(result.status == 1)
    #expect(result.errors.contains("\n3 failed in "), "\(result.errors)")
    #expect(try log().filter { $0["cause"] as? String == "notAsExpected" }.count == 3)
  }

  @Test func `a nightly read adds a line and says nothing`() throws {
    for count in 1...2 {
      let result = try program.run("run", "--quiet", "--no-input", "jobs/nightly-read.yaml")
      #expect(result == BuiltProgram.Result(status: 0, output: "", errors: ""))
      let files = try FileManager.default.contentsOfDirectory(
        atPath: folder.url.appending(path: "examples/var").path()
      ).filter { $0.hasPrefix("reads-") && $0.hasSuffix(".csv") }
      #expect(files.count == 1)
      let text = try String(
        contentsOf: folder.url.appending(path: "examples/var/\(files.first ?? "")"),
        encoding: .utf8)
      let lines = text.split(whereSeparator: \.isNewline)
      #expect(lines.count == count + 1)
      #expect(lines.first == "time,uid,chip,uri")
      #expect(lines.last?.hasSuffix(",NTAG213,https://example.com/c/6XHR-K2XD") == true)
    }
  }

  @Test func `two session configurations take turns`() throws {
    let result = try program.run("run", "jobs/two-sessions.yaml")
    #expect(result.status == 0, "\(result.errors)")
    let sessions = try log().filter { $0["event"] as? String == "session.began" }
    #expect(
      sessions.prefix(4).map { $0["polling"] as? [String] ?? [] } == [
        ["iso14443"], ["iso14443", "iso18092"], ["iso14443"], ["iso14443", "iso18092"],
      ])
    let passed = try log().filter {
      $0["event"] as? String == "tag" && $0["outcome"] as? String == "passed"
    }
    #expect(passed.count == 25)
    #expect(passed.compactMap { $0["row"] as? String }.count == 20)
  }

  @Test func `each badge gets the row of its UID`() throws {
    let result = try program.run("run", "jobs/write-badges.yaml")
    #expect(result.status == 0, "\(result.errors)")
    let tags = try log().filter { $0["event"] as? String == "tag" }
    // The list says so, each UID in a spelling of its own and none in the deck's order.
    let list = try String(
      contentsOf: folder.url.appending(path: "examples/badges.csv"), encoding: .utf8)
    let wanted = list.split(separator: "\n").dropFirst().map { line in
      let cells = line.split(separator: ",")
      return "\(cells[0].filter(\.isHexDigit).uppercased()) \(cells[1])"
    }
    #expect(wanted.count == 6)
    let found = tags.map { "\($0["uid"] as? String ?? "") \($0["row"] as? String ?? "")" }
    #expect(found.sorted() == wanted.sorted())
    #expect(found != wanted)
    #expect(tags.allSatisfy { $0["outcome"] as? String == "passed" })
  }

  @Test func `each product that is scanned gets the next tag`() throws {
    let result = try program.run("run", "jobs/scan-and-write.yaml")
    #expect(result.status == 0, "\(result.errors)")
    let tags = try log().filter { $0["event"] as? String == "tag" }
    #expect(tags.map { $0["row"] as? String } == ["L-202", "L-204", "L-201"], "\(result.errors)")
    #expect(result.errors.contains("\n3 passed in "), "\(result.errors)")
    #expect(result.errors.contains(": no more will come; rows: 3 done, 2 left"))
  }

  @Test func `events on standard output are the log's lines, and nothing else`() throws {
    let result = try program.run("run", "jobs/two-sessions.yaml", "--format", "jsonl")
    #expect(result.status == 0)
    #expect(result.errors.isEmpty)
    let log = try String(
      contentsOf: folder.url.appending(path: "examples/var/virtual.jsonl"), encoding: .utf8)
    #expect(result.output == log)
    #expect(result.lines.first?.contains(#""event":"run.began""#) == true)
    #expect(result.lines.last?.contains(#""event":"run.ended""#) == true)
  }

  @Test func `inspect shows what is on a tag`() throws {
    let result = try program.run(
      "inspect", "--station", "examples/virtual-station.yaml", "--reader", "gate")
    #expect(result.status == 0)
    #expect(result.errors.isEmpty)
    #expect(result.output.contains("NTAG213"))
    #expect(result.output.contains("https://example.com/c/6XHR-K2XD"))
    let file = try TagFiles.read(
      folder.url.appending(path: "examples/finished-tags/card-1.nfc").path())
    #expect(result.output.contains(file.uid.map { String(format: "%02X", $0) }.joined()))
  }

  @Test func `readers lists them all without a session`() throws {
    let result = try program.run("readers", "--station", "examples/virtual-station.yaml")
    #expect(result.status == 0)
    #expect(
      result.lines.map { $0.prefix { $0 != " " } } == [
        "encoder", "checker", "returns", "gate", "mixed", "desk", "packing",
      ])
  }
}
