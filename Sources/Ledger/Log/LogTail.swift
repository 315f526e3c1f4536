internal import Glibc
internal import Platform

/// The end of a log: its last numbered line, and what a torn write left behind it.
struct LogTail: Equatable, Sendable {
  /// The last whole line with a number, without its line feed.
  var line: [UInt8]?
  /// That line's number.
  var seq: Int64?
  /// What follows the last line feed.
  var torn: [UInt8]
  /// How long the file is.
  var size: Int64

  /// Reads `file` backwards as far as needed; `number` tells a line's number, if it has one.
  init(
    of file: borrowing Descriptor, numberedBy number: ([UInt8]) throws(LedgerError) -> Int64?
  ) throws(LedgerError) {
    size = Int64(lseek(file.number, 0, SEEK_END))
    torn = []
    var window: Int64 = 65_536
    while true {
      let start = max(size - window, 0)
      let content = try Self.read(file, from: start, count: Int(size - start))
      var pieces = content.split(separator: 0x0A, omittingEmptySubsequences: false)
      torn = Array(pieces.popLast() ?? [])
      // The first piece is a whole line only where the window begins with the file.
      let whole = start == 0 ? pieces[...] : pieces.dropFirst()
      for piece in whole.reversed() {
        if let seq = try number(Array(piece)) {
          self.seq = seq
          line = Array(piece)
          return
        }
      }
      if start == 0 { return }
      window *= 4
    }
  }

  private static func read(
    _ file: borrowing Descriptor, from start: Int64, count: Int
  ) throws(LedgerError) -> [UInt8] {
    do throws(SystemError) {
      guard lseek(file.number, off_t(start), SEEK_SET) >= 0 else { throw .last("read the log") }
      var content: [UInt8] = []
      while content.count < count {
        let piece = try file.read(atMost: count - content.count)
        if piece.isEmpty { break }
        content += piece
      }
      return content
    } catch {
      throw .io(detail: error.description)
    }
  }
}
