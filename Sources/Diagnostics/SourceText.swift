/// The text of a file, for finding places in it and showing its lines.
///
/// Lines end at LF, CR or CR LF, as editors count them. UTF-16 with a byte order mark is read too,
/// and the mark is no part of the text.
package struct SourceText: Sendable {
  private let scalars: [Unicode.Scalar]
  /// Where each line begins.
  private let starts: [Int]

  /// The text that `bytes` encode; bytes that encode nothing become U+FFFD.
  package init(_ bytes: [UInt8]) {
    let scalars: [Unicode.Scalar]
    switch (bytes.first, bytes.dropFirst().first) {
    case (0xFF, 0xFE): scalars = Self.decodeUTF16(bytes.dropFirst(2), low: 0)
    case (0xFE, 0xFF): scalars = Self.decodeUTF16(bytes.dropFirst(2), low: 1)
    default:
      let body = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes[...]
      scalars = Array(String(decoding: body, as: UTF8.self).unicodeScalars)
    }
    var starts = [0]
    for (index, scalar) in scalars.enumerated() {
      let next = index + 1
      if scalar == "\n" || scalar == "\r" && !(next < scalars.count && scalars[next] == "\n") {
        starts.append(next)
      }
    }
    self.scalars = scalars
    self.starts = starts
  }

  private static func decodeUTF16(_ bytes: ArraySlice<UInt8>, low: Int) -> [Unicode.Scalar] {
    let all = Array(bytes)
    let units = (0..<all.count / 2).map { index in
      UInt16(all[2 * index + low]) | UInt16(all[2 * index + 1 - low]) << 8
    }
    return Array(String(decoding: units, as: UTF16.self).unicodeScalars)
  }

  /// How many lines the text has.
  package var lineCount: Int { starts.count }

  /// How many code points the text has.
  package var count: Int { scalars.count }

  /// The code point at `index`; `nil` beyond the last one.
  package func scalar(at index: Int) -> Unicode.Scalar? {
    scalars.indices.contains(index) ? scalars[index] : nil
  }

  /// The line and column, both counted from 1, of the code point at `index`.
  package func position(of index: Int) -> (line: Int, column: Int) {
    var low = 0
    var high = starts.count
    while high - low > 1 {
      let middle = (low + high) / 2
      if starts[middle] <= index { low = middle } else { high = middle }
    }
    return (low + 1, index - starts[low] + 1)
  }

  /// The code points of the line with this number, without its end; `nil` beyond the last one.
  package func line(_ number: Int) -> ArraySlice<Unicode.Scalar>? {
    guard number >= 1, number <= starts.count else { return nil }
    let start = starts[number - 1]
    var end = number < starts.count ? starts[number] : scalars.count
    // Not `removeLast`, which copies the line.
    if end > start, scalars[end - 1] == "\n" { end -= 1 }
    if end > start, scalars[end - 1] == "\r" { end -= 1 }
    return scalars[start..<end]
  }

  /// How many code points lie in the text from `start` to `end`, but not beyond the line of
  /// `start`.
  package func length(from start: Int, to end: Int) -> Int {
    let lineNumber = position(of: start).line
    guard let line = line(lineNumber) else { return 1 }
    return max(1, min(end, line.endIndex) - start)
  }
}
