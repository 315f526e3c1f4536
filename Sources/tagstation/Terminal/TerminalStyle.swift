internal import Platform

/// What the terminal behind standard error can show.
struct TerminalStyle: Sendable, Equatable {
  /// Whether something is there that moves a cursor.
  var isTerminal: Bool
  /// Whether colours may be used; they are never the only sign.
  var hasColor: Bool
  /// Whether more than ASCII may be drawn.
  var hasUnicode: Bool

  /// By the stream and the environment: `NO_COLOR`, `TERM`, `LC_ALL`, `LC_CTYPE`, `LANG`.
  static func current(
    isTerminal: Bool, environment: (String) -> String?
  ) -> TerminalStyle {
    func variable(_ name: String) -> String? {
      environment(name).flatMap { $0.isEmpty ? nil : $0 }
    }
    let moves = isTerminal && variable("TERM") != "dumb"
    let locale = variable("LC_ALL") ?? variable("LC_CTYPE") ?? variable("LANG") ?? ""
    let encoding = locale.lowercased()
    return TerminalStyle(
      isTerminal: moves, hasColor: moves && variable("NO_COLOR") == nil,
      hasUnicode: encoding.hasSuffix("utf-8") || encoding.hasSuffix("utf8"))
  }

  /// Colours of ECMA-48 section 8.3.117 that the program uses.
  enum Color: Int { case red = 31, green = 32, yellow = 33 }

  /// `text` in `color`, where colours may be used.
  func paint(_ text: String, _ color: Color) -> String {
    hasColor ? "\u{1B}[\(color.rawValue)m\(text)\u{1B}[0m" : text
  }
}
