internal import StationRunner

/// A command: its table, its arguments as typed values, and what it does.
protocol Command: Sendable {
  /// One table for each way to call it.
  static var syntaxes: [CommandSyntax] { get }

  /// Takes its values from a command line that fits one of its tables.
  init(_ arguments: ParsedArguments) throws(UsageError)

  /// Does the work and says how it ended.
  func run(_ console: Console) -> ExitStatus
}

/// All commands, in the order of the help.
enum CommandTable {
  static let all: [any Command.Type] = [
    RunCommand.self, WriteCommand.self, CheckCommand.self, ReadersCommand.self, InspectCommand.self,
    VirtualReaderCommand.self, LedgerCommand.self, SchemaCommand.self,
    ConfigCommand.self, InitCommand.self,
  ]

  static var syntaxes: [CommandSyntax] { all.flatMap { $0.syntaxes } }

  /// The command that `arguments` were parsed for.
  static func command(for arguments: ParsedArguments) throws(UsageError) -> (any Command)? {
    for type in all where type.syntaxes.contains(arguments.syntax) {
      return try type.init(arguments)
    }
    return nil
  }
}

extension OptionSyntax {
  /// Which station file; taken by every command that needs one.
  static let station = OptionSyntax.text(
    "station", "FILE",
    "else ./station.yaml, then /etc/tagstation/station.yaml")
}
