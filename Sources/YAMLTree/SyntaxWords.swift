/// libyaml's messages, which are worded for those who know its grammar, in plain words.
enum SyntaxWords {
  /// What is wrong.
  static func message(_ message: String) -> String {
    switch message {
    case "mapping values are not allowed in this context": "a `:` cannot stand here"
    case "found character that cannot start any token": "a text cannot begin with this character"
    case "did not find expected ',' or ']'": "`,` or `]` is expected here"
    case "did not find expected ',' or '}'": "`,` or `}` is expected here"
    case "did not find expected key": "a key is expected here"
    case "did not find expected '-' indicator": "an item that begins with `-` is expected here"
    case "could not find expected ':'": "a `:` is expected behind the key"
    case "block sequence entries are not allowed in this context":
      "an item that begins with `-` cannot stand here"
    default: message
    }
  }

  /// What stands at the second place.
  static func context(_ message: String) -> String {
    switch message {
    case "while parsing a flow sequence": "the list that begins here is not closed"
    case "while parsing a flow mapping": "the map that begins here is not closed"
    case "while parsing a block mapping": "the map that begins here"
    case "while parsing a block collection": "the list that begins here"
    case "while scanning a simple key": "the key"
    case "while scanning a plain scalar": "the text that begins here"
    case "while scanning a quoted scalar", "while parsing a quoted scalar":
      "the text in quotes that begins here"
    default: message
    }
  }

  /// What mends `${…}` among braces and brackets.
  static let templateHelp =
    "a text with `${…}` needs quotes inside `{ }` and `[ ]`: `\"…${row.code}…\"`"

  /// What usually mends a fault; `nil` where that is not known.
  static func remedy(_ message: String) -> String? {
    switch message {
    case "found character that cannot start any token":
      "a text that begins with `@`, `%` or a backquote needs quotes"
    case "mapping values are not allowed in this context":
      "a text with `: ` in it needs quotes; keys of one map need the same indentation"
    case "did not find expected key", "did not find expected '-' indicator":
      "check the indentation, and quotes or brackets left open above"
    case "did not find expected ',' or ']'", "did not find expected ',' or '}'":
      "close what is open, or put a text with `,`, `[`, `]`, `{` or `}` in it into quotes"
    case "could not find expected ':'":
      "write `key: value`, with a space behind the colon; an item of a list begins with `- `"
    case "block sequence entries are not allowed in this context":
      "begin the list on a line of its own, below its key"
    case "found invalid Unicode character escape code":
      "write the character itself, or \\U and eight digits"
    case "control characters are not allowed":
      "leave it out, or write it as an escape in a text in double quotes"
    case _ where message.contains("UTF-8"): "save the file as UTF-8"
    default: nil
    }
  }
}
