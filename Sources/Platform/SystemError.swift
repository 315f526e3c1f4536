internal import CSystem
internal import Glibc

/// A system call that failed: which one, on what, and why.
package struct SystemError: Error, Equatable, Sendable, CustomStringConvertible {
  /// What was being done, for example `open /dev/ttyUSB0`.
  package let operation: String
  /// The `errno` value.
  package let code: Int32
  /// Words that say more than those of the system for `code`.
  private let words: String?

  /// An error of `operation` with the given `errno` value, and a reason where the system's is not clear.
  package init(_ operation: String, code: Int32, reason: String? = nil) {
    self.operation = operation
    self.code = code
    words = reason
  }

  /// The error that `errno` holds now; to be called right after the failing call.
  package static func last(_ operation: String) -> SystemError {
    SystemError(operation, code: tagstation_errno())
  }

  /// The reason in words, for example `No such file or directory`.
  package var reason: String { unsafe words ?? String(cString: strerror(code)) }

  package var description: String { "\(operation): \(reason)" }

  /// Whether the file or folder is not there.
  package var isMissing: Bool { code == ENOENT || code == ENOTDIR }
  /// Whether permission was refused.
  package var isPermission: Bool { code == EACCES || code == EPERM }
  /// Whether another process holds a lock that was wanted without waiting.
  package var isLocked: Bool { code == EWOULDBLOCK }
}
