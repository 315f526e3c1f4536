/// Finds out which letter parts the fields of a CSV file that does not declare it.
enum CSVDelimiter {
  static let candidates = Array(",;\t".utf8)
  /// How many records are looked at.
  private static let sample = 20

  struct Guess {
    var delimiter: UInt8
    /// Another one that would fit as well.
    var rival: UInt8?
  }

  /// A first line `sep=;`, as Excel reads and writes it: its delimiter and where the next line
  /// begins.
  static func separatorLine(in bytes: [UInt8], from start: Int) -> (delimiter: UInt8, end: Int)? {
    let line = bytes[start...].prefix { $0 != 0x0A && $0 != 0x0D }
    var text = Array(line)
    if text.count == 7, text.first == UInt8(ascii: "\""), text.last == UInt8(ascii: "\"") {
      text = Array(text.dropFirst().dropLast())
    }
    guard text.count == 5, String(decoding: text.prefix(4), as: UTF8.self).lowercased() == "sep=",
      isUsable(text[4])
    else { return nil }
    var end = line.endIndex
    if end < bytes.count, bytes[end] == 0x0D { end += 1 }
    if end < bytes.count, bytes[end] == 0x0A { end += 1 }
    return (text[4], end)
  }

  /// Whether `byte` may part fields: printable ASCII but no letter, digit or quote, or a tab.
  static func isUsable(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x09: true
    case UInt8(ascii: "\""), UInt8(ascii: "0")...UInt8(ascii: "9"),
      UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"):
      false
    default: (0x20...0x7E).contains(byte)
    }
  }

  /// The candidate that parts the first records into the same number of fields, the most if several
  /// do.
  ///
  /// Where none does, the one that parts the first record most often, so that the odd records are
  /// named; a first record of one field has none to find, and the comma is as good as any.
  static func guess(in bytes: [UInt8], from start: Int, columns: Int?) -> Guess {
    let counts = candidates.map { ($0, fieldCounts(in: bytes, from: start, delimiter: $0)) }
    let parting = counts.filter { ($0.1.first ?? 0) > 1 }
    let steady = parting.filter { candidate in
      candidate.1.allSatisfy { $0 == columns ?? candidate.1.first }
    }
    let pool = steady.isEmpty ? parting : steady
    let most = pool.map { $0.1.first ?? 0 }.max() ?? 0
    let best = pool.filter { $0.1.first == most }
    guard let first = best.first else { return Guess(delimiter: UInt8(ascii: ",")) }
    return Guess(delimiter: first.0, rival: best.dropFirst().first?.0)
  }

  /// How many fields the first records have; 0 for one that is no CSV.
  private static func fieldCounts(
    in bytes: [UInt8], from start: Int, delimiter: UInt8
  ) -> [Int] {
    var scanner = CSVScanner(bytes: bytes, delimiter: delimiter, at: start, line: 1)
    var fields: [CSVField] = []
    var counts: [Int] = []
    while counts.count < sample {
      do throws(CSVFault) {
        guard try scanner.nextRow(into: &fields) else { break }
        counts.append(fields.count)
      } catch {
        // The fields before the fault tell the delimiter of a first record that is broken.
        counts.append(counts.isEmpty ? fields.count : 0)
        break
      }
    }
    return counts
  }
}
