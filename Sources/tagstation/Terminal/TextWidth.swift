extension StringProtocol {
  /// How many columns of a terminal the text takes: two for wide characters, none for combining ones.
  var displayColumns: Int { unicodeScalars.reduce(0) { $0 + $1.displayColumns } }

  /// The text cut so that it takes at most `columns` columns of a terminal.
  func truncated(toColumns columns: Int) -> String {
    var kept = String.UnicodeScalarView()
    var used = 0
    for scalar in unicodeScalars {
      used += scalar.displayColumns
      if used > columns { break }
      kept.append(scalar)
    }
    return String(kept)
  }

  /// The text with blanks after it, up to `columns` columns.
  func padded(toColumns columns: Int) -> String {
    String(self) + String(repeating: " ", count: Swift.max(columns - displayColumns, 0))
  }
}

extension Unicode.Scalar {
  /// Columns by Unicode's general category and the wide blocks of UAX 11.
  fileprivate var displayColumns: Int {
    switch properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format, .control: return 0
    default: break
    }
    switch value {
    case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xA960...0xA97C, 0xAC00...0xD7A3,
      0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1F64F,
      0x1F680...0x1F6FF, 0x1F900...0x1FAFF, 0x20000...0x3FFFD:
      return 2
    default: return 1
    }
  }
}

/// Texts in columns as wide as their widest entry, the last one left as it is.
func table(_ rows: [[String]]) -> [String] {
  var widths: [Int] = []
  for row in rows {
    for (index, text) in row.enumerated() {
      if index == widths.count { widths.append(0) }
      widths[index] = max(widths[index], text.displayColumns)
    }
  }
  return rows.map { row in
    row.enumerated().map { index, text in
      index == row.count - 1 ? text : text.padded(toColumns: widths[index])
    }.joined(separator: "  ")
  }
}
