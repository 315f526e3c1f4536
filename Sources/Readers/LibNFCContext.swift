internal import CLibNFC
internal import CSystem
internal import Glibc

/// The one libnfc context of the process.
///
/// libnfc's list of drivers is global: `nfc_exit` on any context empties it for all, so this one is never
/// given back. `nfc_open` only reads the context, from any thread.
@safe
package struct LibNFCContext: @unchecked Sendable {
  // Sendable: libnfc writes to the context in nfc_init only.
  let pointer: OpaquePointer?

  static let shared = LibNFCContext()

  /// Makes the context; to be called before other threads run, since `nfc_init` changes the environment.
  ///
  /// `hidingCommands` keeps libnfc's log below its highest level, 3, which shows every command, for all of its
  /// groups, which have two bits each above these.
  package static func prepare(hidingCommands: Bool = false) {
    if hidingCommands, let level = unsafe getenv("LIBNFC_LOG_LEVEL"),
      unsafe !(0...2).contains(atoi(level))
    {
      unsafe setenv("LIBNFC_LOG_LEVEL", "2", 1)
    }
    _ = shared
  }

  private init() {
    // libnfc logs to standard error, and looks for devices on its own, unless told otherwise.
    unsafe setenv("LIBNFC_LOG_LEVEL", "0", 0)
    unsafe setenv("LIBNFC_AUTO_SCAN", "false", 0)
    var made: OpaquePointer?
    unsafe nfc_init(&made)
    unsafe pointer = made
  }

  /// The number of libnfc, as `nfc_version` says it.
  package static var version: String {
    guard let text = unsafe nfc_version() else { return "" }
    return unsafe String(cString: text)
  }

  /// Puts `/dev/null` on whichever of the descriptors 0, 1 and 2 is closed.
  ///
  /// A port that became descriptor 0 looks to libnfc like an aborted wait, for ever.
  static func guardStandardDescriptors() {
    for number in Int32(0)...2 where fcntl(number, F_GETFD) < 0 {
      let opened = unsafe tagstation_open("/dev/null", O_RDWR, 0)
      guard opened >= 0 else { return }
      if opened > 2 { close(opened) }
    }
  }

  /// Whether the `count` lowest free descriptors are below 1024, the size of an `fd_set`.
  ///
  /// libnfc aborts the process where one of its own is not.
  static func hasLowDescriptors(_ count: Int) -> Bool {
    var taken: [Int32] = []
    defer { for number in taken { close(number) } }
    for _ in 0..<count {
      let number = tagstation_duplicate_above(2, 0)
      if number < 0 { return false }
      taken.append(number)
    }
    return taken.allSatisfy { $0 < 1024 }
  }
}
