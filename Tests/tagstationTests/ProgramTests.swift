import Foundation
import Testing

/// The built program's manners: where words go, and how it ends.
struct ProgramTests {
  private let program: BuiltProgram
  private let folder: ScratchFolder

  init() throws {
    folder = try ScratchFolder()
    program = folder.program
  }

  @Test func `help is a result`() throws {
    let help = try program.run("--help")
    #expect(help.status == 0)
    #expect(help.errors.isEmpty)
    for command in [
      "run JOB.yaml", "check FILE...", "readers", "inspect", "virtual-reader", "ledger list",
      "ledger show KEY", "ledger release KEY", "ledger void KEY",
    ] {
      #expect(help.output.contains("\n  \(command)"))
    }
  }

  @Test(arguments: ["run", "check", "readers", "inspect", "virtual-reader", "ledger"])
  func `each command has its own help`(_ command: String) throws {
    let help = try program.run(command, "--help")
    #expect(help.status == 0)
    #expect(help.output.contains("usage: tagstation \(command)"))
    #expect(help.errors.isEmpty)
  }

  @Test func `the version is one line`() throws {
    #expect(
      try program.run("--version").output.firstMatch(of: /^tagstation \d+\.\d+\.\d+\n$/) != nil)
  }

  @Test func `wrong usage goes to standard error with 64`() throws {
    let result = try program.run("run", "job.yaml", "--statoin", "x")
    #expect(result.status == 64)
    #expect(result.output.isEmpty)
    #expect(
      result.errors == """
        tagstation: run has no option --statoin
          did you mean --station?
          see: tagstation run --help

        """)
  }

  @Test(arguments: ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
  func `a stream that the parent closed is no file of ours`(_ closed: String) throws {
    #expect(try program.shell("\"$0\" --help \(closed)").status == 0)
    #expect(try program.shell("\"$0\" run \(closed)").status == 64)
  }

  @Test func `a reader of the output that goes away ends nothing`() throws {
    let result = try program.shell("{ \"$0\" --help; echo $? >&2; } | true")
    #expect(result.errors == "0\n")
  }
}
