internal import Glibc
internal import Platform

/// Which ledger a log belongs to and how far it got, kept beside the log through its rotation.
struct LogMark: Equatable, Sendable {
  /// The ledger's identity.
  var ledger: String
  /// The number of the last event that the log had.
  var seq: Int64
  /// Up to which event the log was synced; `nil` where that is not known.
  var synced: Int64?

  init(ledger: String, seq: Int64, synced: Int64?) {
    self.ledger = ledger
    self.seq = seq
    self.synced = synced
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
    guard (2...3).contains(words.count), let seq = Int64(words[1]), seq >= 0 else { return nil }
    self.init(
      ledger: String(words[0]), seq: seq, synced: words.count == 3 ? Int64(words[2]) : nil)
  }

  /// Always of one length, far below a sector's, so that it can be overwritten in its place: a power
  /// cut leaves the old one or the new.
  private var content: [UInt8] {
    func digits(_ number: Int64) -> String {
      let text = String(number)
      return String(repeating: "0", count: max(19 - text.utf8.count, 0)) + text
    }
    let synced = synced.map { " \(digits($0))" } ?? ""
    return Array("\(ledger) \(digits(seq))\(synced)\n".utf8)
  }

  /// Overwrites the mark at `path` where there is one of this length, else replaces the file.
  func update(at path: String) throws(LedgerError) {
    let isUpdated = try onFile(at: path) { () throws(SystemError) in
      let file: Descriptor
      do throws(SystemError) {
        file = try Descriptor(opening: path, flags: O_WRONLY | O_NOFOLLOW | O_NONBLOCK)
      } catch {
        if error.isMissing { return false }
        throw error
      }
      guard let identity = FileIdentity(of: file), identity.isRegular,
        identity.size == Int64(content.count)
      else { return false }
      try file.write(content)
      return true
    }
    if !isUpdated { try replace(at: path) }
  }

  /// Replaces the file at `path` by this mark, durably.
  func replace(at path: String) throws(LedgerError) {
    let draft = "\(path).\(getpid()).tmp"
    try onFile(at: path) { () throws(SystemError) in
      // What a killed process of the same number left, or somebody laid there to have it written to.
      unsafe unlink(draft)
      let file = try Descriptor(
        opening: draft, flags: O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW)
      // Whatever the umask says: the group works with the same log.
      fchmod(file.number, 0o660)
      try file.write(content)
      try file.synchronize()
      guard unsafe rename(draft, path) == 0 else { throw SystemError.last("rename to \(path)") }
      try Files.synchronizeFolder(Files.folder(of: path))
    }
  }
}
