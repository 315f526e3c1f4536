internal import Diagnostics
internal import Platform

/// A data file's text as UTF-8, with what is needed to name a place in it.
struct DataFile {
  let path: String
  /// UTF-8 without a NUL, whatever the file's encoding.
  let bytes: [UInt8]
  /// Where the text begins, behind a byte order mark.
  let start: Int

  /// Reads and decodes the file; `nil` if `findings` got an error.
  ///
  /// `place` is where the job names the file.
  init?(path: String, encoding: String?, place: Place, findings: inout Findings) {
    self.path = path
    let raw: [UInt8]
    do throws(SystemError) {
      raw = try Files.read(path, limit: DataRows.fileLimit)
    } catch {
      findings.error(
        "data-unreadable", "\(path) cannot be read: \(error.reason)", at: place,
        help: Files.isFolder(path) ? "name a file in it" : NearFile.suggestion(for: path))
      return nil
    }
    var declared: TextEncoding?
    if let encoding {
      declared = TextEncoding(name: encoding)
      if declared == nil {
        findings.error(
          "data-encoding", "there is no encoding `\(encoding)`", at: place,
          help: TextEncoding.meant(by: encoding).map { "did you mean `\($0)`?" }
            ?? "the encodings are \(TextEncoding.names.joined(separator: ", "))")
        return nil
      }
    }
    switch TextEncoding.decode(raw, declared: declared) {
    case .text(let bytes, let start):
      self.bytes = bytes
      self.start = start
    case .fault(let fault):
      var place = Place(file: path)
      if let before = fault.before {
        place.line = 1
        place.column = 1
        TextPlace.move(&place, over: before.bytes[before.start...])
      }
      findings.error(fault.code, fault.message, at: place, help: fault.help)
      return nil
    }
  }
}

/// Lines and columns of UTF-8 text.
enum TextPlace {
  /// Moves `place` to the end of `text`; lines end with LF, CR LF or CR.
  static func move(_ place: inout Place, over text: ArraySlice<UInt8>) {
    var previous: UInt8 = 0
    for byte in text {
      if byte == 0x0A, previous == 0x0D {
        previous = byte
        continue
      }
      if byte == 0x0A || byte == 0x0D {
        place.line += 1
        place.column = 1
      } else if byte & 0xC0 != 0x80 {
        place.column += 1
      }
      previous = byte
    }
  }
}
