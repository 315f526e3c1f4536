internal import CLibNFC
internal import Platform

/// One open libnfc device, closed when this value goes out of scope.
///
/// libnfc's contract (1.8.0): a device belongs to one thread at a time, except for `nfc_abort_command`; calls
/// return a count or 0, and a negative number on failure; `nfc_close` frees the device, whatever it meets.
@safe
struct LibNFCHandle: ~Copyable {
  /// The longest command: libnfc copies it into 264 bytes after two of its own, without looking.
  static let longestCommand = 262
  /// How long libnfc waits at most for the chip in calls that have no limit of their own.
  private static let chipWait = Duration.milliseconds(350)
  /// The least that an exchange waits for: beyond the chip's own wait for a tag (51.2 ms), so that its answer
  /// cannot come late and be taken for that of the next command.
  private static let leastWait = Duration.milliseconds(150)
  private static let longestWait = Duration.seconds(10)

  /// Openings going on in the process: each needs three low descriptors, and must not count on another's.
  private static let openings = Locked(0)

  private let device: OpaquePointer
  private let limit: CallLimit

  /// Opens the device and makes it ready to look for tags, once.
  init(opening connection: ConnectionString, limit: CallLimit) throws(ReaderError) {
    guard let context = unsafe LibNFCContext.shared.pointer else {
      throw .fault(operation: "open", detail: "libnfc could not be initialised")
    }
    LibNFCContext.guardStandardDescriptors()
    let atOnce = Self.openings.withLock { openings in
      openings += 1
      return openings
    }
    defer { Self.openings.withLock { $0 -= 1 } }
    guard LibNFCContext.hasLowDescriptors(4 * atOnce) else {
      throw .fault(
        operation: "open", detail: "too many files are open: libnfc needs numbers below 1024")
    }
    let device = unsafe SignalMask.withoutPeriodicSignals {
      unsafe nfc_open(context, connection.description)
    }
    guard let opened = unsafe device else {
      throw .notFound(detail: "no reader answers at \(connection)")
    }
    do throws(ReaderError) {
      try unsafe Self.prepare(opened)
    } catch {
      unsafe Self.close(opened)
      throw error
    }
    unsafe self.device = opened
    self.limit = limit
    unsafe limit.attach(opened)
    Watchdog.watch(limit)
  }

  deinit {
    Watchdog.forget(limit)
    unsafe limit.attach(nil)
    unsafe Self.close(device)
  }

  private static func close(_ device: OpaquePointer) {
    SignalMask.withoutPeriodicSignals { unsafe nfc_close(device) }
  }

  private static func prepare(_ device: OpaquePointer) throws(ReaderError) {
    // A chip that libnfc does not know has no modulations, and the first selection would end the process.
    var modulations: UnsafePointer<nfc_modulation_type>?
    guard unsafe nfc_device_get_supported_modulation(device, N_INITIATOR, &modulations) >= 0,
      unsafe modulations != nil
    else { throw .fault(operation: "open", detail: "libnfc does not know this reader chip") }
    let code = SignalMask.withoutPeriodicSignals {
      let code = unsafe nfc_initiator_init(device)
      // Otherwise a selection without a tag waits for one for ever, in the chip.
      return code < 0
        ? code : unsafe nfc_device_set_property_bool(device, NP_INFINITE_SELECT, false)
    }
    if code < 0 {
      let status = LibNFCStatus(rawValue: code)
      throw .fault(operation: "open", detail: status.reason)
    }
  }

  /// Sends a listing and returns the chip's answer, which begins with how many tags it found.
  ///
  /// `nfc_initiator_select_passive_target` would take the answer apart: an ATS with a length byte of 0, which
  /// is the tag's to send, makes it copy without end and ends the process.
  func list(_ command: [UInt8]) throws(LibNFCStatus) -> [UInt8] {
    var answer = [UInt8](repeating: 0, count: 512)
    let count = try call(within: Self.chipWait) {
      unsafe pn53x_transceive(
        device, command, command.count, &answer, answer.count,
        Int32(Self.chipWait / .milliseconds(1)))
    }
    return Array(answer.prefix(Int(count)))
  }

  /// Halts the selected tag; libnfc returns 1 where it went well.
  func deselect() throws(LibNFCStatus) {
    _ = try call(within: Self.chipWait) { unsafe nfc_initiator_deselect_target(device) }
  }

  /// Switches the field.
  func setField(on: Bool) throws(LibNFCStatus) {
    _ = try call(within: Self.chipWait) {
      unsafe nfc_device_set_property_bool(device, NP_ACTIVATE_FIELD, on)
    }
  }

  /// Sends a command of at most `longestCommand` bytes and returns the answer.
  func exchange(
    _ command: [UInt8], framing: Framing, timeout: Duration
  ) throws(LibNFCStatus) -> [UInt8] {
    let wait = min(max(timeout, Self.leastWait), Self.longestWait)
    let milliseconds = Int32((wait / .milliseconds(1)).rounded(.up))
    // Changes a flag on the host only.
    unsafe nfc_device_set_property_bool(device, NP_EASY_FRAMING, framing == .managed)
    // The chip's longest answer is 263 bytes.
    var answer = [UInt8](repeating: 0, count: 512)
    let count = try call(within: wait) {
      unsafe nfc_initiator_transceive_bytes(
        device, command, command.count, &answer, answer.count, milliseconds)
    }
    return Array(answer.prefix(Int(count)))
  }

  /// Runs one libnfc call whose single waits are limited to `wait`.
  ///
  /// It consists of six waits at most (acknowledgement, header, code, data, checksum, register values before
  /// it), each with the full time.
  private func call(within wait: Duration, _ body: () -> Int32) throws(LibNFCStatus) -> Int32 {
    let code = SignalMask.withoutPeriodicSignals {
      limit.withDeadline(wait * 6 + .seconds(1), body)
    }
    guard code >= 0 else { throw LibNFCStatus(rawValue: code) }
    return code
  }
}
