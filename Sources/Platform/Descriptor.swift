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
