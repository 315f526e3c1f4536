internal import CSystem
internal import Glibc
internal import Platform

/// A file with a secret in it, held against who else may read it, as ssh does with keys.
struct SecretFile {
  private let path: String

  init(_ path: String) { self.path = path }

  /// The content without a line end behind it; `ownerAlone`: neither group nor others may do anything
  /// with it.
  func read(ownerAlone: Bool) throws(SecretFault) -> Secret {
    let file = try open()
    try check(file, ownerAlone: ownerAlone)
    return try unsafe Secret(capacity: SecretSource.largest + 1) { buffer throws(SecretFault) in
      var count = 0
      while count < buffer.count {
        let got = unsafe Glibc.read(
          file.number, buffer.baseAddress?.advanced(by: count), buffer.count - count)
        if got < 0, tagstation_errno() == EINTR { continue }
        if got < 0 { throw fault(.last("read \(path)")) }
        if got == 0 { break }
        count += got
      }
      if count > SecretSource.largest {
        throw SecretFault(.malformed, "the secret file \(path) is larger than 4 KiB")
      }
      return unsafe UnsafeRawBufferPointer(rebasing: buffer[..<count]).countWithoutLineEnd
    }
  }

  private func open() throws(SecretFault) -> Descriptor {
    do throws(SystemError) {
      return try Descriptor(opening: path, flags: O_RDONLY | O_NONBLOCK | O_NOFOLLOW)
    } catch {
      throw fault(error)
    }
  }

  private func check(_ file: borrowing Descriptor, ownerAlone: Bool) throws(SecretFault) {
    var status = stat()
    guard unsafe fstat(file.number, &status) == 0 else { throw fault(.last("read \(path)")) }
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw SecretFault(.refused, "\(path) is no regular file, so no secret is read from it")
    }
    guard status.st_uid == geteuid() || status.st_uid == 0 else {
      throw SecretFault(
        .refused, "the secret file \(path) belongs to another user",
        help: "give it to the user that runs this: `chown USER \(path)`")
    }
    let foreign: mode_t = ownerAlone ? 0o077 : 0o007
    guard status.st_mode & foreign == 0 else {
      throw SecretFault(
        .refused,
        "the secret file \(path) may be used by others than its owner (mode "
          + "\(String(status.st_mode & 0o7777, radix: 8)))",
        help: "`chmod 600 \(path)`")
    }
  }

  private func fault(_ error: SystemError) -> SecretFault {
    if error.isMissing {
      return SecretFault(
        .missing, "there is no secret file \(path)",
        help: "put the secret there, for its owner alone: `install -m 600 /dev/null \(path)`")
    }
    if error.code == ELOOP {
      return SecretFault(
        .refused, "the secret file \(path) is a symbolic link, which is not followed",
        help: "name the file that it leads to")
    }
    return SecretFault(
      error.isPermission ? .refused : .missing,
      "the secret file \(path) cannot be read: \(error.reason)",
      help: error.isPermission ? "let the user that runs this own it: `chown USER \(path)`" : nil)
  }
}

extension UnsafeRawBufferPointer {
  /// How many bytes there are without one line end (LF or CR LF) behind them.
  var countWithoutLineEnd: Int {
    guard unsafe last == UInt8(ascii: "\n") else { return count }
    let isLong = unsafe count > 1 && self[count - 2] == UInt8(ascii: "\r")
    return count - (isLong ? 2 : 1)
  }
}
