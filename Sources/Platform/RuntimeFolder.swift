internal import CSystem
internal import Glibc

/// The folder for locks and queues that all users of a machine share, gone at the next boot.
package enum RuntimeFolder {
  /// `/run/tagstation` where the system made it, else `/run/lock/tagstation`, made if it is missing.
  ///
  /// One rule for all users: two folders would mean two queues for one reader.
  package static func path() throws(SystemError) -> String {
    if Files.isFolder("/run/tagstation") { return "/run/tagstation" }
    let path = "/run/lock/tagstation"
    if !Files.isFolder(path) {
      // Everyone may add files, none may remove another's.
      try Files.makeFolder(path, mode: 0o1777)
    }
    return path
  }
}
