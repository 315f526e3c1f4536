internal import Bytes

/// The rule for the names of files that jobs write: they stay in the output folder.
package enum OutputName {
  /// What is wrong with `name`, as the end of a sentence; `nil` for a name of a file in the output folder or
  /// in a folder below it.
  package static func fault(of name: String) -> String? {
    let parts = name.split(separator: "/", omittingEmptySubsequences: false)
    if name.hasPrefix("/") || !parts.allSatisfy({ !["", ".", ".."].contains($0) }) {
      return "would leave the output folder"
    }
    if name.unicodeScalars.contains(where: \.actsOnDisplay) { return "has a control character" }
    if parts.count > 16 || parts.contains(where: { $0.utf8.count > 255 }) {
      return "is too long: it may have 16 parts of 255 bytes"
    }
    if name.hasSuffix(".csv") || name.hasSuffix(".jsonl") { return nil }
    return "ends neither in .csv nor in .jsonl"
  }
}
