package import Platform

/// A reader through libnfc.
///
/// After a wait that ended without the chip's answer, the chip may still give it, and libnfc would take it for
/// that of the next command. The device is *stale* then: the next call closes and opens it anew before it does
/// its own work, and throws `lost` if the reader does not come back.
package final class LibNFCDevice: ReaderPortDevice {
  private static let openingTries = 3
  /// Longer than the chip's own wait for a tag (51.2 ms by RFConfiguration item 02).
  private static let settling = Duration.milliseconds(60)
  /// How long the field needs to be off for a tag to forget, and on for it to be ready
  /// (ISO/IEC 14443-3, section 5.2.1, and NFC Forum Activity: 5 ms guard time).
  private static let fieldGuard = Duration.milliseconds(5)

  /// Ends the call in flight, from any thread.
  package let limit = CallLimit()
  private let source: ReaderSource
  private let wall = WallClock()
  // In this order: the device is closed before its port is given back.
  private var handle: LibNFCHandle?
  private var claim: PortClaim?
  /// The speed of the line to a PN532, `nil` for other readers.
  private var speed: Int?
  private var isStale = false
  private var commands = 0
  private var modelledAtOpening = Duration.zero
  private var guardTime = Duration.zero

  /// Whether a virtual reader answers, whoever made it.
  package private(set) var isVirtual: Bool

  /// The reader of `source`, not open yet.
  package init(_ source: ReaderSource) {
    self.source = source
    isVirtual = source.virtual != nil
  }

  deinit { close() }

  package var clock: any StationClock { source.virtual?.clock ?? wall }
  package var deckIsUsedUp: Bool { source.virtual?.deckIsUsedUp ?? false }
  package var longestCommand: Int { LibNFCHandle.longestCommand }
  package var work: ReaderWork {
    ReaderWork(
      commands: commands,
      modelled: source.virtual.map { $0.modelled - modelledAtOpening + guardTime })
  }

  /// Whether the device is open; a stale one is.
  package var isOpen: Bool { claim != nil }

  /// Takes the port and opens the reader; does nothing if it is open.
  package func open() throws(ReaderError) {
    guard claim == nil else { return }
    let connection = try source.connection()
    isVirtual = source.virtual != nil || connection.isVirtual
    speed = connection.isBareChip ? connection.speed : nil
    let taken = try PortClaim(source)
    try connect(connection, on: taken)
    claim = taken
    commands = 0
    guardTime = .zero
    modelledAtOpening = source.virtual?.modelled ?? .zero
  }

  /// Closes the reader and gives its port back.
  package func close() {
    if let claim, let speed, speed != ConnectionString.usualSpeed, !claim.isGone {
      // Other programs expect the chip as it is after power-on.
      _ = claim.bringChip(to: ConnectionString.usualSpeed)
    }
    handle = nil
    claim = nil
    isStale = false
  }

  package func select(_ poll: Poll) throws(ReaderError) -> Target? {
    if case .typeAUID(let uid) = poll, ![4, 7, 10].contains(uid.count) {
      throw .unsupported(detail: "a type A UID has 4, 7 or 10 bytes, not \(uid.count)")
    }
    let answer = try use("select", reviving: true) { handle throws(LibNFCStatus) in
      try handle.list(poll.listing)
    }
    guard let count = answer.first, count > 0 else { return nil }
    guard let target = Target(answer, to: poll) else {
      throw .fault(operation: "select", detail: "the reader describes an impossible tag")
    }
    return target
  }

  package func selectFeliCas(systemCode: UInt16) throws(ReaderError) -> [Target] {
    let answer = try use("select", reviving: true) { handle throws(LibNFCStatus) in
      try handle.list(Poll.listingOfTwo(systemCode: systemCode))
    }
    guard let count = answer.first, count > 0 else { return [] }
    let found = Target.feliCas(answer)
    guard found.count == count else {
      throw .fault(operation: "select", detail: "the reader describes an impossible tag")
    }
    return found
  }

  package func deselect() throws(ReaderError) {
    // A device opened anew has no tag selected.
    guard !isStale else { return try revive() }
    try use("deselect", reviving: false) { handle throws(LibNFCStatus) in try handle.deselect() }
  }

  package func exchange(
    _ command: [UInt8], framing: Framing, timeout: Duration
  ) throws(ReaderError) -> [UInt8] {
    guard command.count <= longestCommand else {
      throw .tooLong(bytes: command.count, limit: longestCommand)
    }
    if isStale {
      // The tag's selection went with the field.
      try revive()
      throw .noAnswer
    }
    return try use("exchange", reviving: false) { handle throws(LibNFCStatus) in
      try handle.exchange(command, framing: framing, timeout: timeout)
    }
  }

  package func setField(on: Bool) throws(ReaderError) {
    try use("field", reviving: true) { handle throws(LibNFCStatus) in
      try handle.setField(on: on)
    }
    clock.sleep(Self.fieldGuard, until: nil)
    guardTime += Self.fieldGuard
  }

  // MARK: - Opening

  /// Opens libnfc's device on a port that is held, in a few tries: an acknowledgement may be missed.
  private func connect(_ connection: ConnectionString, on claim: PortClaim) throws(ReaderError) {
    limit.beginUse()
    do throws(ReaderError) {
      try tryOpening(connection, on: claim)
    } catch {
      _ = limit.endUse()
      throw error
    }
    if limit.endUse().isCanceled {
      handle = nil
      throw .canceled
    }
  }

  private func tryOpening(
    _ connection: ConnectionString, on claim: PortClaim
  ) throws(ReaderError) {
    var failure = ReaderError.notFound(detail: "no reader answers at \(connection)")
    for turn in 1...Self.openingTries {
      if limit.isCanceled { throw .canceled }
      if claim.isGone { throw .lost(detail: "\(connection) went away") }
      // libnfc takes 1.4 s to find out that nothing answers.
      let opening = connection.opening
      if connection.isBareChip, let usual = opening.speed, !claim.bringChip(to: usual),
        turn < Self.openingTries
      {
        continue
      }
      do throws(ReaderError) {
        handle = try LibNFCHandle(opening: opening, limit: limit)
        if let speed, opening.speed != speed, !claim.bringChip(to: speed) {
          handle = nil
          throw .fault(operation: "open", detail: "the line does not carry \(speed) baud")
        }
        return
      } catch {
        failure = error
      }
    }
    throw failure
  }

  /// Closes a stale device and opens it again.
  private func revive() throws(ReaderError) {
    guard let claim else { throw .lost(detail: "the reader is not open") }
    guard isStale else { return }
    wall.sleep(Self.settling, until: nil)
    handle = nil
    do throws(ReaderError) {
      try connect(try source.connection(), on: claim)
      isStale = false
    } catch .canceled {
      throw .canceled
    } catch {
      close()
      throw .lost(detail: "the reader did not come back: \(error)")
    }
  }

  // MARK: - Calls

  /// Runs one command on the open device, and says what a failure of it means.
  private func use<Result>(
    _ operation: String, reviving: Bool,
    _ body: (borrowing LibNFCHandle) throws(LibNFCStatus) -> Result
  ) throws(ReaderError) -> Result {
    if reviving { try revive() }
    limit.beginUse()
    let status: LibNFCStatus
    switch handle {
    case .some(let handle):
      do throws(LibNFCStatus) {
        commands += 1
        let result = try body(handle)
        _ = limit.endUse()
        return result
      } catch {
        status = error
      }
    case .none:
      _ = limit.endUse()
      throw .lost(detail: "the reader is not open")
    }
    throw explain(status, operation, ended: limit.endUse())
  }

  private func explain(
    _ status: LibNFCStatus, _ operation: String, ended outcome: CallLimit.Outcome
  ) -> ReaderError {
    switch status {
    case .radio, .targetReleased, .mifareAuthentication: return .noAnswer
    // Status 27h: no such target, because it was given up after an earlier failure.
    case .invalidArgument where operation == "exchange": return .noAnswer
    case .chip, .invalidArgument: return .fault(operation: operation, detail: status.reason)
    case .notSupported: return .unsupported(detail: status.reason)
    default: break
    }
    isStale = true
    if claim?.isGone ?? true {
      close()
      return .lost(detail: "the reader went away during \(operation)")
    }
    if outcome.isCanceled { return .canceled }
    if outcome.hasExpired || status == .timeout { return .timeout(operation: operation) }
    return .fault(operation: operation, detail: status.reason)
  }
}
