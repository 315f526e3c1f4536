internal import Platform

/// What the person at the station says by signals and keys, put where the run reads it.
enum Person {
  /// Hears signals from now on: SIGINT, SIGQUIT, SIGTERM and SIGHUP stop, SIGUSR1 goes on.
  ///
  /// SIGQUIT counts as SIGINT, since both are typed, and SIGHUP as SIGTERM.
  ///
  /// `first` is said at the first wish to stop; `now` is called at the second, on the signals' thread.
  static func hearSignals(
    _ console: Console, ending first: String?, now: @escaping @Sendable () -> Void = {}
  ) throws(SystemError) {
    try Signals.listen { signal in
      if signal == Signals.user1 { return console.goAhead.say() }
      let counted =
        switch signal {
        case Signals.hangUp: Signals.terminate
        case Signals.quit: Signals.interrupt
        default: signal
        }
      console.cancellation.raise(signal: counted)
      switch console.cancellation.level {
      case .none: break
      case .afterTag: if let first, console.style.isTerminal { console.say("\n\(first)") }
      case .now: now()
      }
    }
  }

  /// Hears keys from now on, where standard input is a terminal: Enter goes on, `q` and Enter stops.
  static func hearKeys(_ console: Console) throws(SystemError) {
    guard StandardStream.input.isTerminal else { return }
    _ = try SystemThread(name: "keys") {
      var line: [UInt8] = []
      while true {
        guard let typed = try? StandardStream.input.read() else {
          // In the background: perhaps brought back later.
          WallClock().sleep(.seconds(1), until: nil)
          continue
        }
        if typed.isEmpty { return }
        for byte in typed where byte != 0x0D {
          if byte != 0x0A {
            line.append(byte)
            continue
          }
          if line == [UInt8(ascii: "q")] {
            console.cancellation.raise(signal: Signals.interrupt)
          } else {
            console.goAhead.say()
          }
          line = []
        }
      }
    }
  }
}
