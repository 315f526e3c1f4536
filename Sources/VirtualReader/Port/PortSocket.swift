internal import Platform

/// Owns the port; letting it go unplugs it.
final class SerialPort: Sendable {
  let terminal: PseudoTerminal

  init(terminal: consuming PseudoTerminal) { self.terminal = terminal }
}

/// Where the reader is plugged in: its port and the link to it, and whether it is away.
///
/// The number of a port that vanished stays taken, so that nobody meets another terminal there.
final class PortSocket: Sendable {
  private struct State {
    var port: SerialPort?
    var link: PortLink?
    /// Where the port is, or was last.
    var path: String
    var reserved: [TerminalNumber] = []
    /// When the reader comes back, on its clock and on the wall.
    var comeBack: (model: Duration, wall: ContinuousClock.Instant)?
  }

  private let linkName: String?
  private let state: Locked<State>

  /// Makes a port, with a link to it at `link`.
  init(link: String?) throws(SystemError) {
    linkName = link
    let port = SerialPort(terminal: try PseudoTerminal())
    let path = port.terminal.path
    var made: PortLink?
    if let link { made = try PortLink(at: link, to: path) }
    state = Locked(State(port: port, link: made, path: path))
  }

  /// Where clients open the port: the link where there is one.
  var path: String { linkName ?? state.withLock { $0.path } }

  /// The port while the reader is plugged in.
  var port: SerialPort? { state.withLock { $0.port } }

  /// Whether the reader is away and comes back some time.
  var isAwaited: Bool { state.withLock { $0.comeBack != nil } }

  /// Lets the port vanish; it comes back at `time` on the reader's clock, which is `away` from now, or never.
  func unplug(until time: (model: Duration, away: Duration)?) {
    state.withLock { state in
      if let port = state.port, let number = try? port.terminal.reservedNumber() {
        state.reserved.append(number)
      }
      state.port = nil
      state.link?.remove()
      state.link = nil
      state.comeBack = time.map { ($0.model, ContinuousClock.now + $0.away) }
    }
  }

  /// Plugs the reader in again where its time has come, on its clock or on the wall; `true` if so.
  ///
  /// `prepare` makes the chip ready before anybody can reach it.
  func plugIfDue(at now: Duration, _ prepare: () -> Void) -> Bool {
    state.withLock { state in
      guard let time = state.comeBack, now >= time.model || ContinuousClock.now >= time.wall,
        let terminal = try? PseudoTerminal()
      else { return false }
      prepare()
      state.path = terminal.path
      state.port = SerialPort(terminal: terminal)
      state.link = linkName.flatMap { [path = state.path] in try? PortLink(at: $0, to: path) }
      state.comeBack = nil
      return true
    }
  }

  /// Takes everything away for good.
  func close() {
    state.withLock { state in
      state.port = nil
      state.comeBack = nil
      state.link.take()?.remove()
      state.reserved = []
    }
  }
}
