/// The text of `--help`, made from the same tables as the parser.
struct HelpText {
  let commands: [CommandSyntax]

  /// The help for `words`: a command, a group of commands, or the program.
  func text(for words: [String]) -> String {
    if let command = commands.first(where: { $0.words == words }) { return text(of: command) }
    let listed = commands.filter { $0.words.starts(with: words) }
    let called = (["tagstation"] + words).joined(separator: " ")
    var text = "usage: \(called) COMMAND [options]\n"
    if words.isEmpty {
      text = "TagStation encodes and checks NFC tags in batches, by job files.\n\n" + text
    }
    text += "\ncommands:\n" + columns(listed.map { (usage(of: $0), $0.summary) })
    text += "\n\(called) COMMAND --help tells more.\n"
    return text
  }

  private func text(of command: CommandSyntax) -> String {
    var text = "\(command.summary.first?.uppercased() ?? "")\(command.summary.dropFirst()).\n\n"
    text +=
      "usage: tagstation \(usage(of: command))\(command.options.isEmpty ? "" : " [options]")\n"
    if !command.positionals.isEmpty {
      text += "\narguments:\n" + columns(command.positionals.map { ($0.name, $0.help) })
    }
    let options = command.options.map { option in
      ("--\(option.name)\(option.value.map { " \($0)" } ?? "")", help(of: option))
    }
    text += "\noptions:\n" + columns(options + [("--help", "this text")])
    if !command.details.isEmpty { text += "\n\(command.details)\n" }
    return text
  }

  private func usage(of command: CommandSyntax) -> String {
    let names = command.positionals.map { positional in
      switch positional.count {
      case .one: positional.name
      case .oneOrMore: "\(positional.name)..."
      case .optional: "[\(positional.name)]"
      }
    }
    return (command.words + names).joined(separator: " ")
  }

  private func help(of option: OptionSyntax) -> String {
    option.repeats ? "\(option.help); may be repeated" : option.help
  }

  /// Two columns; a left side that is too wide has a line of its own.
  private func columns(_ rows: [(String, String)]) -> String {
    let limit = 26
    let width = min(rows.map { $0.0.count }.max() ?? 0, limit)
    var text = ""
    for (left, right) in rows {
      text += "  \(left)"
      text +=
        left.count <= width
        ? String(repeating: " ", count: width - left.count + 2)
        : "\n" + String(repeating: " ", count: width + 4)
      text += "\(right)\n"
    }
    return text
  }
}
