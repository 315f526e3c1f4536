internal import CSystem
internal import Glibc

/// Reading and replacing whole files.
package enum Files {
  /// The whole content of the file at `path`, refused beyond `limit` bytes (`EFBIG`) and for anything
  /// but a regular file (a folder, a device, a pipe: `EINVAL`).
  package static func read(
    _ path: String, limit: Int = 1 << 30
  ) throws(SystemError) -> [UInt8] {
    let file = try Descriptor(opening: path, flags: O_RDONLY | O_NONBLOCK)
    var status = stat()
    guard unsafe fstat(file.number, &status) == 0 else { throw .last("read \(path)") }
    let kind = status.st_mode & S_IFMT
    if kind == S_IFDIR { throw SystemError("read \(path)", code: EISDIR) }
    if kind != S_IFREG { throw SystemError("read \(path)", code: EINVAL, reason: Self.notRegular) }
    if status.st_size > limit { throw SystemError("read \(path)", code: EFBIG) }
    var content: [UInt8] = []
    content.reserveCapacity(Int(status.st_size))
    while true {
      let piece: [UInt8]
      do throws(SystemError) {
        // In pieces, so that the file is in memory once.
        piece = try file.read(atMost: min(Int(status.st_size), 1 << 18) + 1)
      } catch {
        throw SystemError("read \(path)", code: error.code)
      }
      if piece.isEmpty { return content }
      content += piece
      if content.count > limit { throw SystemError("read \(path)", code: EFBIG) }
    }
  }

  static let notRegular = "Not a regular file"

  /// Whether something is at `path`, following links.
  package static func exists(_ path: String) -> Bool { unsafe access(path, F_OK) == 0 }

  /// Whether `path` is a folder.
  package static func isFolder(_ path: String) -> Bool {
    var status = stat()
    return unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  /// Makes the folder `path` and those above it that are missing, with `mode`.
  package static func makeFolder(_ path: String, mode: UInt32 = 0o2770) throws(SystemError) {
    if path.isEmpty || isFolder(path) { return }
    try makeFolder(folder(of: path), mode: mode)
    guard unsafe mkdir(path, mode_t(mode)) == 0 else {
      let error = SystemError.last("create folder \(path)")
      if error.code == EEXIST && isFolder(path) { return }
      throw error
    }
    unsafe chmod(path, mode_t(mode))
  }

  /// Replaces the file at `path` by `content`, whole or not at all: written beside it, synced, renamed.
  ///
  /// A link at `path` is replaced itself, and what it leads to stays; devices, pipes and folders stay: `EINVAL`.
  package static func replace(
    _ path: String, with content: [UInt8], mode: UInt32 = 0o660, durable: Bool = true
  ) throws(SystemError) {
    var status = stat()
    if unsafe lstat(path, &status) == 0, ![S_IFREG, S_IFLNK].contains(status.st_mode & S_IFMT) {
      throw SystemError("replace \(path)", code: EINVAL, reason: notRegular)
    }
    let draft = "\(path).\(getpid()).tmp"
    // What a killed process of the same number left, or somebody laid there to have it written to.
    unsafe unlink(draft)
    do throws(SystemError) {
      let file = try Descriptor(
        opening: draft, flags: O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode: mode)
      try file.write(content)
      if durable { try file.synchronize() }
    } catch {
      unsafe unlink(draft)
      throw error
    }
    guard unsafe rename(draft, path) == 0 else {
      let error = SystemError.last("rename to \(path)")
      unsafe unlink(draft)
      throw error
    }
    if durable { try synchronizeFolder(folder(of: path)) }
  }

  /// Copies the content of the file at `path` to a new file at `copy`, readable by its owner alone.
  package static func copy(_ path: String, to copy: String) throws(SystemError) {
    let source = try Descriptor(opening: path, flags: O_RDONLY | O_NONBLOCK)
    let target = try Descriptor(opening: copy, flags: O_WRONLY | O_CREAT | O_EXCL, mode: 0o600)
    while true {
      let piece = try source.read(atMost: 1 << 18)
      if piece.isEmpty { return }
      try target.write(piece)
    }
  }

  /// Makes renames and new names in `folder` durable.
  package static func synchronizeFolder(_ folder: String) throws(SystemError) {
    let file = try Descriptor(opening: folder.isEmpty ? "." : folder, flags: O_RDONLY | O_DIRECTORY)
    try file.synchronize()
  }

  /// The folder part of `path`, without the last slash; empty for a bare name, `/` for the root.
  package static func folder(of path: String) -> String {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "" }
    let folder = path[..<slash]
    return folder.isEmpty ? "/" : String(folder)
  }

  /// The last part of `path`.
  package static func name(of path: String) -> String {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return path }
    return String(path[path.utf8.index(after: slash)...])
  }

  /// `path` as it is meant in a file that lies in `folder`: absolute paths stay as they are.
  package static func resolve(_ path: String, in folder: String) -> String {
    path.hasPrefix("/") || folder.isEmpty
      ? path : (folder == "/" ? "/\(path)" : "\(folder)/\(path)")
  }

  /// The absolute path without links, `.` and `..`; `nil` if it does not exist.
  package static func real(_ path: String) -> String? {
    guard let resolved = unsafe realpath(path, nil) else { return nil }
    defer { unsafe free(resolved) }
    return unsafe String(cString: resolved)
  }

  /// The names in the folder `path`, sorted, without `.` and `..`.
  package static func names(in path: String) throws(SystemError) -> [String] {
    guard let folder = unsafe opendir(path) else { throw .last("read folder \(path)") }
    defer { unsafe closedir(folder) }
    var names: [String] = []
    while let entry = unsafe readdir(folder) {
      let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) {
        unsafe $0.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
      }
      if name != "." && name != ".." { names.append(name) }
    }
    return names.sorted()
  }
}
