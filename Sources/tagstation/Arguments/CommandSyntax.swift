/// One option of a command: the parser reads by it and the help shows it.
struct OptionSyntax: Sendable, Equatable {
  /// The name without its dashes.
  let name: String
  /// What the help calls its value; `nil` for a flag.
  let value: String?
  /// The values it may have; empty for any.
  let choices: [String]
  /// Whether it may be given more than once.
  let repeats: Bool
  /// One line for the help, without a full stop.
  let help: String

  /// An option that is there or not.
  static func flag(_ name: String, _ help: String) -> OptionSyntax {
    OptionSyntax(name: name, value: nil, choices: [], repeats: false, help: help)
  }

  /// An option with any text as its value.
  static func text(
    _ name: String, _ value: String, repeats: Bool = false, _ help: String
  ) -> OptionSyntax {
    OptionSyntax(name: name, value: value, choices: [], repeats: repeats, help: help)
  }

  /// An option with one of a few words as its value.
  static func choice(_ name: String, _ choices: [String], _ help: String) -> OptionSyntax {
    OptionSyntax(
      name: name, value: choices.joined(separator: "|"), choices: choices, repeats: false,
      help: help)
  }
}

/// One positional argument of a command.
struct PositionalSyntax: Sendable, Equatable {
  enum Count: Sendable { case one, oneOrMore, optional }

  let name: String
  let count: Count
  let help: String

  init(_ name: String, count: Count = .one, _ help: String) {
    self.name = name
    self.count = count
    self.help = help
  }
}

/// Everything that the parser and the help know about one command.
struct CommandSyntax: Sendable, Equatable {
  /// The words that call it, for example `ledger show`.
  let words: [String]
  /// One line for the list of commands, without a full stop.
  let summary: String
  /// What else its own help says.
  let details: String
  let positionals: [PositionalSyntax]
  let options: [OptionSyntax]

  init(
    _ words: String..., summary: String, details: String = "",
    positionals: [PositionalSyntax] = [], options: [OptionSyntax] = []
  ) {
    self.words = words
    self.summary = summary
    self.details = details
    self.positionals = positionals
    self.options = options
  }

  /// The words as they are typed.
  var name: String { words.joined(separator: " ") }
}
