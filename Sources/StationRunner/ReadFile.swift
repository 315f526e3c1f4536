internal import Bytes
internal import Diagnostics
internal import JobFile
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

    /// What a person can do something with.
    private static func words(for error: SystemError) -> String {
      switch error.code {
      case ELOOP: "\(error.operation) is a link, which may lead out of the output folder"
      case EMLINK:
        "\(error.operation) has a second name (a hard link), which may lie outside the output folder"
      case EINVAL: "\(error.operation) is no regular file"
      default: error.description
      }
    }

    var text: String {
      switch self {
      case .badName(let text): text
      case .otherHeading(let path): "\(path) has another heading; move it away or name another file"
      case .system(let error): Self.words(for: error)
      }
    }
  }

  /// Where it lies, for messages.
  let path: String
  private let name: String
  private let folder: String
  private let isCSV: Bool

  /// The file `name` in `folder`; `name` may not leave it.
  init(name: String, in folder: String) throws(Failure) {
    if let fault = OutputName.fault(of: name) {
      throw .badName("the file name \"\(name)\" \(fault)")
    }
    path = Files.resolve(name, in: folder)
    self.name = name
    self.folder = folder
    isCSV = name.hasSuffix(".csv")
  }

  /// Appends one line of `fields`, durable when it returns; the heading comes first in a new file.
  func append(_ fields: [(key: String, value: JSON)]) throws(Failure) {
    do throws(SystemError) {
      try Files.makeFolder(folder)
      let heading = Self.line(fields.map(\.key))
      let file = try Descriptor(beneath: folder, name, flags: O_RDWR | O_APPEND | O_CREAT)
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
  ///
  /// What a terminal or a reader of lines would act on is escaped as `\u{1B}`, apart from line feeds.
  private static func line(_ cells: [String]) -> [UInt8] {
    let texts = cells.map { cell in
      var text = shownLines(cell)
      if beginsFormula(cell) { text = "'" + text }
      guard text.utf8.contains(where: { [0x22, 0x2C, 0x0A].contains($0) }) else { return text }
      return "\"" + text.replacing("\"", with: "\"\"") + "\""
    }
    return Array((texts.joined(separator: ",") + "\r\n").utf8)
  }

  /// Whether a spreadsheet might take the cell for a formula (OWASP ASVS 5.0, 1.2.10): by its first letter,
  /// in full width too, behind quotes and blanks that some programs take away, or because a control
  /// character may do whatever it likes there.
  private static func beginsFormula(_ cell: String) -> Bool {
    for scalar in cell.unicodeScalars {
      if scalar == "\n" || scalar.actsOnDisplay { return true }
      if "\"'“”„«» \u{A0}\u{3000}".unicodeScalars.contains(scalar) { continue }
      return "=+-@＝＋－＠﹦﹢﹣﹫−".unicodeScalars.contains(scalar)
    }
    return false
  }
}
