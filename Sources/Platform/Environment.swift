internal import Glibc

/// The variables that the process was started with.
package enum Environment {
  /// The value of `name`; `nil` where it is not set.
  package static func value(_ name: String) -> String? {
    guard let text = unsafe getenv(name) else { return nil }
    return unsafe String(cString: text)
  }
}
