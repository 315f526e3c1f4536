internal import Diagnostics

/// A command line that cannot be understood.
struct UsageError: Error, Equatable, Sendable {
  /// One sentence without a full stop.
  let message: String
  /// What was probably meant.
  let suggestion: String?
  /// The words of the command whose help to point to; empty for the program's.
  var words: [String]

  init(_ message: String, suggestion: String? = nil, words: [String] = []) {
    self.message = message
    self.suggestion = suggestion
    self.words = words
  }

  /// The lines that a person sees.
  var text: String {
    var text = "tagstation: \(shown(message))\n"
    if let suggestion { text += "  did you mean \(suggestion)?\n" }
    return text + "  see: \((["tagstation"] + words + ["--help"]).joined(separator: " "))\n"
  }
}
