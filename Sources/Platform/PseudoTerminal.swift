internal import CSystem
internal import Glibc

/// Both ends of a pseudo-terminal: a serial port whose other side is this process.
///
/// The slave is raw before its path is known to anyone, and stays open here, so that reading the master
/// never fails for want of a client. Letting the value go unplugs the port.
package struct PseudoTerminal: ~Copyable, Sendable {
  private let master: Descriptor
  private let slave: Descriptor
  /// Where clients open the port.
  package let path: String

  /// Makes a new port.
  package init() throws(SystemError) {
    let master = try Descriptor(opening: "/dev/ptmx", flags: O_RDWR | O_NOCTTY | O_NONBLOCK)
    guard tagstation_unlock_terminal(master.number) == 0 else {
      throw .last("unlock pseudo-terminal")
    }
    let number = tagstation_terminal_number(master.number)
    guard number >= 0 else { throw .last("number of pseudo-terminal") }
    let path = "/dev/pts/\(number)"
    let slave = try Descriptor(opening: path, flags: O_RDWR | O_NOCTTY)
    var settings = termios()
    guard unsafe tcgetattr(slave.number, &settings) == 0 else { throw .last("settings of \(path)") }
    unsafe cfmakeraw(&settings)
    guard unsafe tcsetattr(slave.number, TCSANOW, &settings) == 0 else {
      throw .last("settings of \(path)")
    }
    self.master = master
    self.slave = slave
    self.path = path
  }

  /// The speed in baud that the client has set, 0 for B0.
  package var speed: Int { max(Int(tagstation_terminal_speed(master.number)), 0) }

  /// Keeps the port's number from being given to another one, also when this is let go.
  package borrowing func reservedNumber() throws(SystemError) -> TerminalNumber {
    TerminalNumber(try Descriptor(opening: path, flags: O_RDWR | O_NOCTTY))
  }

  /// Waits until the client has written or `signal` was given, at most `limit`.
  ///
  /// `false` if `signal` was given.
  package borrowing func wait(
    or signal: WakeSignal, limit: Duration?
  ) throws(SystemError) -> Bool {
    let nanoseconds = limit.map { Int64(max($0, .zero) / .nanoseconds(1)) } ?? -1
    let ready = tagstation_wait_readable(master.number, signal.number, nanoseconds)
    guard ready >= 0 else { throw .last("wait for \(path)") }
    return ready & 2 == 0
  }

  /// What the client has written since, empty if nothing.
  package borrowing func read() throws(SystemError) -> [UInt8] {
    do throws(SystemError) {
      return try master.read(atMost: 4096)
    } catch {
      if error.code == EAGAIN || error.code == EIO { return [] }
      throw error
    }
  }

  /// Sends `bytes` to the client; what does not fit because nobody reads is lost, as on a serial line.
  package borrowing func write(_ bytes: [UInt8]) throws(SystemError) {
    do throws(SystemError) {
      try master.write(bytes)
    } catch {
      if error.code != EAGAIN { throw error }
    }
  }
}

/// A hold on the number of a pseudo-terminal.
package final class TerminalNumber: Sendable {
  private let slave: Descriptor

  init(_ slave: consuming Descriptor) { self.slave = slave }
}
