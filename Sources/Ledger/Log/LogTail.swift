internal import Glibc
internal import Platform

/// The end of a log: its last numbered line, and what a torn write or a power cut left behind it.
struct LogTail: Equatable, Sendable {
  /// The last whole line with a number, without its line feed.
  var line: [UInt8]?
  /// That line's number.
  var seq: Int64?
  /// What follows the last line that can be used.
  var torn: [UInt8]
  /// How long the file is.
  var size: Int64

  /// Reads `file` backwards as far as needed; `number` tells a line's number, if it has one.
  ///
  /// Lines after number `synced` may be missing or garbled (a power cut keeps any of the pages that were
  /// not synced), and what follows the first such place is torn. Where `synced` is `nil` the last
  /// numbered line is good.
  init(
    of file: borrowing Descriptor, syncedTo synced: Int64?,
    numberedBy number: ([UInt8]) throws(LedgerError) -> Int64?
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
      var anchor = whole.endIndex
      while anchor > whole.startIndex {
        let piece = Array(whole[anchor - 1])
        if let seq = try number(piece), seq <= synced ?? seq {
          self.seq = seq
          line = piece
          break
        }
        anchor -= 1
      }
      guard line != nil || start == 0 else {
        window *= 4
        continue
      }
      try follow(whole[anchor...], synced: synced, content, numberedBy: number)
      return
    }
  }

  /// Goes forward from the last line that was synced, to the first place that cannot be used.
  private mutating func follow(
    _ pieces: ArraySlice<ArraySlice<UInt8>>, synced: Int64?, _ content: [UInt8],
    numberedBy number: ([UInt8]) throws(LedgerError) -> Int64?
  ) throws(LedgerError) {
    guard synced != nil else { return }
    for piece in pieces {
      let next = try number(Array(piece))
      let isMissing = next.flatMap { next in seq.map { next > $0 + 1 } } ?? piece.contains(0)
      if isMissing {
        torn = Array(content[piece.startIndex...])
        return
      }
      if let next, next == seq.map({ $0 + 1 }) ?? next {
        seq = next
        line = Array(piece)
      }
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
