internal import Glibc
internal import Platform

/// Which file a path or descriptor leads to, and how long it is.
struct FileIdentity: Equatable, Sendable {
  var device: UInt64
  var inode: UInt64
  var size: Int64
  var isRegular: Bool

  /// What is at `path`, following links; `nil` if nothing is there.
  init?(of path: String) {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { return nil }
    self.init(status)
  }

  /// What `file` is open on.
  init?(of file: borrowing Descriptor) {
    var status = stat()
    guard unsafe fstat(file.number, &status) == 0 else { return nil }
    self.init(status)
  }

  private init(_ status: stat) {
    device = UInt64(status.st_dev)
    inode = UInt64(status.st_ino)
    size = Int64(status.st_size)
    isRegular = status.st_mode & S_IFMT == S_IFREG
  }
}
