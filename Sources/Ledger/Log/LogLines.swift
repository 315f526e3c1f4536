internal import Glibc
internal import Platform

/// The whole lines of a log from its beginning, one at a time.
struct LogLines {
  private let number: Int32
  private var offset: Int64 = 0
  private var buffer: [UInt8] = []
  /// How many lines were given.
  private(set) var count = 0

  /// The lines of `file`, which must stay open as long as they are read.
  init(of file: borrowing Descriptor) { number = file.number }

  /// The next line without its line feed; `nil` at the end, and for what follows the last line feed.
  mutating func next() -> [UInt8]? {
    var searched = 0
    while true {
      if let end = buffer[searched...].firstIndex(of: 0x0A) {
        let line = Array(buffer[..<end])
        buffer.removeFirst(end + 1)
        count += 1
        return line
      }
      searched = buffer.count
      guard fill() else { return nil }
    }
  }

  /// Reads the next piece; `false` at the end.
  private mutating func fill() -> Bool {
    let place = off_t(offset)
    let piece = unsafe [UInt8](unsafeUninitializedCapacity: 65_536) { bytes, filled in
      filled = max(unsafe pread(number, bytes.baseAddress, 65_536, place), 0)
    }
    offset += Int64(piece.count)
    buffer += piece
    return !piece.isEmpty
  }
}
