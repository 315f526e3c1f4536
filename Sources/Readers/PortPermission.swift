internal import CSystem
internal import Glibc

/// Whether this user may open a device node, and what to do if not.
enum PortPermission {
  /// Whether the node may be read and written by this process.
  static func isGranted(for path: String) -> Bool { unsafe access(path, R_OK | W_OK) == 0 }

  /// Who may open `path`, and the command that adds this user to them.
  static func advice(for path: String) -> String {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { return "\(path) may not be opened by this user" }
    let group = groupName(status.st_gid)
    if status.st_mode & 0o060 == 0o060, status.st_gid != 0 {
      return "\(path) may be opened by members of the group \(group) only; "
        + "add the user and log in anew: sudo usermod -aG \(group) \(userName())"
    }
    return "\(path) may not be opened by this user (owner \(status.st_uid), group \(group), "
      + "mode \(String(status.st_mode & 0o777, radix: 8)))"
  }

  private static func groupName(_ id: gid_t) -> String {
    guard let entry = unsafe getgrgid(id), let name = unsafe entry.pointee.gr_name else {
      return "\(id)"
    }
    return unsafe String(cString: name)
  }

  private static func userName() -> String {
    guard let entry = unsafe getpwuid(geteuid()), let name = unsafe entry.pointee.pw_name else {
      return "\(geteuid())"
    }
    return unsafe String(cString: name)
  }
}
