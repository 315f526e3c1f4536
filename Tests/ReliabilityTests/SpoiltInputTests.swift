import Foundation
import Testing

/// Inputs spoilt by a fixed series of numbers, in a process of their own whose memory is its own.
struct SpoiltInputTests {
  private let folder: RigFolder

  init() throws { folder = try RigFolder() }

  private static let sources = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// Seeds made from the vectors of all tests.
  private func seeds(for target: String) throws -> [String] {
    let corpus = Self.sources.appending(path: "Tests/Fuzz/corpus.py").path()
    let made = try Rig.run(
      "/usr/bin/env", ["python3", "-B", corpus, folder.url.path(), target], in: folder.url)
    try #require(made.status == 0, "\(made.errors)")
    let top = folder.url.appending(path: target)
    return try FileManager.default.contentsOfDirectory(atPath: top.path()).sorted()
      .map { top.appending(path: $0).path() }
  }

  private func files(in folder: String) throws -> [String] {
    let top = Self.sources.appending(path: folder)
    return try FileManager.default.contentsOfDirectory(atPath: top.path()).sorted()
      .filter { $0.hasSuffix(".yaml") }.map { top.appending(path: $0).path() }
  }

  /// Tries `count` inputs; the bounds are far above what an idle machine needs.
  private func spoil(_ target: String, _ seeds: [String], count: Int, name: String) throws {
    let mark = folder.url.appending(path: "mark").path()
    let program = URL(filePath: Rig.program).deletingLastPathComponent().appending(path: "fuzz")
    let result = try Rig.run(
      program.path(),
      [target, "--seed", "14", "--count", String(count), "--mark", mark] + seeds, in: folder.url)
    let last = (try? String(contentsOfFile: mark, encoding: .utf8)) ?? "none"
    #expect(result.status == 0, "input \(last) of \(target): \(result.errors.suffix(400))")
    let figures = result.figures
    #expect(figures["inputs"] as? Int == count)
    #expect(figures["slowestMs"] as? Int ?? .max < 2000, "\(figures)")
    #expect(figures["peakKB"] as? Int ?? .max < 256 << 10, "\(figures)")
    let words = [
      "\(count) inputs", "no crash", "slowest \(figures["slowestMs"] ?? "?") ms of CPU time",
      "at most \((figures["peakKB"] as? Int ?? 0) >> 10) MiB",
    ]
    Rig.show(name, words.joined(separator: ", "))
  }

  @Test func `R14: spoilt job and station files are told of, whatever is in them`() throws {
    let fixtures = ["accepted", "rejected", "extends", "check"]
    let seeds =
      try files(in: "jobs") + files(in: "examples")
      + fixtures.flatMap { try files(in: "Tests/JobFileTests/Fixtures/\($0)") }
    try spoil("job", seeds, count: Rig.isFull ? 100_000 : 5000, name: "R14 job files")
    try spoil("station", seeds, count: Rig.isFull ? 100_000 : 1000, name: "R14 station files")
  }

  @Test(arguments: ["csv", "jsonLines", "tagFile", "rawImage", "propertyList", "yaml"])
  func `R14: spoilt files of other kinds are told of`(_ target: String) throws {
    try spoil(
      target, try seeds(for: target), count: Rig.isFull ? 100_000 : 1000, name: "R14 \(target)")
  }

  @Test(arguments: [
    ("memory", 10_000), ("answers", 10_000), ("message", 20_000), ("line", 5000),
    ("commands", 2000),
  ])
  func `R15: spoilt tags, answers and frames are read to their end`(
    _ target: String, _ count: Int
  ) throws {
    try spoil(
      target, try seeds(for: target), count: Rig.isFull ? 1_000_000 : count, name: "R15 \(target)")
  }

  @Test(arguments: ["template", "pattern", "glob"])
  func `R19: spoilt templates and patterns take bounded time`(_ target: String) throws {
    try spoil(
      target, try seeds(for: target), count: Rig.isFull ? 100_000 : 1000, name: "R19 \(target)")
  }
}
