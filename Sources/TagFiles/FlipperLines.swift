internal import Diagnostics

/// The lines of a Flipper Format file: `Key: value` and comments.
struct FlipperLines {
  /// One `Key: value` with where its value stands.
  struct Entry {
    var value: ArraySlice<UInt8>
    /// From 1.
    var line: Int
    /// Of the value, in code points from 1.
    var column: Int

    var text: String { String(decoding: value, as: UTF8.self) }
  }

  private(set) var entries: [String: Entry] = [:]
  /// All lines in their order, those whose key stood before too.
  private(set) var ordered: [(key: String, entry: Entry)] = []
  /// The key of the first line that is one.
  private(set) var firstKey: String?

  /// Whether `bytes` begin as every Flipper file does.
  static func isFlipper(_ bytes: [UInt8]) -> Bool {
    content(of: bytes).starts(with: "Filetype:".utf8)
  }

  /// The entries of `bytes`; where a key stands twice the first counts, as Flipper seeks forward.
  ///
  /// Lines may end with CR LF; what is neither entry nor comment is passed over.
  init(_ bytes: [UInt8]) {
    var number = 0
    for line in Self.content(of: bytes).split(
      separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    {
      number += 1
      guard line.first != UInt8(ascii: "#"), let colon = line.firstIndex(of: UInt8(ascii: ":"))
      else { continue }
      let key = String(decoding: line[..<colon], as: UTF8.self)
      var value = line[(colon + 1)...]
      while let last = value.last, Self.isBlank(last) { value.removeLast() }
      while let first = value.first, Self.isBlank(first) { value.removeFirst() }
      firstKey = firstKey ?? key
      let before = String(decoding: line[..<value.startIndex], as: UTF8.self)
      let entry = Entry(value: value, line: number, column: before.unicodeScalars.count + 1)
      ordered.append((key, entry))
      if entries[key] == nil { entries[key] = entry }
    }
  }

  /// `bytes` without a UTF-8 byte order mark.
  private static func content(of bytes: [UInt8]) -> ArraySlice<UInt8> {
    bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes[3...] : bytes[...]
  }

  private static func isBlank(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x09 || byte == 0x0D
  }
}
