import Testing

@testable import tagstation

private let parser = ArgumentParser(commands: CommandTable.syntaxes)

private func run(_ words: String...) throws -> RunCommand {
  guard case .command(let arguments) = try parser.parse(["run"] + words) else {
    throw UsageError("not a command")
  }
  return try RunCommand(arguments)
}

private func message(_ words: [String]) -> String {
  do throws(UsageError) {
    guard case .command(let arguments) = try parser.parse(words) else { return "no error" }
    _ = try CommandTable.command(for: arguments)
    return "no error"
  } catch {
    return error.text
  }
}

struct ArgumentParserTests {
  @Test func `values come after a blank or an equals sign`() throws {
    let command = try run("job.yaml", "--station", "s.yaml", "--log=a=b.jsonl", "--limit=3")
    #expect(command.job == "job.yaml")
    #expect(command.station == "s.yaml")
    #expect(command.log == "a=b.jsonl")
    #expect(command.limit == 3)
  }

  @Test func `flags and repeated options are kept in their order`() throws {
    let command = try run(
      "--reader", "left", "--quiet", "job.yaml", "--reader=right")
    #expect(command.readers == ["left", "right"])
    #expect(command.isQuiet)
  }

  @Test func `without options the defaults hold`() throws {
    let command = try run("job.yaml")
    #expect(command.mayQueue && command.mayLock && command.hasInput)
    #expect(!command.isQuiet)
    #expect(command.progress == nil)
    #expect(command.format == .human)
  }

  @Test func `after two dashes everything is an argument`() throws {
    #expect(try run("--", "--job.yaml").job == "--job.yaml")
  }

  @Test func `a single dash is an argument`() throws {
    #expect(try run("-").job == "-")
  }

  @Test func `an empty value is a value`() throws {
    #expect(try run("job.yaml", "--log=").log == "")
  }

  @Test(
    arguments: [
      (["--help"], Invocation.help([])), (["-h"], .help([])), (["help"], .help([])),
      (["run", "--help"], .help(["run"])), (["run", "x", "--quiet", "-h"], .help(["run"])),
      (["help", "run"], .help(["run"])), (["ledger", "--help"], .help(["ledger"])),
      (["ledger", "void", "--help"], .help(["ledger", "void"])), (["--version"], .version),
    ])
  func `help and version`(_ words: [String], _ wanted: Invocation) throws {
    #expect(try parser.parse(words) == wanted)
  }

  @Test(
    arguments: [
      ([], "a command is missing\n  see: tagstation --help\n"),
      (["rnu"], "unknown command `rnu`\n  did you mean run?\n  see: tagstation --help\n"),
      (
        ["--versoin"],
        "unknown option --versoin\n  did you mean --version?\n  see: tagstation --help\n"
      ),
      (["run"], "run needs JOB.yaml\n  see: tagstation run --help\n"),
      (["run", "a", "b"], "run has no use for `b`\n  see: tagstation run --help\n"),
      (
        ["run", "a", "--statoin=x"],
        "run has no option --statoin\n  did you mean --station?\n  see: tagstation run --help\n"
      ),
      (["run", "a", "-x"], "run has no option -x\n  see: tagstation run --help\n"),
      (
        ["run", "a", "--quiet", "--quiet"],
        "--quiet is given twice\n  see: tagstation run --help\n"
      ),
      (["run", "a", "--quiet=1"], "--quiet takes no value\n  see: tagstation run --help\n"),
      (["run", "a", "--log"], "--log needs a value: --log FILE\n  see: tagstation run --help\n"),
      (
        ["run", "a", "--log", "--quiet"],
        "--log needs a value: --log FILE\n  see: tagstation run --help\n"
      ),
      (
        ["run", "a", "--limit", "0"],
        "--limit takes a whole number from 1, not `0`\n  see: tagstation run --help\n"
      ),
      (
        ["run", "a", "--progress", "bra"],
        "--progress is one of auto, bar, plain, none, not `bra`\n  did you mean bar?\n"
          + "  see: tagstation run --help\n"
      ),
      (
        ["run", "a", "--accept-change", ""],
        "--accept-change needs a reason\n  see: tagstation run --help\n"
      ),
      (
        ["ledger"],
        "ledger needs one of: list, show, release, reissue, void, verify, backup\n"
          + "  see: tagstation ledger --help\n"
      ),
      (
        ["ledger", "lsit"],
        "unknown command `ledger lsit`\n  did you mean ledger list?\n"
          + "  see: tagstation ledger --help\n"
      ),
      (
        ["ledger", "void", "K", "--series", "s"],
        "--reason is required\n  see: tagstation ledger void --help\n"
      ),
      (["virtual-reader"], "--tags is required\n  see: tagstation virtual-reader --help\n"),
      (
        ["virtual-reader", "--tags", "NTAG215", "--gap", "3 s"],
        "--gap takes a time such as 300ms or 2s, not `3 s`\n"
          + "  see: tagstation virtual-reader --help\n"
      ),
      (
        ["run", "a", "\u{1B}]0;x\u{7}"],
        "run has no use for `\\u{1B}]0;x\\u{7}`\n  see: tagstation run --help\n"
      ),
    ])
  func `mistakes are named with what was meant`(_ words: [String], _ wanted: String) {
    #expect(message(words) == "tagstation: \(wanted)")
  }

  @Test func `every command's help names all its options and fits a screen`() {
    let help = HelpText(commands: CommandTable.syntaxes)
    for command in CommandTable.syntaxes {
      let text = help.text(for: command.words)
      for option in command.options { #expect(text.contains("--\(option.name)")) }
      for line in text.split(separator: "\n") { #expect(line.count <= 100, "\(line)") }
    }
  }

  @Test func `the ledger's changes need a series and a reason`() throws {
    guard
      case .command(let arguments) = try parser.parse([
        "ledger", "release", "C-1", "--series", "cards", "--reason", "burnt",
      ]),
      case .change(let change, let key, let series, let reason) =
        try LedgerCommand(arguments).action
    else {
      Issue.record("not a change")
      return
    }
    #expect(change == .release)
    #expect([key, series, reason] == ["C-1", "cards", "burnt"])
  }

  @Test(
    arguments: [
      ("done", VirtualReaderCommand.Hold.done), ("forever", .forever),
      ("250ms", .duration(.milliseconds(250))), ("2m", .duration(.seconds(120))),
    ])
  func `how long a virtual tag is held`(_ text: String, _ hold: VirtualReaderCommand.Hold) throws {
    guard
      case .command(let arguments) = try parser.parse([
        "virtual-reader", "--tags", "NTAG215", "--hold", text,
      ])
    else {
      Issue.record("not a command")
      return
    }
    #expect(try VirtualReaderCommand(arguments).hold == hold)
  }
}
