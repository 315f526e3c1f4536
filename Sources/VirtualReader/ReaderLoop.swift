internal import Platform

/// Owns the port; letting it go unplugs it.
final class SerialPort: Sendable {
  let terminal: PseudoTerminal

  init(terminal: consuming PseudoTerminal) { self.terminal = terminal }
}

/// What the reader's thread does: bytes from the port to the chip and back, in time.
struct ReaderLoop: Sendable {
  let port: SerialPort
  let chip: Locked<PN532>
  let stopSignal: WakeSignal

  /// Runs until the signal to stop, a fault that unplugs, or an error of the port.
  func run() {
    do throws(SystemError) {
      while try pass() {}
    } catch {
      // The port is gone; its client sees it close.
    }
  }

  /// One turn: sends what is due, waits, takes in what came; `false` at the end.
  private func pass() throws(SystemError) -> Bool {
    let (due, next, speed, isUnplugged) = chip.withLock {
      ($0.takeDue(), $0.nextDue, $0.baud, $0.isUnplugged)
    }
    for bytes in due { try send(bytes, at: speed) }
    if isUnplugged { return false }
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
  private func send(_ bytes: [UInt8], at speed: Int) throws(SystemError) {
    try port.terminal.write(port.terminal.speed == speed ? bytes : bytes.map { $0 ^ 0xA5 })
  }
}
