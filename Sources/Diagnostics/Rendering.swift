internal import Bytes

/// Diagnostics as text for people: place, message, the line itself and a mark under what is meant.
///
/// ```
/// job.yaml:3:10: error: unknown key `chps` [unknown-key]
///   accept: {chps: [NTAG213]}
///            ^~~~
///   help: did you mean `chips`?
/// ```
package struct Renderer {
  /// Whether ANSI colours are used; they are never the only sign.
  private let colour: Bool
  private let read: (String) -> [UInt8]?
  private var sources: [String: SourceText?] = [:]
  /// By file and line, the first column of what is not shown.
  private var hidden: [String: [Int: Int]] = [:]

  /// A renderer that gets the bytes of a file, by its path, from `read` at first need.
  package init(colour: Bool = false, reading read: @escaping (String) -> [UInt8]?) {
    self.colour = colour
    self.read = read
  }

  /// All findings, each with its lines, and the summary where there is more than nothing.
  package mutating func render(_ findings: Findings) -> String {
    var text = ""
    for diagnostic in findings.all { hide(diagnostic.hidden) }
    for diagnostic in findings.all { text += render(diagnostic) }
    if let summary = findings.summary { text += summary + "\n" }
    return text
  }

  /// One finding, ending in a line feed.
  package mutating func render(_ diagnostic: Diagnostic) -> String {
    hide(diagnostic.hidden)
    var text = ""
    if let place = diagnostic.place { text += bold(shown(place.text)) + ": " }
    text += painted(diagnostic.severity.rawValue, diagnostic.severity) + ": "
    text += bold(shown(diagnostic.message)) + " [\(diagnostic.code)]\n"
    if let place = diagnostic.place { text += excerpt(place, diagnostic.severity) }
    if let second = diagnostic.secondary {
      text += "  \(shown(second.place.text)): \(shown(second.label))\n"
      text += excerpt(second.place, .note)
    }
    if let help = diagnostic.help { text += "  \(painted("help", .note)): \(shown(help))\n" }
    return text
  }

  private mutating func hide(_ places: [Place]) {
    for place in places {
      let column = max(place.column, 1)
      hidden[place.file, default: [:]][place.line, default: column] =
        min(hidden[place.file]?[place.line] ?? column, column)
    }
  }

  /// The line of `place` without what is hidden in it, and the place in what is left.
  private mutating func line(
    of place: Place
  ) -> (scalars: ArraySlice<Unicode.Scalar>, place: Place)? {
    guard place.line > 0, let line = source(place.file)?.line(place.line) else { return nil }
    guard let first = hidden[place.file]?[place.line], first <= line.count else {
      return (line, place)
    }
    var place = place
    let mask = Array("(hidden)".unicodeScalars)
    if place.column >= first {
      place.column = first
      place.length = mask.count
    } else {
      place.length = min(place.length, first + mask.count - place.column)
    }
    return (line.prefix(first - 1) + mask[...], place)
  }

  /// The line at `place` and the mark under it; nothing where the file or the line cannot be had.
  private mutating func excerpt(_ place: Place, _ severity: Diagnostic.Severity) -> String {
    guard let (line, place) = line(of: place) else { return "" }
    let column = max(place.column, 1) - 1
    // A line of any length leaves as one that fits a screen, with the place in it.
    let first = column > Self.widest / 2 ? column - Self.widest / 2 : 0
    let window = line.dropFirst(first).prefix(Self.widest)
    var text = "  " + (first > 0 ? "…" : "")
    var mark = first > 0 ? " " : ""
    for (offset, scalar) in window.enumerated() {
      let index = first + offset
      // A tab would stand wherever the terminal puts it.
      let piece = scalar == "\t" ? "    " : escaped(scalar)
      text += piece
      guard place.column > 0, index < column + place.length else { continue }
      let width = piece.unicodeScalars.count
      if index < column {
        mark += String(repeating: " ", count: width)
      } else {
        mark += (index == column ? "^" : "~") + String(repeating: "~", count: width - 1)
      }
    }
    if first + window.count < line.count { text += "…" }
    if place.column > 0, column >= line.count {
      mark += String(repeating: " ", count: max(0, min(column - line.count, 1))) + "^"
    }
    while mark.last == " " { mark.removeLast() }
    if place.column == 0 || mark.isEmpty { return text + "\n" }
    return "\(text)\n  \(painted(mark, severity))\n"
  }

  private static let widest = 160

  private mutating func source(_ file: String) -> SourceText? {
    if let known = sources[file] { return known }
    let text = read(file).map { SourceText($0) }
    sources[file] = .some(text)
    return text
  }

  private func bold(_ text: String) -> String { colour ? "\u{1B}[1m\(text)\u{1B}[0m" : text }

  private func painted(_ text: String, _ severity: Diagnostic.Severity) -> String {
    guard colour else { return text }
    let code =
      switch severity {
      case .error: "31"
      case .warning: "33"
      case .note: "36"
      }
    return "\u{1B}[1;\(code)m\(text)\u{1B}[0m"
  }
}

extension Findings {
  /// How many errors and warnings there are, in words; `nil` where there are none.
  package var summary: String? {
    func count(_ severity: Diagnostic.Severity) -> String? {
      let number = all.count { $0.severity == severity }
      if number == 0 { return nil }
      return "\(number) \(severity.rawValue)\(number == 1 ? "" : "s")"
    }
    let parts = [count(.error), count(.warning)].compactMap { $0 }
    return parts.isEmpty ? nil : parts.joined(separator: ", ")
  }
}

/// `text` with every character escaped that a terminal would act on, as people see texts of others.
///
/// `\u{1B}` stands for U+001B. Of a text of more than 1000 code points the rest is left out and counted.
package func shown(_ text: String) -> String {
  let limit = 1000
  var shown = ""
  var rest = text.unicodeScalars[...]
  for _ in 0..<limit {
    guard let scalar = rest.popFirst() else { return shown }
    shown += escaped(scalar)
  }
  return rest.isEmpty ? shown : "\(shown)… (\(rest.count) more)"
}

/// `lines` with every character escaped that a terminal would act on, apart from the ends of lines.
package func shownLines(_ lines: String) -> String {
  guard lines.unicodeScalars.contains(where: { $0 != "\n" && $0.actsOnDisplay }) else {
    return lines
  }
  return lines.unicodeScalars.reduce(into: "") { text, scalar in
    text += scalar == "\n" ? "\n" : escaped(scalar)
  }
}

/// The scalar, or its escape (`\u{1B}`) where a terminal would act on it.
private func escaped(_ scalar: Unicode.Scalar) -> String {
  if !scalar.actsOnDisplay { return String(scalar) }
  return "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
}
