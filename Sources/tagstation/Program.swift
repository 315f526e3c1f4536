internal import Platform
internal import StationRunner

/// The program as a whole: from the words of the command line to the exit status.
enum Program {
  static let version = "0.1.0"

  /// Does what `words`, the arguments without the program's name, ask for.
  static func run(_ words: [String], _ console: Console) -> ExitStatus {
    do throws(UsageError) {
      switch try ArgumentParser(commands: CommandTable.syntaxes).parse(words) {
      case .version:
        console.result("tagstation \(version)")
        return .success
      case .help(let words):
        StandardStream.output.write(HelpText(commands: CommandTable.syntaxes).text(for: words))
        return .success
      case .command(let arguments):
        guard let command = try CommandTable.command(for: arguments) else { return .programFault }
        return command.run(console)
      }
    } catch {
      StandardStream.error.write(error.text)
      return .usage
    }
  }
}
