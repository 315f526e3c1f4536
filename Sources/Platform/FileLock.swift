internal import CSystem
internal import Glibc

/// An advisory lock (flock(2)) on a file, held until this value goes out of scope or the process ends.
package struct FileLock: ~Copyable, Sendable {
  private let file: Descriptor

  /// Takes the lock on `path` at once, or throws an error whose `isLocked` is true; exclusive unless `shared`.
  ///
  /// The file is made if it is missing and `creating` is true; a device node is opened as it is, without
  /// becoming the controlling terminal.
  package init(
    trying path: String, shared: Bool = false, creating: Bool = true, mode: UInt32 = 0o660
  ) throws(SystemError) {
    let flags = creating ? O_RDWR | O_CREAT : O_RDWR
    let opened = try Descriptor(
      opening: path, flags: flags | O_NOCTTY | O_NONBLOCK, mode: mode)
    while flock(opened.number, (shared ? LOCK_SH : LOCK_EX) | LOCK_NB) != 0 {
      let error = SystemError.last("lock \(path)")
      if error.code != EINTR { throw error }
    }
    file = opened
  }

  /// Waits for the exclusive lock on `path` in short sleeps, at most `limit` on the wall clock.
  package init(
    waitingFor path: String, limit: Duration, mode: UInt32 = 0o660
  ) throws(SystemError) {
    let opened = try Self.open(path, mode: mode)
    let end = ContinuousClock.now + limit
    var pause: useconds_t = 200
    while flock(opened.number, LOCK_EX | LOCK_NB) != 0 {
      let error = SystemError.last("lock \(path)")
      if error.code == EINTR { continue }
      guard error.isLocked, ContinuousClock.now < end else { throw error }
      usleep(pause)
      pause = min(pause * 2, 20_000)
    }
    file = opened
  }

  /// Waits for a shared lock on the file at `path`, which is only read, at most 10 s on the wall clock.
  package init(sharing path: String) throws(SystemError) {
    let opened = try Descriptor(opening: path, flags: O_RDONLY | O_NOCTTY | O_NONBLOCK)
    let end = ContinuousClock.now + .seconds(10)
    while flock(opened.number, LOCK_SH | LOCK_NB) != 0 {
      let error = SystemError.last("lock \(path)")
      if error.code == EINTR { continue }
      guard error.isLocked, ContinuousClock.now < end else { throw error }
      usleep(500)
    }
    file = opened
  }

  /// Opens what is there before it makes anything: in a shared folder a file of another user may be opened,
  /// but not with O_CREAT (fs.protected_regular).
  private static func open(_ path: String, mode: UInt32) throws(SystemError) -> Descriptor {
    do throws(SystemError) {
      return try Descriptor(opening: path, flags: O_RDWR | O_NOCTTY)
    } catch {
      guard error.isMissing else { throw error }
    }
    let made = try Descriptor(opening: path, flags: O_RDWR | O_CREAT | O_NOCTTY, mode: mode)
    // Whatever the umask says.
    fchmod(made.number, mode_t(mode))
    return made
  }

  /// Unlocks for children too that hold the descriptor between fork and exec.
  deinit { flock(file.number, LOCK_UN) }

  /// What the locked file says, at most 4096 bytes of it.
  package borrowing func content() throws(SystemError) -> [UInt8] {
    guard lseek(file.number, 0, SEEK_SET) == 0 else { throw .last("read a lock file") }
    return try file.read(atMost: 4096)
  }

  /// Overwrites what the locked file says.
  package borrowing func setContent(_ content: [UInt8]) throws(SystemError) {
    guard ftruncate(file.number, 0) == 0, lseek(file.number, 0, SEEK_SET) == 0 else {
      throw .last("write a lock file")
    }
    try file.write(content)
  }

  /// Lets the lock go; the same as letting the value go out of scope, said out loud.
  package consuming func release() {}
}
