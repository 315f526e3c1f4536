internal import CSystem
internal import Glibc

/// What kind of file system a path lies on.
package enum FileSystem {
  /// Whether files in `folder` lie on another machine, where locks and shared memory do not hold.
  package static func isRemote(_ folder: String) throws(SystemError) -> Bool {
    var status = statfs()
    guard unsafe statfs(folder.isEmpty ? "." : folder, &status) == 0 else {
      throw .last("look at \(folder)")
    }
    return isRemote(kind: UInt32(truncatingIfNeeded: status.f_type))
  }

  /// Whether `kind` is that of a network file system: the magic numbers of statfs(2).
  package static func isRemote(kind: UInt32) -> Bool {
    switch kind {
    case 0x6969,  // NFS
      0x517B, 0xFE53_4D42, 0xFF53_4D42,  // SMB, SMB2, CIFS
      0x564C, 0x5346_414F, 0x6B41_4653, 0x7375_7245:  // NCP, AFS twice, Coda
      true
    default: false
    }
  }
}
