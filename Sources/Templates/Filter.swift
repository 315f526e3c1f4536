internal import Diagnostics

/// What follows a filter's name: a number, a word, or a text in double quotes.
struct FilterArgument {
  var text: String
  var isQuoted: Bool
  /// In UTF-8 bytes from the template's start.
  var offset: Int
}

/// One step that a value passes through on its way into the text.
enum Filter: Sendable, Equatable {
  case `default`(String)
  case required(String)
  case pad(Int, with: Character)
  case upper, lower, trim
  case slice(from: Int, count: Int?)
  case hex, base64url, urlencode, sha256
  case date(format: String, local: Bool)
  case luhn, mod10

  /// Every filter's name and what it takes.
  private static let usages = [
    ("default", "default V"), ("required", "required TEXT"), ("pad", "pad N [C]"),
    ("upper", "upper"), ("lower", "lower"), ("trim", "trim"), ("slice", "slice FROM [COUNT]"),
    ("hex", "hex"), ("base64url", "base64url"), ("urlencode", "urlencode"), ("sha256", "sha256"),
    ("date", "date FORMAT [local]"), ("luhn", "luhn"), ("mod10", "mod10"),
  ]

  /// The longest text that `pad` makes.
  private static let padLimit = 4096

  init(name: String, arguments: [FilterArgument], offset: Int) throws(TemplateError) {
    guard let usage = Self.usages.first(where: { $0.0 == name })?.1 else {
      let names = Self.usages.map(\.0)
      throw TemplateError(
        "there is no filter `\(name)`", offset: offset,
        help: closest(to: name, in: names).map { "did you mean `\($0)`?" }
          ?? "the filters are \(names.joined(separator: ", "))")
    }
    let wrong = TemplateError(
      "`\(name)` does not take these arguments", offset: arguments.first?.offset ?? offset,
      help: "write `\(usage)`")
    switch (name, arguments.count) {
    case ("default", 1): self = .default(arguments[0].text)
    case ("required", 1): self = .required(arguments[0].text)
    case ("pad", 1...2):
      guard let width = arguments[0].number, (0...Self.padLimit).contains(width) else {
        throw wrong
      }
      let filler = arguments.count == 2 ? arguments[1].text : "0"
      guard let character = filler.first, filler.count == 1 else { throw wrong }
      self = .pad(width, with: character)
    case ("upper", 0): self = .upper
    case ("lower", 0): self = .lower
    case ("trim", 0): self = .trim
    case ("slice", 1...2):
      guard let from = arguments[0].number else { throw wrong }
      guard arguments.count == 2 else {
        self = .slice(from: from, count: nil)
        return
      }
      guard let count = arguments[1].number, count >= 0 else { throw wrong }
      self = .slice(from: from, count: count)
    case ("hex", 0): self = .hex
    case ("base64url", 0): self = .base64url
    case ("urlencode", 0): self = .urlencode
    case ("sha256", 0): self = .sha256
    case ("date", 1...2):
      if arguments.count == 2, arguments[1].text != "local" {
        throw TemplateError(
          "`\(arguments[1].text)` is not a time zone", offset: arguments[1].offset,
          help: "only `local` may follow the format; a format with spaces needs double quotes")
      }
      if let fault = Moment.fault(in: arguments[0].text) {
        throw TemplateError(fault, offset: arguments[0].offset, help: "write as in `date %Y-%m-%d`")
      }
      self = .date(format: arguments[0].text, local: arguments.count == 2)
    case ("luhn", 0): self = .luhn
    case ("mod10", 0): self = .mod10
    default: throw wrong
    }
  }
}

extension FilterArgument {
  /// The number it is, if it is one.
  var number: Int? { isQuoted ? nil : Int(text) }
}
