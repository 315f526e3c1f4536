package import Diagnostics

/// A YAML file as a tree with a place on every node.
///
/// Read from libyaml's events, so that each node has its place and nothing is built that the limits
/// refuse: 1 MiB a file, 64 levels, 100,000 nodes, 64 `%TAG` lines, one document, no anchors, aliases or merge keys,
/// each key once.
package enum YAMLTree {
  /// The largest file that is read, in bytes.
  package static let largestFile = 1 << 20
  static let deepest = 64
  static let mostNodes = 100_000
  static let mostDirectives = 64

  /// The tree of a file's bytes; `nil` where there is none, with the reason in `findings`.
  ///
  /// What can be told beside other faults (a key given twice, an alias) is told and the tree goes
  /// on.
  package static func parse(
    _ bytes: [UInt8], file: String, findings: inout Findings
  ) -> YAMLNode? {
    guard bytes.count <= largestFile else {
      findings.error(
        "too-large", "the file is larger than 1 MiB", at: Place(file: file),
        help: "keep data in a CSV or JSON Lines file and name it under `data`")
      return nil
    }
    guard let parser = EventParser(bytes) else {
      findings.error("syntax", "no memory to read the file", at: Place(file: file))
      return nil
    }
    var composer = Composer(parser: parser, bytes: bytes, file: file)
    let tree = composer.compose()
    for diagnostic in composer.findings.all { findings.add(diagnostic) }
    return tree
  }
}
