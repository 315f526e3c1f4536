import Foundation
import Testing

/// The checker, which is another program in another language, notices what it is there for.
struct CheckerTests {
  private let folder: RigFolder

  /// A run of three virtual tags, written, verified and locked.
  init() throws {
    folder = try RigFolder()
    try folder.write(
      "station.yaml",
      """
      station: rig
      declarations: {formats: [TAG], usageDescription: Encode test tags}
      readers:
        only: {virtual: {tags: [3 x NTAG213], keep: keep, timing: none, gap: 1ms}}
      ledger: ledger.sqlite
      log: log.jsonl
      """)
    try folder.write("rows.csv", "code\nA1\nB2\nC3\n")
    try folder.write(
      "job.yaml",
      """
      job: rig
      data: {csv: rows.csv, key: code}
      steps:
        - write:
            - uri: "https://example.com/c/${row.code}"
        - verify
        - lock
      """)
    let run = try Rig.run(
      Rig.program, ["run", "job.yaml", "--no-input", "--quiet"], in: folder.url)
    try #require(run.status == 0, "\(run.errors)")
  }

  private func check(_ options: String...) throws -> Rig.Result {
    try Rig.python(
      "check.py",
      [
        "--keep", "keep", "--ledger", "ledger.sqlite", "--log", "log.jsonl", "--url",
        "https://example.com/c/", "--rows", "rows.csv", "--locked",
      ] + options, in: folder.url)
  }

  private func plant(_ fault: String) throws {
    let planted = try Rig.python("plant.py", [fault, folder.url.path()], in: folder.url)
    try #require(planted.status == 0, "\(planted.errors)")
  }

  @Test func `R24: a run as it should be has no finding`() throws {
    let result = try check()
    Rig.show("R24 checker", result.lines.last ?? "")
    #expect(result.status == 0, "\(result.output)\(result.errors)")
    #expect(result.lines.last == "3 tags, 3 rows, 7 events: 0 findings")
  }

  @Test(arguments: [
    ("two tags", "row A1 is on 2 tags"),
    ("other bytes", "row A1 is done on"),
    ("length too long", "longer than the tag"),
    ("length zero", "row A1 is done on"),
    ("not locked", "which is not locked"),
    ("row forgotten", "holds row A1, the ledger has it as absent"),
    ("row freed", "holds row A1, the ledger has it as free"),
    ("outcome before the row", "row A1 passed on"),
    ("readable while writing", "row A1 is left in writing"),
    ("rows swapped", "row C3 is done on"),
    ("event changed", "the chain breaks at event 3"),
    ("event missing", "event 3 is missing"),
    ("tag missing", "and the ledger's tag differ"),
    ("log changed", "of the log is not event"),
    ("log too short", "the log has 6 lines, the ledger 7 events"),
    ("miscounted", "ended with {'passed': 4}, its tags make {'passed': 3}"),
    ("shown too early", "shown as passed, but not in the ledger"),
  ])
  func `R24: a planted fault is found`(_ fault: String, _ finding: String) throws {
    try plant(fault)
    let result = try check("--shown", "shown")
    #expect(result.status == 1, "\(result.output)\(result.errors)")
    #expect(result.output.contains(finding), "\(result.output)")
  }

  @Test func `R24: a tag that can be read while its row is only writing is found in a dead run`()
    throws
  {
    try plant("readable while writing")
    let result = try check("--killed")
    #expect(result.status == 1)
    #expect(result.output.contains("holds row A1, the ledger has it as writing"))
  }
}

/// The tests of the promises fail where a promise is broken; `./build.sh teeth` shows it.
struct TeethTests {
  @Test func `each way to break a promise finds its place in the sources`() throws {
    let sources = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let result = try Rig.python("teeth.py", ["--sources", sources.path(), "--places"], in: sources)
    #expect(result.status == 0, "\(result.output)\(result.errors)")
  }
}
