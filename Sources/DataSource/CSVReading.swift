internal import Diagnostics

/// Reads a CSV file whole, checks every record, and notes where each begins.
struct CSVReading {
  let path: String
  let delimiter: UInt8?
  let encoding: String?
  /// The names of the columns where the file has no heading.
  let header: [String]?
  /// Where the job names the file.
  let place: Place
  private var faults = FaultList()
  /// The columns of whose numbers people were warned.
  private var numberColumns: Set<Int> = []

  init(path: String, delimiter: UInt8?, encoding: String?, header: [String]?, place: Place) {
    self.path = path
    self.delimiter = delimiter
    self.encoding = encoding
    self.header = header
    self.place = place
  }

  /// The rows; `nil` if `findings` got an error.
  mutating func rows(findings: inout Findings) -> DataRows? {
    guard
      let file = DataFile(
        path: path, encoding: encoding, mayGuess: true, place: place, findings: &findings)
    else { return nil }
    if isJSON(file) {
      findings.error(
        "data-form", "the file is JSON, not CSV", at: Place(file: path, line: 1, column: 1),
        help: "name it under `jsonl`, with each object in one line")
      return nil
    }
    var start = file.start
    var line = 1
    let hint = CSVDelimiter.separatorLine(in: file.bytes, from: start)
    if let hint {
      start = hint.end
      line = 2
    }
    guard
      let delimiter = chooseDelimiter(in: file, from: start, hint: hint?.delimiter, &findings)
    else { return nil }
    var scanner = CSVScanner(bytes: file.bytes, delimiter: delimiter, at: start, line: line)
    let columns = heading(&scanner, file: file, findings: &findings)
    let starts = check(&scanner, columns: columns, findings: &findings)
    faults.finish(&findings, file: path)
    guard let columns, faults.count == 0 else { return nil }
    return DataRows(
      file: path, columns: columns, form: .csv(delimiter: delimiter), bytes: file.bytes,
      starts: starts)
  }

  /// Whether the file begins as a JSON object: a brace, and a quote or nothing behind it in its line.
  private func isJSON(_ file: DataFile) -> Bool {
    let text = file.bytes[file.start...]
    guard text.first == UInt8(ascii: "{") else { return false }
    let next = text.dropFirst().first { $0 != 0x20 && $0 != 0x09 }
    return next.map { [UInt8(ascii: "\""), UInt8(ascii: "'"), 0x0A, 0x0D].contains($0) } ?? false
  }

  private func chooseDelimiter(
    in file: DataFile, from start: Int, hint: UInt8?, _ findings: inout Findings
  ) -> UInt8? {
    if let delimiter {
      guard CSVDelimiter.isUsable(delimiter) else {
        findings.error(
          "data-delimiter", "this letter cannot part the fields of a file", at: place,
          help: "use `,`, `;`, a tab or another sign")
        return nil
      }
      if let hint, hint != delimiter {
        findings.warning(
          "data-delimiter",
          "the file asks for \(shown(hint)); \(shown(delimiter)) is declared and used",
          at: Place(file: path, line: 1))
      }
      return delimiter
    }
    if let hint { return hint }
    let guess = CSVDelimiter.guess(in: file.bytes, from: start, columns: header?.count)
    if let rival = guess.rival {
      findings.warning(
        "data-delimiter",
        "\(shown(guess.delimiter)) and \(shown(rival)) would both part the fields; "
          + "\(shown(guess.delimiter)) is used", at: Place(file: path, line: 1),
        help: "declare `delimiter`")
    }
    return guess.delimiter
  }

  /// The names of the columns, from the job or the first record; `nil` if there are none to use.
  private mutating func heading(
    _ scanner: inout CSVScanner, file: DataFile, findings: inout Findings
  ) -> ColumnNames? {
    var columns = ColumnNames()
    if let header {
      var isSound = true
      for name in header {
        if name.isEmpty || columns.index(of: name) != nil {
          faults.add(
            to: &findings, "data-heading",
            name.isEmpty ? "a column has no name" : "the column `\(name)` is named twice",
            at: place)
          isSound = false
        }
        _ = columns.add(name)
      }
      return isSound ? columns : nil
    }
    var fields: [CSVField] = []
    do throws(CSVFault) {
      guard try scanner.nextRow(into: &fields) else {
        faults.add(
          to: &findings, "data-empty", "the file is empty, where a heading is expected",
          at: Place(file: path), help: "write the names of the columns in its first line")
        return nil
      }
    } catch {
      add(error, &scanner, to: &findings)
      return nil
    }
    var isSound = true
    for (index, field) in fields.enumerated() {
      let name = field.text(in: file.bytes)
      let place = scanner.place(of: field.start, in: path)
      if name.isEmpty {
        faults.add(
          to: &findings, "data-heading", "column \(index + 1) has no heading", at: place,
          help: "give it a name, or take the column out")
        isSound = false
      } else if let first = columns.index(of: name) {
        faults.add(
          to: &findings, "data-heading", "the heading `\(name)` is there twice", at: place,
          help: "give each column a name of its own",
          secondary: Diagnostic.Secondary(
            scanner.place(of: fields[first].start, in: path), "first here"))
        isSound = false
      } else if name.first?.isWhitespace == true || name.last?.isWhitespace == true {
        findings.warning(
          "data-heading", "the heading `\(name)` begins or ends with a space", at: place,
          help: "it is part of the name: `row[\"\(name)\"]`")
      }
      if columns.add(name) != index { isSound = false }
    }
    return isSound ? columns : nil
  }

