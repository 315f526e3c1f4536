import DataSource
import Diagnostics
import Digests
import Foundation
import TagFormats
import Templates
import Testing

@testable import JobFile

/// Jobs made of several files, and values given beside them.
@Suite struct ReuseTests {
  static let folder = Bundle.module.bundlePath + "/Fixtures/extends"
  static let plain = "job: a\nsteps: [read]\n"

  static func sets(_ texts: [String]) throws -> [JobOverride] {
    try texts.map { try #require(JobOverride($0)) }
  }

  static func read(_ text: String, _ sets: String...) throws -> (job: Job?, findings: Findings) {
    JobFile.read(Array(text.utf8), path: "job.yaml", overrides: try Self.sets(sets))
  }

  @Test func `keys lie over those of the job that is extended`() throws {
    let (found, findings) = JobFile.read(Self.folder + "/order.yaml")
    #expect(findings.all == [])
    let job = try #require(found)
    #expect(job.name == "order-4711")
    #expect(job.batches[0].session.timeout == .seconds(20))
    #expect(job.batches[0].session.alertMessage?.text == "Card ${tag.position}")
    #expect(job.batches[0].steps.map(\.name) == ["write", "verify"])
    #expect(job.retries.busy == 3)
    #expect(job.stop == Stop(never: true))
    #expect(job.data?.key == ["code"])
  }

  @Test func `paths are relative to the file that they stand in`() throws {
    let job = try #require(JobFile.read(Self.folder + "/order.yaml").job)
    guard case .csv(let path, _, _, _, let place) = job.data?.source else {
      Issue.record("no CSV source")
      return
    }
    #expect(path == Self.folder + "/order.csv")
    #expect(place.file == Self.folder + "/order.yaml")
    #expect(job.station == Self.folder + "/lines/../station.yaml")
  }

  @Test func `a chain has a length`() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    for number in 1...17 {
      let text = number == 17 ? Self.plain : "extends: \(number + 1).yaml\n"
      try Data(text.utf8).write(to: folder.appending(path: "\(number).yaml"))
    }
    #expect(JobFile.read(folder.appending(path: "2.yaml").path()).findings.all == [])
    let long = JobFile.read(folder.appending(path: "1.yaml").path()).findings.all
    #expect(long.map(\.code) == ["extends"])
    #expect(long.first?.place?.file.hasSuffix("/16.yaml") == true)
  }

  @Test func `the hash is the file's, and tells what was set`() throws {
    #expect(
      try Self.read(Self.plain).job?.hash == SHA256.digest(of: Array(Self.plain.utf8)))
    #expect(
      try Self.read(Self.plain, "yield=true").job?.hash
        != Self.read(Self.plain, "yield=false").job?.hash)
  }

  @Test func `values are set at their places`() throws {
    let (found, findings) = try Self.read(
      "job: a\nqueueFor: 1m\nbatches: [{tags: 2, steps: [read]}, {steps: [read]}]\n",
      "retries.busy=7", "stop.whenIdleFor=5s", "batches.1.tags=9", "queueFor=",
      "accept.chips=[NTAG213, NTAG215]", "description=a = b", "retries.busy=8")
    #expect(findings.all == [])
    let job = try #require(found)
    #expect(job.retries.busy == 8)
    #expect(job.stop.whenIdleFor == .seconds(5))
    #expect(job.batches.map(\.tags) == [2, 9])
    #expect(job.batches[0].accept.chips == [.ntag213, .ntag215])
    #expect(job.queueFor == .seconds(600))
    #expect(job.description == "a = b")
  }

  @Test func `a path that is set is from the current folder`() throws {
    let job = JobFile.read(
      Self.folder + "/order.yaml", overrides: try Self.sets(["data.csv=other.csv"])
    ).job
    guard case .csv("other.csv", _, _, _, _) = job?.data?.source else {
      Issue.record("\(String(describing: job?.data?.source))")
      return
    }
  }

  private static let allKeys =
    "one of "
    + JobKeys.shape.keys.filter { !$0.isLater }.map { "`\($0.name)`" }.joined(separator: ", ")

  @Test(arguments: [
    ("retries.bussy=3", "unknown key `bussy` in `retries`", "did you mean `busy`?"),
    ("retrys.busy=3", "unknown key `retrys` in the job", "did you mean `retries`?"),
    ("retries.busy=many", "`busy` needs a whole number, not a text", nil),
    ("steps.1=lock", "there is no item `1` in `steps`", "the items are 0 to 0"),
    ("job.name=x", "`job` has no key `name`", nil),
    ("onTag=x", "`onTag` is not supported by this version", nil),
    ("extends=x.yaml", "`extends` stands in files only", nil),
    (".=x", "unknown key `` in the job", allKeys),
  ]) func `a fault is told at the option`(set: String, message: String, help: String?) throws {
    let (job, findings) = try Self.read(Self.plain, set)
    #expect(job == nil)
    let finding = try #require(findings.all.first)
    #expect(findings.all.count == 1)
    #expect(finding.message == message)
    #expect(finding.help == help)
    #expect(finding.place?.text == "--set \(set.prefix { $0 != "=" })")
  }

  @Test func `words without a place or a value set nothing`() {
    #expect(JobOverride("retries.busy") == nil)
    #expect(JobOverride("=3") == nil)
    #expect(JobOverride("a=")?.value == "")
  }

  @Test func `the resolved job is a job with the same meaning`() throws {
    for name in ["accepted/cards", "accepted/turns", "accepted/serials", "accepted/minimal"] {
      let path = "\(Bundle.module.bundlePath)/Fixtures/\(name).yaml"
      let before = try #require(JobFile.read(path).job)
      let text = try #require(ResolvedJob.text(of: path).text)
      let (found, findings) = JobFile.read(Array(text.utf8), path: "resolved.yaml")
      #expect(findings.all == [], "\(name)")
      let after = try #require(found)
      #expect(after.batches.map(\.accept) == before.batches.map(\.accept))
      #expect(after.batches.map(\.session.timeout) == before.batches.map(\.session.timeout))
      #expect(
        after.batches.map { $0.steps.map(\.name) } == before.batches.map { $0.steps.map(\.name) })
      #expect(after.stop == before.stop)
      #expect(after.retries == before.retries)
      #expect(after.repetition == before.repetition)
      #expect(after.series == before.series)
      #expect(after.queueFor == before.queueFor)
    }
  }

  @Test func `every value has its origin`() throws {
    let text = try #require(
      ResolvedJob.text(
        of: Self.folder + "/order.yaml", overrides: try Self.sets(["retries.tag=0"])
      ).text
    ).replacingOccurrences(of: Self.folder + "/", with: "")
    let lines = text.split(separator: "\n").map { $0.drop { $0 == " " } }
    for line in [
      "job: order-4711  # order.yaml:1", "series: order-4711  # default",
      "timeout: 20s  # order.yaml:4", "alertMessage: \"Card ${tag.position}\"  # common.yaml:2",
      "busy: 3  # lines/../common.yaml:3", "tag: 0  # --set retries.tag", "wait: 2s  # default",
      "key: code  # lines/cards.yaml:3", "- verify  # lines/cards.yaml:7",
      "repeat: never  # default",
    ] {
      let expected = line.replacingOccurrences(of: "# common", with: "# lines/../common")
      #expect(lines.contains { $0 == expected }, "\(expected)\n\(text)")
    }
    for line in lines where !line.hasSuffix(":") { #expect(line.contains("  # "), "\(line)") }
  }
}
