internal import Platform

/// What the reader's thread does: bytes from the port to the chip and back, in time.
struct ReaderLoop: Sendable {
  /// How often a reader that is away looks whether it is to come back.
  private static let awayPause = Duration.milliseconds(5)

  let socket: PortSocket
  let chip: Locked<PN532>
  let clock: ModelClock
  let stopSignal: WakeSignal

  /// Runs until the signal to stop, a fault that unplugs for good, or an error of the port.
  func run() {
    do throws(SystemError) {
      while true {
        if let port = socket.port {
          guard try pass(port) else { return }
        } else {
          guard socket.isAwaited, try !stopSignal.wait(atMost: Self.awayPause) else { return }
          plugIfDue()
        }
      }
    } catch {
      // The port is gone; its client sees it close.
      socket.unplug(until: nil)
    }
  }

  /// Plugs the reader in again where its time has come, with a chip as after power-on.
  func plugIfDue() {
    _ = socket.plugIfDue(at: clock.now) { chip.withLock { $0.plugIn() } }
  }

  /// One turn: sends what is due, waits, takes in what came; `false` at the end.
  private func pass(_ port: SerialPort) throws(SystemError) -> Bool {
    let (due, next, speed, absence) = chip.withLock {
      ($0.takeDue(), $0.nextDue, $0.baud, $0.absence)
    }
    for bytes in due { try send(bytes, to: port, at: speed) }
    if let absence {
      socket.unplug(until: absence.away.map { (absence.since + $0, $0) })
      return absence.away != nil
    }
    guard try port.terminal.wait(or: stopSignal, limit: next) else { return false }
    let bytes = try port.terminal.read()
    let lineSpeed = port.terminal.speed
    chip.withLock {
      if bytes.isEmpty {
        $0.resume()
      } else {
        $0.receive(bytes, speed: lineSpeed)
      }
    }
    return true
  }

  /// Sends at the chip's speed; a client that listens at another one gets garbage.
  private func send(_ bytes: [UInt8], to port: SerialPort, at speed: Int) throws(SystemError) {
    try port.terminal.write(port.terminal.speed == speed ? bytes : bytes.map { $0 ^ 0xA5 })
  }
}