  /// Checks all records that are left, and tells where they begin.
  private mutating func check(
    _ scanner: inout CSVScanner, columns: ColumnNames?, findings: inout Findings
  ) -> [DataRows.Start] {
    var starts: [DataRows.Start] = []
    var fields: [CSVField] = []
    var row = 0
    while true {
      do throws(CSVFault) {
        guard try scanner.nextRow(into: &fields) else { return starts }
        row += 1
        if let wanted = columns?.names.count, fields.count != wanted {
          let surplus = fields.count > wanted ? fields[wanted].start : nil
          faults.add(
            to: &findings, "data-columns",
            "row \(row) has \(count(fields.count, "field")), "
              + "where there \(wanted == 1 ? "is" : "are") \(count(wanted, "column"))",
            at: surplus.map { scanner.place(of: $0, in: path) }
              ?? Place(file: path, line: scanner.rowLine),
            help: help(for: scanner, fields.count, wanted))
        }
        warnOfNumbers(fields, scanner, columns, &findings)
        starts.append(
          DataRows.Start(
            offset: UInt32(truncatingIfNeeded: scanner.rowStart),
            line: UInt32(truncatingIfNeeded: scanner.rowLine)))
      } catch {
        row += 1
        add(error, &scanner, to: &findings)
        if error.kind == .unclosedQuote || error.kind == .tooLong { return starts }
      }
    }
  }

  /// What mends a row of more or fewer fields than there are columns.
  private func help(for scanner: CSVScanner, _ count: Int, _ wanted: Int) -> String {
    let row = scanner.bytes[scanner.rowStart..<scanner.at]
    let other = CSVDelimiter.candidates.first { candidate in
      candidate != scanner.delimiter && wanted > 1
        && row.count(where: { $0 == candidate }) == wanted - 1
    }
    if let other {
      return "this row is parted by \(shown(other)), and the file by \(shown(scanner.delimiter))"
    }
    return count > wanted
      ? "a value that holds \(shown(scanner.delimiter)) must be in quotes"
      : "write \(shown(scanner.delimiter)) for empty values too"
  }

  /// Warns of `4.95881E+12`: a spreadsheet has shortened the number, and the rest of it is lost.
  private mutating func warnOfNumbers(
    _ fields: [CSVField], _ scanner: CSVScanner, _ columns: ColumnNames?,
    _ findings: inout Findings
  ) {
    for (index, field) in fields.enumerated() where field.isShortenedNumber(in: scanner.bytes) {
      guard let columns, index < columns.names.count, numberColumns.insert(index).inserted else {
        continue
      }
      findings.warning(
        "data-number",
        "`\(field.text(in: scanner.bytes))` in `\(columns.names[index])` looks like a number "
          + "that a spreadsheet shortened", at: scanner.place(of: field.start, in: path),
        help: "make the column a column of text, enter the values anew and export again")
    }
  }

  /// Tells a fault and goes on behind its line.
  private mutating func add(
    _ fault: CSVFault, _ scanner: inout CSVScanner, to findings: inout Findings
  ) {
    let place = scanner.place(of: fault.offset, in: path)
    let start = scanner.place(of: fault.start, in: path)
    var secondary: Diagnostic.Secondary?
    var help: String?
    switch fault.kind {
    case .quoteInside: help = "write the whole field in quotes, and each quote inside twice"
    case .afterQuote:
      help = "write each quote inside the field twice"
      secondary = Diagnostic.Secondary(start, "its opening quote")
    case .unclosedQuote: help = "add `\"` where the value ends; the file ends without one"
    case .tooLong:
      if scanner.bytes[fault.start] == UInt8(ascii: "\"") { help = "is its quote closed?" }
    case .tooManyColumns: help = "is \(shown(scanner.delimiter)) what parts its values?"
    }
    let code = fault.kind == .tooLong || fault.kind == .tooManyColumns ? "data-limit" : "data-quote"
    faults.add(to: &findings, code, fault.message, at: place, help: help, secondary: secondary)
    scanner.skipLine()
  }

  private func count(_ number: Int, _ noun: String) -> String {
    "\(number) \(noun)\(number == 1 ? "" : "s")"
  }

  private func shown(_ delimiter: UInt8) -> String {
    delimiter == 0x09 ? "the tab" : "`\(Unicode.Scalar(delimiter))`"
  }
}

extension CSVScanner {
  /// The place of a byte of the last record.
  func place(of offset: Int, in file: String) -> Place {
    var place = Place(file: file, line: rowLine, column: 1)
    TextPlace.move(&place, over: bytes[rowStart..<max(offset, rowStart)])
    return place
  }
}
