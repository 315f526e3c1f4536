internal import Diagnostics

/// What a command line asks for.
enum Invocation: Equatable {
  case version
  /// The help for these words: of the program, a group of commands, or a command.
  case help([String])
  case command(ParsedArguments)
}

/// Reads a command line by a table of commands; pure.
struct ArgumentParser {
  let commands: [CommandSyntax]

  /// What `words`, the arguments without the program's name, ask for.
  func parse(_ words: [String]) throws(UsageError) -> Invocation {
    guard let first = words.first else { throw UsageError("a command is missing") }
    if first == "--help" || first == "-h" { return .help([]) }
    if first == "--version" { return .version }
    if first == "help" { return .help(try known(Array(words.dropFirst()))) }
    if first.hasPrefix("-") {
      throw UsageError(
        "unknown option \(first)",
        suggestion: closest(to: first, in: ["--help", "--version"]))
    }
    guard let syntax = commands.first(where: { words.starts(with: $0.words) }) else {
      return try group(words)
    }
    return try parse(Array(words.dropFirst(syntax.words.count)), by: syntax)
  }

  /// A word that names no command by itself: the first of a group, or a mistake.
  private func group(_ words: [String]) throws(UsageError) -> Invocation {
    let first = words[0]
    let verbs = commands.filter { $0.words.count > 1 && $0.words[0] == first }.map { $0.words[1] }
    if verbs.isEmpty {
      var names: [String] = []
      for command in commands where !names.contains(command.words[0]) {
        names.append(command.words[0])
      }
      throw UsageError(
        "unknown command `\(first)`", suggestion: closest(to: first, in: names))
    }
    guard words.count > 1 else {
      throw UsageError(
        "\(first) needs one of: \(verbs.joined(separator: ", "))", words: [first])
    }
    if words[1] == "--help" || words[1] == "-h" { return .help([first]) }
    throw UsageError(
      "unknown command `\(first) \(words[1])`",
      suggestion: closest(to: words[1], in: verbs).map { "\(first) \($0)" }, words: [first])
  }

  /// `words` if they name a command or a group.
  private func known(_ words: [String]) throws(UsageError) -> [String] {
    if commands.contains(where: { $0.words.starts(with: words) }) { return words }
    throw UsageError("there is no help on `\(words.joined(separator: " "))`")
  }

  private func parse(
    _ words: [String], by syntax: CommandSyntax
  ) throws(UsageError) -> Invocation {
    var positionals: [String] = []
    var options: [String: [String]] = [:]
    var rest = words[...]
    while let word = rest.popFirst() {
      if word == "--" {
        positionals += rest
        break
      }
      guard word.hasPrefix("-"), word != "-" else {
        positionals.append(word)
        continue
      }
      if word == "--help" || word == "-h" { return .help(syntax.words) }
      let (option, value) = try read(word, &rest, by: syntax)
      if options[option.name] != nil && !option.repeats {
        throw UsageError("--\(option.name) is given twice", words: syntax.words)
      }
      options[option.name, default: []].append(value)
    }
    try count(positionals, by: syntax)
    return .command(
      ParsedArguments(syntax: syntax, positionals: positionals, options: options))
  }

  /// The option that `word` begins, and its value from `word` itself or from `rest`.
  private func read(
    _ word: String, _ rest: inout ArraySlice<String>, by syntax: CommandSyntax
  ) throws(UsageError) -> (OptionSyntax, String) {
    let equals = word.firstIndex(of: "=")
    let name = String(word[..<(equals ?? word.endIndex)])
    guard let option = syntax.options.first(where: { "--\($0.name)" == name }) else {
      throw UsageError(
        "\(syntax.name) has no option \(name)",
        suggestion: closest(to: name, in: syntax.options.map { "--\($0.name)" }),
        words: syntax.words)
    }
    var given = equals.map { String(word[word.index(after: $0)...]) }
    guard let label = option.value else {
      if given == nil { return (option, "") }
      throw UsageError("\(name) takes no value", words: syntax.words)
    }
    if given == nil, let next = rest.first, !next.hasPrefix("--") { given = rest.popFirst() }
    guard let value = given else {
      throw UsageError("\(name) needs a value: \(name) \(label)", words: syntax.words)
    }
    if !option.choices.isEmpty && !option.choices.contains(value) {
      throw UsageError(
        "\(name) is one of \(option.choices.joined(separator: ", ")), not `\(value)`",
        suggestion: closest(to: value, in: option.choices), words: syntax.words)
    }
    return (option, value)
  }

  private func count(_ given: [String], by syntax: CommandSyntax) throws(UsageError) {
    let wanted = syntax.positionals
    let needed = wanted.prefix { $0.count != .optional }
    if given.count < needed.count {
      throw UsageError("\(syntax.name) needs \(wanted[given.count].name)", words: syntax.words)
    }
    if given.count > wanted.count && wanted.last?.count != .oneOrMore {
      throw UsageError(
        "\(syntax.name) has no use for `\(given[wanted.count])`", words: syntax.words)
    }
  }
}
