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
  /// `place` is where the job names the file. An encoding that is not declared is guessed where it
  /// `mayGuess`, with a warning.
  init?(
    path: String, encoding: String?, mayGuess: Bool, place: Place, findings: inout Findings
  ) {
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
    switch TextEncoding.decode(raw, declared: declared, mayGuess: mayGuess) {
    case .text(let bytes, let start):
      self.bytes = bytes
      self.start = start
    case .guess(let bytes, let fault):
      findings.warning(fault.code, fault.message, at: fault.place(in: path), help: fault.help)
      self.bytes = bytes
      start = 0
    case .fault(let fault):
      findings.error(fault.code, fault.message, at: fault.place(in: path), help: fault.help)
      return nil
    }
  }
}

extension TextFault {
  /// Where it stands in the file.
  fileprivate func place(in path: String) -> Place {
    var place = Place(file: path)
    if let before {
      place.line = 1
      place.column = 1
      TextPlace.move(&place, over: before.bytes[before.start...])
    }
    return place
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
