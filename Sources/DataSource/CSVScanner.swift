/// Where one value of a CSV record lies in the file's bytes.
struct CSVField: Sendable {
  /// The value without its quotes, doubled ones inside still doubled.
  var range: Range<Int>
  /// Whether quotes are doubled inside.
  var hasDoubledQuotes = false
  /// Where the field begins, its opening quote included.
  var start: Int

  /// Whether it reads like `4.95881E+12`.
  func isShortenedNumber(in bytes: [UInt8]) -> Bool {
    guard range.count >= 5, range.count <= 24 else { return false }
    let field = bytes[range]
    let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
    let end = field.suffix(4)
    guard end.first == UInt8(ascii: "E"), end.dropFirst().first == UInt8(ascii: "+") else {
      return false
    }
    return end.suffix(2).allSatisfy { digits.contains($0) }
      && field.dropLast(4).allSatisfy {
        digits.contains($0) || $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: ",")
      }
  }

  /// The value.
  func text(in bytes: [UInt8]) -> String {
    guard hasDoubledQuotes else { return String(decoding: bytes[range], as: UTF8.self) }
    var text: [UInt8] = []
    var at = range.lowerBound
    while at < range.upperBound {
      text.append(bytes[at])
      at += bytes[at] == UInt8(ascii: "\"") ? 2 : 1
    }
    return String(decoding: text, as: UTF8.self)
  }
}

/// Why a record is no CSV.
struct CSVFault: Error {
  enum Kind {
    case quoteInside, afterQuote, unclosedQuote, tooLong, tooManyColumns
  }

  var kind: Kind
  var offset: Int
  /// Where the field begins.
  var start: Int

  var message: String {
    switch kind {
    case .quoteInside: "a quote stands inside a field that is not quoted"
    case .afterQuote: "the field goes on behind its closing quote"
    case .unclosedQuote: "the quote is not closed"
    case .tooLong: "the field is longer than \(DataRows.valueLimit >> 20) MiB"
    case .tooManyColumns: "the record has more than \(DataRows.columnLimit) fields"
    }
  }
}

/// Reads CSV records (RFC 4180) from UTF-8 bytes; lines end with LF, CR LF or CR, and blank ones
/// are passed over.
struct CSVScanner {
  let bytes: [UInt8]
  let delimiter: UInt8
  /// The next byte to read.
  private(set) var at: Int
  /// The line of that byte, counted from 1.
  private(set) var line: Int
  /// Where the last record began.
  private(set) var rowStart = 0
  private(set) var rowLine = 0

  init(bytes: [UInt8], delimiter: UInt8, at: Int, line: Int) {
    self.bytes = bytes
    self.delimiter = delimiter
    self.at = at
    self.line = line
  }

  /// Reads the next record into `fields`; `false` at the end of the file.
  mutating func nextRow(into fields: inout [CSVField]) throws(CSVFault) -> Bool {
    fields.removeAll(keepingCapacity: true)
    while at < bytes.count, passLineEnd() {}
    rowStart = at
    rowLine = line
    guard at < bytes.count else { return false }
    while true {
      if fields.count == DataRows.columnLimit {
        throw CSVFault(kind: .tooManyColumns, offset: at, start: at)
      }
      let field =
        at < bytes.count && bytes[at] == UInt8(ascii: "\"") ? try quoted() : try plain()
      fields.append(field)
      if at == bytes.count || passLineEnd() { return true }
      // A field ends at the end of the file, at a line end or at a delimiter.
      at += 1
    }
  }

  /// After a fault: passes over the rest of its line.
  mutating func skipLine() {
    while at < bytes.count, !passLineEnd() { at += 1 }
  }

  /// Passes over a line end, if one is next.
  private mutating func passLineEnd() -> Bool {
    if bytes[at] == 0x0A {
      at += 1
    } else if bytes[at] == 0x0D {
      at += at + 1 < bytes.count && bytes[at + 1] == 0x0A ? 2 : 1
    } else {
      return false
    }
    line += 1
    return true
  }

  private mutating func plain() throws(CSVFault) -> CSVField {
    let start = at
    while at < bytes.count {
      let byte = bytes[at]
      if byte == delimiter || byte == 0x0A || byte == 0x0D { break }
      if byte == UInt8(ascii: "\"") {
        throw CSVFault(kind: .quoteInside, offset: at, start: start)
      }
      at += 1
    }
    if at - start > DataRows.valueLimit {
      throw CSVFault(kind: .tooLong, offset: start, start: start)
    }
    return CSVField(range: start..<at, start: start)
  }

  private mutating func quoted() throws(CSVFault) -> CSVField {
    let start = at
    var hasDoubled = false
    at += 1
    while at < bytes.count {
      let byte = bytes[at]
      if byte == UInt8(ascii: "\"") {
        guard at + 1 < bytes.count, bytes[at + 1] == byte else { break }
        hasDoubled = true
        at += 2
      } else if byte == 0x0A || byte == 0x0D {
        _ = passLineEnd()
      } else {
        at += 1
      }
      if at - start > DataRows.valueLimit {
        throw CSVFault(kind: .tooLong, offset: start, start: start)
      }
    }
    guard at < bytes.count else {
      throw CSVFault(kind: .unclosedQuote, offset: start, start: start)
    }
    let range = start + 1..<at
    at += 1
    if at < bytes.count, bytes[at] != delimiter, bytes[at] != 0x0A, bytes[at] != 0x0D {
      throw CSVFault(kind: .afterQuote, offset: at, start: start)
    }
    return CSVField(range: range, hasDoubledQuotes: hasDoubled, start: start)
  }
}
