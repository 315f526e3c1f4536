internal import Diagnostics

/// Reads a file of JSON Lines whole, checks every line, and notes where each begins.
struct JSONLinesReading {
  let path: String
  /// Where the job names the file.
  let place: Place
  private var faults = FaultList()

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
            throw JSONFault(message: "`\(member.name)` is there twice", offset: member.offset)
          }
          if column == DataRows.columnLimit {
            throw JSONFault(
              message: "the file has more than \(DataRows.columnLimit) names",
              offset: member.offset)
          }
          seen[column] = line
        }
      } catch {
        var place = Place(file: path, line: line, column: 1)
        TextPlace.move(&place, over: bytes[start..<error.offset])
        faults.add(to: &findings, "data-json", error.message, at: place)
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
}
