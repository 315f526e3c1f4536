/// The words of a command line, sorted by a command's syntax.
struct ParsedArguments: Sendable, Equatable {
  let syntax: CommandSyntax
  /// In the order they were given.
  let positionals: [String]
  /// By option name; flags have one empty text.
  let options: [String: [String]]

  /// Whether a flag was given.
  func has(_ option: OptionSyntax) -> Bool { options[option.name] != nil }

  /// The value of an option, if it was given.
  func value(_ option: OptionSyntax) -> String? { options[option.name]?.last }

  /// All values of an option that repeats.
  func values(_ option: OptionSyntax) -> [String] { options[option.name] ?? [] }

  /// The value of an option that the command cannot do without.
  func required(_ option: OptionSyntax) throws(UsageError) -> String {
    guard let value = value(option) else { throw error("--\(option.name) is required") }
    guard !value.isEmpty else { throw error("--\(option.name) must not be empty") }
    return value
  }

  /// The value of an option as a whole number that is at least `least`.
  func integer(_ option: OptionSyntax, atLeast least: Int) throws(UsageError) -> Int? {
    guard let text = value(option) else { return nil }
    guard let number = Int(text), number >= least else {
      throw error("--\(option.name) takes a whole number from \(least), not `\(text)`")
    }
    return number
  }

  /// The value of an option as one of the cases of `Choice`.
  func choice<Choice: RawRepresentable<String>>(
    _ option: OptionSyntax, else standard: Choice
  ) -> Choice {
    value(option).flatMap(Choice.init(rawValue:)) ?? standard
  }

  /// A usage error that points to this command's help.
  func error(_ message: String) -> UsageError { UsageError(message, words: syntax.words) }
}
