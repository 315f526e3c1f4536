import Foundation
import Testing

/// `tagstation init`, `schema` and `config` as a person uses them.
@Suite struct InitTests {
  let folder: ScratchFolder
  var program: BuiltProgram { folder.program }

  init() throws { folder = try ScratchFolder() }

  @Test func `what init writes passes check and runs as it is`() throws {
    let result = try program.run("init")
    #expect(result.status == 0)
    #expect(result.output.isEmpty)
    #expect(result.errors.contains("tagstation run first-job.yaml"))
    let check = try program.run("check", "--strict", "first-job.yaml", "station.yaml")
    #expect(check.status == 0)
    #expect(
      check.errors == "first-job.yaml: nothing is wrong\nstation.yaml: nothing is wrong\n")
    for left in ["5 passed", "no tag"] {
      let run = try program.run("run", "--progress", "none", "first-job.yaml")
      #expect(run.status == 0)
      #expect(run.errors.contains(left), "\(run.errors)")
    }
  }

  @Test func `init makes a folder and writes over nothing`() throws {
    #expect(try program.run("init", "new/line").status == 0)
    try folder.write("new/line/first-job.yaml", "mine")
    try FileManager.default.removeItem(at: folder.url.appending(path: "new/line/station.yaml"))
    let again = try program.run("init", "new/line")
    #expect(again.status == 73)
    #expect(again.errors.contains("is there already; nothing was written"))
    let names = try FileManager.default.contentsOfDirectory(
      atPath: folder.url.appending(path: "new/line").path())
    #expect(Set(names) == ["first-job.yaml", "tagstation.schema.json"])
    #expect(try program.run("init", "a", "b").status == 64)
  }

  @Test func `schema prints what init writes`() throws {
    _ = try program.run("init")
    let kept = try String(
      contentsOf: folder.url.appending(path: "tagstation.schema.json"), encoding: .utf8)
    #expect(try program.run("schema").output == kept)
    let job = try program.run("schema", "--kind", "job")
    #expect(job.status == 0)
    #expect(job.output.contains("\"steps\"") && !job.output.contains("\"readers\""))
  }

  @Test func `config prints a job that check accepts`() throws {
    try ExampleFiles.copy(to: folder)
    for job in ["provision-urls", "end-of-line", "nightly-read", "two-sessions"] {
      let printed = try program.run("config", "jobs/\(job).yaml", "--set", "retries.busy=4")
      #expect(printed.status == 0, "\(printed.errors)")
      #expect(printed.output.contains("busy: 4  # --set retries.busy\n"))
      try folder.write("printed.yaml", printed.output)
      #expect(try program.run("check", "printed.yaml").status == 0, "\(job)")
    }
  }

  @Test func `run takes a job over another, and values over both`() throws {
    _ = try program.run("init")
    try folder.write(
      "over.yaml", "job: over\nextends: first-job.yaml\ndata: {serial: {count: 3}}\n")
    let run = try program.run(
      "run", "--progress", "none", "over.yaml", "--set", "data.serial.count=2")
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.errors.contains("2 passed"), "\(run.errors)")
    let faulty = try program.run("run", "over.yaml", "--set", "retries.bussy=1")
    #expect(faulty.status == 65)
    #expect(faulty.errors.contains("did you mean `busy`?"))
    #expect(try program.run("run", "over.yaml", "--set", "retries").status == 64)
    #expect(try program.run("config", "none.yaml").status == 66)
  }
}
