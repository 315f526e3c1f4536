internal import Bytes
internal import Diagnostics

/// Fields of a Flipper file by name, with faults at their places.
struct FlipperFields {
  let path: String
  let lines: FlipperLines

  func required(_ key: String) throws(TagFileError) -> FlipperLines.Entry {
    guard let entry = lines.entries[key] else {
      throw .content("the line \"\(key):\" is missing", at: Place(file: path))
    }
    return entry
  }

  /// `count` bytes, or any number of them.
  func bytes(_ key: String, count: Int? = nil) throws(TagFileError) -> [UInt8] {
    try bytes(of: try required(key), named: key, count: count)
  }

  func optionalBytes(_ key: String, count: Int? = nil) throws(TagFileError) -> [UInt8]? {
    guard let entry = lines.entries[key] else { return nil }
    return try bytes(of: entry, named: key, count: count)
  }

  private func bytes(
    of entry: FlipperLines.Entry, named key: String, count: Int?
  ) throws(TagFileError) -> [UInt8] {
    guard let bytes = [UInt8](hex: entry.text), count == nil || bytes.count == count else {
      let wanted = count.map { "\($0) \($0 == 1 ? "byte" : "bytes")" } ?? "bytes"
      let verb = count == nil ? "has" : "is"
      throw .content("\"\(key)\" \(verb) \(wanted) in hexadecimal", at: place(of: entry))
    }
    return bytes
  }

  func optionalNumber(_ key: String, upTo limit: Int) throws(TagFileError) -> Int? {
    guard let entry = lines.entries[key] else { return nil }
    guard let number = Int(entry.text), (0...limit).contains(number) else {
      throw .content("\"\(key)\" is a number from 0 to \(limit)", at: place(of: entry))
    }
    return number
  }

  func place(of entry: FlipperLines.Entry) -> Place {
    Place(
      file: path, line: entry.line, column: entry.column,
      length: max(entry.text.unicodeScalars.count, 1))
  }
}
