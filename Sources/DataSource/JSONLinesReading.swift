internal import Diagnostics

/// Reads a file of JSON Lines whole, checks every line, and notes where each begins.
struct JSONLinesReading {
  let path: String
  /// Where the job names the file.
  let place: Place
  private var faults = FaultList()
  /// The columns of whose numbers people were warned.
  private var numberColumns: Set<Int> = []

  init(path: String, place: Place) {
    self.path = path
    self.place = place
  }

  /// The rows; `nil` if `findings` got an error.
  mutating func rows(findings: inout Findings) -> DataRows? {
    guard
      let file = DataFile(
        path: path, encoding: nil, mayGuess: false, place: place, findings: &findings)
    else { return nil }
    let bytes = file.bytes
    if let fault = wholeFault(in: bytes, from: file.start) {
      findings.add(fault)
      return nil
    }
    var columns = ColumnNames()
    // The last line in which a column was seen, to notice a repeated name.
    var seen: [Int] = []
    var starts: [DataRows.Start] = []
    var start = file.start
    var line = 0
    while start < bytes.count {
      let end = bytes[start...].firstIndex(of: 0x0A) ?? bytes.count
      line += 1
      defer { start = end + 1 }
      if bytes[start..<end].allSatisfy({ $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }) { continue }
      do throws(JSONFault) {
        var scanner = JSONObjectScanner(bytes: bytes, at: start)
        for member in try scanner.members() {
          let column = columns.add(member.name)
          if column == seen.count { seen.append(0) }
          if seen[column] == line {
            throw JSONFault(
              message: "`\(member.name)` is there twice", offset: member.offset,
              help: "keep one of the two, or give them names of their own")
          }
          if column == DataRows.columnLimit {
            throw JSONFault(
              message: "the file has more than \(DataRows.columnLimit) names",
              offset: member.offset)
          }
          seen[column] = line
          if member.hasExponent, numberColumns.insert(column).inserted {
            var place = Place(file: path, line: line, column: 1)
            TextPlace.move(&place, over: bytes[start..<member.offset])
            findings.warning(
              "data-number",
              "the number `\(member.value ?? "")` is taken as it is written, with its exponent",
              at: place, help: "write all its digits, in quotes")
          }
        }
      } catch {
        var place = Place(file: path, line: line, column: 1)
        TextPlace.move(&place, over: bytes[start..<error.offset])
        faults.add(to: &findings, "data-json", error.message, at: place, help: error.help)
        if columns.names.count > DataRows.columnLimit { break }
      }
      starts.append(
        DataRows.Start(
          offset: UInt32(truncatingIfNeeded: start), line: UInt32(truncatingIfNeeded: line)))
    }
    faults.finish(&findings, file: path)
    guard faults.count == 0 else { return nil }
    return DataRows(file: path, columns: columns, form: .jsonLines, bytes: bytes, starts: starts)
  }

  /// What makes the whole file something else than JSON Lines; `nil` where nothing does.
  private func wholeFault(in bytes: [UInt8], from start: Int) -> Diagnostic? {
    let isBlank = { (byte: UInt8) in [0x20, 0x09, 0x0D, 0x0A].contains(byte) }
    guard let first = bytes[start...].firstIndex(where: { !isBlank($0) }) else { return nil }
    var place = Place(file: path, line: 1, column: 1)
    TextPlace.move(&place, over: bytes[start..<first])
    if bytes[first] == UInt8(ascii: "[") {
      return Diagnostic(
        .error, "data-form", "the file is one JSON list, not JSON Lines", at: place,
        help: "write each object on a line of its own, without the list's brackets and commas")
    }
    if bytes[first] != UInt8(ascii: "{") {
      return Diagnostic(
        .error, "data-form", "the file is no JSON Lines: its first line is no object", at: place,
        help: "write each row like `{\"code\": \"A-1\"}`; a CSV file is named under `csv`")
    }
    let line = bytes[first...].prefix { $0 != 0x0A }
    if line.dropFirst().allSatisfy(isBlank), line.endIndex < bytes.count {
      return Diagnostic(
        .error, "data-form", "the object goes over several lines", at: place,
        help: "write each object in one line")
    }
    return nil
  }
}
