internal import CSystem
internal import Glibc
internal import Platform

/// A symbolic link with a stable name for a port.
struct PortLink: Sendable {
  private let name: String
  private let target: String

  /// Puts the link at `name`, in place of one that lies there; anything else there is an error.
  init(at name: String, to target: String) throws(SystemError) {
    self.name = name
    self.target = target
    var status = stat()
    if unsafe lstat(name, &status) == 0, status.st_mode & S_IFMT != S_IFLNK {
      throw SystemError("link \(name)", code: EEXIST)
    }
    let draft = "\(name).\(getpid()).tmp"
    unsafe unlink(draft)
    guard unsafe symlink(target, draft) == 0 else { throw .last("link \(name)") }
    guard unsafe rename(draft, name) == 0 else {
      let error = SystemError.last("link \(name)")
      unsafe unlink(draft)
      throw error
    }
  }

  /// Removes the link unless it leads elsewhere by now.
  func remove() {
    let found = Files.real(name)
    if found == nil || found == target { unsafe unlink(name) }
  }
}
