internal import Diagnostics

/// An app's property list as bytes: XML, or binary (`bplist00`).
package struct PropertyListFile: Sendable {
  /// The path as it is shown in messages.
  package var path: String
  /// The whole file.
  package var bytes: [UInt8]

  /// The file at `path`, which holds `bytes`.
  package init(path: String, bytes: [UInt8]) {
    self.path = path
    self.bytes = bytes
  }

  /// The largest file that is read, in bytes.
  package static let largest = 1 << 20
  static let deepest = 64
  static let mostValues = 100_000

  /// The root of the list.
  func root() throws(PropertyListFault) -> PropertyValue {
    if bytes.count > Self.largest {
      throw PropertyListFault(code: "too-large", message: "the file is larger than 1 MiB")
    }
    if bytes.starts(with: "bplist".utf8) {
      var list = try BinaryPropertyList(bytes)
      return try list.root()
    }
    let text = SourceText(bytes)
    guard
      let first = (0..<text.count).lazy.compactMap({ text.scalar(at: $0) })
        .first(where: { !$0.properties.isWhitespace })
    else {
      throw PropertyListFault(code: "empty", message: "the file has nothing in it")
    }
    guard first == "<" else {
      throw PropertyListFault(
        message: "the file is no property list in XML or binary form",
        help: "`plutil -convert xml1 FILE` on a Mac rewrites other forms")
    }
    try checkEncoding(text)
    var list = XMLPropertyList(text, file: path)
    return try list.root()
  }

  /// Makes sure that the bytes are text: UTF-8, or UTF-16 with its mark.
  private func checkEncoding(_ text: SourceText) throws(PropertyListFault) {
    if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) { return }
    if String(validating: bytes, as: UTF8.self) != nil { return }
    let index = (0..<text.count).first { text.scalar(at: $0) == "\u{FFFD}" } ?? 0
    let position = text.position(of: index)
    throw PropertyListFault(
      message: "the file is not UTF-8 here",
      place: Place(file: path, line: position.line, column: position.column),
      help: "save the file as UTF-8")
  }
}
