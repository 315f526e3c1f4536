internal import CSystem
internal import Glibc

/// A device that bytes come from as somebody makes them: a serial line, a terminal, a FIFO, a file.
package final class InputDevice: Sendable {
  private let device: Descriptor
  private let wake: WakeSignal
  /// Whether it is a file, which ends; a device that ends was taken away.
  private let isFile: Bool

  /// Opens the device at `path`.
  ///
  /// A terminal line is made raw, at the speed it has. A FIFO has no end: programs that write to it may
  /// come and go.
  package init(opening path: String) throws(SystemError) {
    wake = try WakeSignal()
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { throw .last("open \(path)") }
    let kind = status.st_mode & S_IFMT
    if kind == S_IFDIR { throw SystemError("open \(path)", code: EISDIR) }
    isFile = kind == S_IFREG
    // With a writer of its own, this process is never told that the last one left.
    let access = kind == S_IFIFO ? O_RDWR : O_RDONLY
    device = try Descriptor(opening: path, flags: access | O_NONBLOCK | O_NOCTTY)
    guard isatty(device.number) == 1 else { return }
    var settings = termios()
    guard unsafe tcgetattr(device.number, &settings) == 0 else { throw .last("set up \(path)") }
    unsafe cfmakeraw(&settings)
    settings.c_cflag |= tcflag_t(CREAD | CLOCAL)
    guard unsafe tcsetattr(device.number, TCSANOW, &settings) == 0 else {
      throw .last("set up \(path)")
    }
  }

  /// The next bytes, which are waited for; empty at the end, and once it is closed.
  package func read() throws(SystemError) -> [UInt8] {
    while true {
      let ready = tagstation_wait_readable(device.number, wake.number, -1)
      if ready < 0 { throw .last("wait for input") }
      if ready & 2 != 0 { return [] }
      if ready & 1 == 0 { continue }
      do throws(SystemError) {
        let bytes = try device.read(atMost: 4096)
        if bytes.isEmpty && !isFile { throw SystemError("read", code: ENODEV) }
        return bytes
      } catch {
        if error.code != EAGAIN { throw error }
      }
    }
  }

  /// Ends the reading, also one that waits.
  package func close() { wake.give() }
}
