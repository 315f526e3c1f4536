internal import CSystem
internal import Glibc
internal import Platform

/// The station's own descriptor of a serial port, beside the one that libnfc opens.
///
/// The settings of a terminal belong to the terminal: what is set here holds for libnfc too.
struct SerialPort: ~Copyable, Sendable {
  private let file: Descriptor
  private let device: dev_t

  /// Opens the port at `path` and makes it raw, 8 data bits, no parity, one stop bit.
  ///
  /// Throws `ENOTTY` for anything but a terminal.
  init(path: String) throws(SystemError) {
    let opened = try Descriptor(opening: path, flags: O_RDWR | O_NOCTTY | O_NONBLOCK)
    var status = stat()
    guard unsafe fstat(opened.number, &status) == 0, isatty(opened.number) == 1 else {
      throw .last("open \(path)")
    }
    file = opened
    device = status.st_rdev
  }

  /// Whether the other end is gone: unplugged, or the program behind a pseudo-terminal has ended.
  var isHungUp: Bool {
    var entry = pollfd(fd: file.number, events: 0, revents: 0)
    guard unsafe poll(&entry, 1, 0) > 0 else { return false }
    return Int32(entry.revents) & (POLLHUP | POLLERR | POLLNVAL) != 0
  }

  /// Whether the node at `path` still is this port.
  func isStill(at path: String) -> Bool {
    var status = stat()
    return unsafe stat(path, &status) == 0 && status.st_rdev == device
  }

  /// Sets the line to `speed` and drops what has come in; `false` for a speed that the line cannot have.
  func set(speed: Int) -> Bool {
    guard let code = Self.codes[speed] else { return false }
    var settings = termios()
    guard unsafe tcgetattr(file.number, &settings) == 0 else { return false }
    settings.c_iflag = tcflag_t(IGNPAR)
    settings.c_oflag = 0
    settings.c_lflag = 0
    settings.c_cflag = tcflag_t(CS8 | CREAD | CLOCAL)
    unsafe cfsetispeed(&settings, code)
    unsafe cfsetospeed(&settings, code)
    guard unsafe tcsetattr(file.number, TCSADRAIN, &settings) == 0 else { return false }
    tcflush(file.number, TCIFLUSH)
    return true
  }

  /// Writes `bytes` and waits until they have left.
  func send(_ bytes: [UInt8]) -> Bool {
    do throws(SystemError) {
      try file.write(bytes)
    } catch {
      return false
    }
    return tcdrain(file.number) == 0
  }

  /// Whether `expected` comes in, among other bytes, before `limit` is over.
  func receive(_ expected: [UInt8], within limit: Duration) -> Bool {
    let end = ContinuousClock.now + limit
    var received: [UInt8] = []
    while received.count < 1024 {
      let rest = end - .now
      if rest <= .zero { return false }
      var entry = pollfd(fd: file.number, events: Int16(POLLIN), revents: 0)
      let ready = unsafe poll(&entry, 1, Int32(rest / .milliseconds(1)) + 1)
      if ready < 0 && tagstation_errno() != EINTR { return false }
      if ready <= 0 { continue }
      guard Int32(entry.revents) & POLLIN != 0 else { return false }
      do throws(SystemError) {
        let piece = try file.read(atMost: 64)
        if piece.isEmpty { return false }
        received += piece
      } catch {
        return false
      }
      if received.indices.contains(where: { received[$0...].starts(with: expected) }) {
        return true
      }
    }
    return false
  }

  private static let codes: [Int: speed_t] = [
    9600: speed_t(B9600), 19_200: speed_t(B19200), 38_400: speed_t(B38400),
    57_600: speed_t(B57600), 115_200: speed_t(B115200), 230_400: speed_t(B230400),
    460_800: speed_t(B460800), 921_600: speed_t(B921600),
  ]
}
