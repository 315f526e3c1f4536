internal import CSystem
internal import Glibc

/// The three streams a process is started with.
package enum StandardStream: Int32, Sendable, CaseIterable {
  case input = 0
  case output = 1
  case error = 2

  /// Opens `/dev/null` in place of those that the parent closed.
  ///
  /// To be called before any file is opened: a ledger that got number 2 would receive error messages.
  package static func fillClosed() {
    for stream in allCases {
      var status = stat()
      if unsafe fstat(stream.rawValue, &status) != 0 && tagstation_errno() == EBADF {
        // The lowest free number, so exactly the one that is missing; it stays open.
        _ = unsafe open("/dev/null", O_RDWR)
      }
    }
  }

  /// Whether a terminal is at the other end.
  package var isTerminal: Bool { isatty(rawValue) == 1 }

  /// How many columns the terminal has now; `nil` where there is none or it does not say.
  package var columns: Int? {
    var size = winsize()
    let answer = unsafe withUnsafeMutablePointer(to: &size) {
      unsafe ioctl(rawValue, UInt(TIOCGWINSZ), UnsafeMutableRawPointer($0))
    }
    return answer == 0 && size.ws_col > 0 ? Int(size.ws_col) : nil
  }

  /// Writes all of `text`; `false` if the other end is gone or full.
  @discardableResult
  package func write(_ text: String) -> Bool {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let count = unsafe rest.withUnsafeBytes {
        unsafe Glibc.write(rawValue, $0.baseAddress, $0.count)
      }
      if count >= 0 {
        rest = rest.dropFirst(count)
      } else if tagstation_errno() == EAGAIN {
        var ready = pollfd(fd: rawValue, events: Int16(POLLOUT), revents: 0)
        _ = unsafe poll(&ready, 1, 1000)
      } else if tagstation_errno() != EINTR {
        return false
      }
    }
    return true
  }

  /// The next piece of what a person types, or of a pipe; empty at the end.
  ///
  /// Throws `EIO` while the process is in a terminal's background (with SIGTTIN blocked).
  package func read() throws(SystemError) -> [UInt8] {
    var failure: SystemError?
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: 4096) { buffer, filled in
      var got = 0
      repeat {
        unsafe got = Glibc.read(rawValue, buffer.baseAddress, 4096)
      } while got < 0 && tagstation_errno() == EINTR
      if got < 0 { failure = .last("read standard input") }
      filled = max(got, 0)
    }
    if let failure { throw failure }
    return bytes
  }
}
