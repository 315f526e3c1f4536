internal import Glibc
internal import Platform

/// Which ledger a log belongs to and how far it got, kept beside the log through its rotation.
struct LogMark: Equatable, Sendable {
  /// The ledger's identity.
  var ledger: String
  /// The number of the last event that the log had.
  var seq: Int64

  init(ledger: String, seq: Int64) {
    self.ledger = ledger
    self.seq = seq
  }

  /// The mark that the file at `path` holds; `nil` if there is none or it is not readable as one.
  init?(at path: String) throws(LedgerError) {
    let content: [UInt8]
    do throws(SystemError) {
      content = try Files.read(path, limit: 4096)
    } catch {
      if error.isMissing { return nil }
      throw LedgerError(error, at: path)
    }
    let words = String(decoding: content, as: UTF8.self).split(whereSeparator: \.isWhitespace)
    guard words.count == 2, let seq = Int64(words[1]), seq >= 0 else { return nil }
    self.init(ledger: String(words[0]), seq: seq)
  }

  /// Replaces the file at `path` by this mark.
  func write(to path: String, durable: Bool) throws(LedgerError) {
    let draft = "\(path).\(getpid()).tmp"
    try onFile(at: path) { () throws(SystemError) in
      let file = try Descriptor(
        opening: draft, flags: O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW)
      // Whatever the umask says: the group works with the same log.
      fchmod(file.number, 0o660)
      try file.write(Array("\(ledger) \(seq)\n".utf8))
      if durable { try file.synchronize() }
      guard unsafe rename(draft, path) == 0 else { throw SystemError.last("rename to \(path)") }
      if durable { try Files.synchronizeFolder(Files.folder(of: path)) }
    }
  }
}
