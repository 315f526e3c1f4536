internal import CSystem
internal import Glibc

/// An open file descriptor, closed when it goes out of scope.
///
/// Numbered 1024 or higher, so that libnfc gets the low ones: it aborts the process where its own
/// descriptor does not fit an `fd_set`.
package struct Descriptor: ~Copyable, Sendable {
  /// The number, for calls into the system.
  package let number: Int32

  /// Owns `number` from now on, moved out of the low numbers where the limit allows.
  package init(owning number: Int32) {
    let moved = tagstation_duplicate_above(number, 1024)
    if moved >= 0 {
      close(number)
      self.number = moved
    } else {
      self.number = number
    }
  }

  /// Opens `path`; `flags` are those of open(2), close-on-exec is always set.
  package init(
    opening path: String, flags: Int32, mode: UInt32 = 0o660
  ) throws(SystemError) {
    let number = unsafe tagstation_open(path, flags, mode_t(mode))
    guard number >= 0 else { throw .last("open \(path)") }
    self.init(owning: number)
  }

  /// Opens the regular file `name` somewhere below `folder`, with the folders between them made where they
  /// are missing; nothing outside can be reached by it.
  ///
  /// No link is followed below `folder`, whenever it was put there: `ELOOP`. `EINVAL` is what is no regular
  /// file, `EMLINK` a file that has another name too; the error's operation is then the path alone.
  package init(
    beneath folder: String, _ name: String, flags: Int32, mode: UInt32 = 0o660
  ) throws(SystemError) {
    var parts = name.split(separator: "/").map(String.init)
    let path = Files.resolve(name, in: folder)
    guard let last = parts.popLast(), !name.hasPrefix("/"), !parts.contains("..") else {
      throw SystemError(path, code: EINVAL)
    }
    var inner = try Descriptor(
      opening: folder.isEmpty ? "." : folder, flags: O_RDONLY | O_DIRECTORY)
    for part in parts { inner = try Descriptor(folder: part, in: inner, path: path) }
    let file = unsafe tagstation_openat(
      inner.number, last, flags | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY, mode_t(mode))
    guard file >= 0 else {
      let error = SystemError.last("open \(path)")
      // A folder cannot be opened to write, a socket not at all.
      let isOther = error.code == EISDIR || error.code == ENXIO
      throw isOther || error.code == ELOOP
        ? SystemError(path, code: isOther ? EINVAL : ELOOP) : error
    }
    var status = stat()
    let isKnown = unsafe fstat(file, &status) == 0
    guard isKnown, status.st_mode & S_IFMT == S_IFREG, status.st_nlink <= 1 else {
      close(file)
      throw SystemError(path, code: isKnown && status.st_mode & S_IFMT == S_IFREG ? EMLINK : EINVAL)
    }
    self.init(owning: file)
  }

  /// Opens the folder `name` in the folder `outer`, made if it is missing, but no link to one.
  private init(
    folder name: String, in outer: borrowing Descriptor, path: String
  ) throws(SystemError) {
    let flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW
    var number = unsafe tagstation_openat(outer.number, name, flags, 0)
    if number < 0, tagstation_errno() == ENOENT {
      guard unsafe mkdirat(outer.number, name, 0o2770) == 0 || tagstation_errno() == EEXIST else {
        throw .last("create the folder of \(path)")
      }
      number = unsafe tagstation_openat(outer.number, name, flags, 0)
      if number >= 0 { fchmod(number, 0o2770) }
    }
    guard number >= 0 else {
      let error = SystemError.last("open the folder of \(path)")
      // Both say that a link is in the way; a file in the way is told apart by what it is.
      var status = stat()
      let isLink =
        unsafe fstatat(outer.number, name, &status, AT_SYMLINK_NOFOLLOW) == 0
        && status.st_mode & S_IFMT == S_IFLNK
      throw isLink ? SystemError(path, code: ELOOP) : error
    }
    self.init(owning: number)
  }

  deinit { close(number) }

  /// Reads at most `count` bytes; empty at the end of the file.
  package borrowing func read(atMost count: Int) throws(SystemError) -> [UInt8] {
    var failure: SystemError?
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      var got = 0
      repeat {
        unsafe got = Glibc.read(number, buffer.baseAddress, count)
      } while got < 0 && tagstation_errno() == EINTR
      if got < 0 { failure = .last("read") }
      filled = max(got, 0)
    }
    if let failure { throw failure }
    return bytes
  }

  /// Writes all of `bytes`, in one call to write(2) where the system takes them whole.
  package borrowing func write(_ bytes: [UInt8]) throws(SystemError) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = unsafe rest.withUnsafeBytes {
        unsafe Glibc.write(number, $0.baseAddress, $0.count)
      }
      if count < 0 {
        if tagstation_errno() == EINTR { continue }
        throw .last("write")
      }
      rest = rest.dropFirst(count)
    }
  }

  /// Makes what was written durable (fsync(2)).
  package borrowing func synchronize() throws(SystemError) {
    guard fsync(number) == 0 else { throw .last("fsync") }
  }
}
