internal import Bytes
internal import Platform

#if canImport(Glibc)
  internal import Glibc
#endif

/// A file that `read` steps append to: CSV with one heading, or JSON Lines.
struct ReadFile {
  /// Why a line could not be kept.
  enum Failure: Error, Equatable {
    /// The name filled from row or tag leaves the output folder, or names no `.csv` or `.jsonl`.
    case badName(String)
    /// The file has another heading.
    case otherHeading(String)
    case system(SystemError)

    var text: String {
      switch self {
      case .badName(let text): text
      case .otherHeading(let path): "\(path) has another heading; move it away or name another file"
      case .system(let error): error.description
      }
    }
  }

  let path: String
  private let isCSV: Bool

  /// The file `name` in `folder`; `name` may not leave it.
  init(name: String, in folder: String) throws(Failure) {
    let parts = name.split(separator: "/", omittingEmptySubsequences: false)
    let isSafe =
      !name.isEmpty && !name.hasPrefix("/")
      && parts.allSatisfy { !$0.isEmpty && $0 != "." && $0 != ".." }
      && !name.unicodeScalars.contains(where: \.actsOnDisplay)
    guard isSafe else {
      throw .badName("the file name \"\(name)\" would leave the output folder")
    }
    guard name.hasSuffix(".csv") || name.hasSuffix(".jsonl") else {
      throw .badName("the file name \"\(name)\" ends neither in .csv nor in .jsonl")
    }
    path = Files.resolve(name, in: folder)
    isCSV = name.hasSuffix(".csv")
  }

  /// Appends one line of `fields`, durable when it returns; the heading comes first in a new file.
  func append(_ fields: [(key: String, value: JSON)]) throws(Failure) {
    do throws(SystemError) {
      try Files.makeFolder(Files.folder(of: path))
      let heading = Self.line(fields.map(\.key))
      let file = try Descriptor(
        opening: path, flags: O_RDWR | O_APPEND | O_CREAT | O_NOFOLLOW)
      // Its start and its last byte are enough, however long it has grown.
      let start = try file.read(atMost: heading.count)
      let isNew = start.isEmpty
      if isCSV, !isNew, start != heading { throw SystemError(path, code: EEXIST) }
      var line: [UInt8] = []
      // A line that was cut by a power loss ends here.
      if !isNew, lseek(file.number, -1, SEEK_END) >= 0,
        try file.read(atMost: 1) != [UInt8(ascii: "\n")]
      {
        line.append(UInt8(ascii: "\n"))
      }
      if isCSV {
        if isNew { line += heading }
        line += Self.line(fields.map { Self.plain($0.value) })
      } else {
        line += Array(JSON.object(fields).text.utf8) + [UInt8(ascii: "\n")]
      }
      try file.write(line)
      try file.synchronize()
    } catch {
      throw error == SystemError(path, code: EEXIST) ? .otherHeading(path) : .system(error)
    }
  }

  private static func plain(_ value: JSON) -> String {
    switch value {
    case .string(let text): text
    case .null: ""
    default: value.text
    }
  }

  /// One CSV line (RFC 4180); a cell that a spreadsheet would take for a formula gets a leading `'`.
  private static func line(_ cells: [String]) -> [UInt8] {
    var line = ""
    for (index, cell) in cells.enumerated() {
      if index > 0 { line += "," }
      var text = String(String.UnicodeScalarView(cell.unicodeScalars.filter { $0 != "\0" }))
      if let first = text.unicodeScalars.first, "=+-@\t\r".unicodeScalars.contains(first) {
        text = "'" + text
      }
      if text.utf8.contains(where: { [0x22, 0x2C, 0x0A, 0x0D].contains($0) }) {
        text = "\"" + text.replacing("\"", with: "\"\"") + "\""
      }
      line += text
    }
    return Array((line + "\r\n").utf8)
  }
}
