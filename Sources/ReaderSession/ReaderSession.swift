internal import Platform
package import Readers
internal import TagFormats

/// One use of one reader, from `begin` to the reason it was invalidated, as Core NFC's sessions are.
///
/// Lives on its reader's executor. After its end it cannot be used again, and its tags fail with 103.
package final class ReaderSession {
  package enum State: Sendable, Equatable {
    case created
    case active
    case invalidated(Invalidation)
  }

  /// What one look at the field brought.
  package enum Discovery {
    case nothing
    case tag(SessionTag)
    /// More than one tag; told once for as long as they lie there.
    case crowded([[UInt8]])
    case ended(Invalidation)
  }

  package private(set) var state = State.created
  package let configuration: SessionConfiguration
  /// The text for the person at the reader; may be changed while the session lives.
  package var alertMessage: String
  private let device: any ReaderDevice
  private var deadline: Duration = .zero
  /// Counts deliveries, so that tags of earlier polls are told from the one in hand.
  private var delivery = 0
  private var crowd: Set<[UInt8]> = []
  private var tagInHand: SessionTag?
  /// A tag that lies there and is none for the configuration in force.
  private var passedOver: [UInt8]?
  /// Whether a tag that was found hears no plain listing before the field was off: one in the protocol of
  /// ISO/IEC 14443-4, or one woken from HALT.
  private var needsFieldReset = false
  /// Of the last `restartPolling(configuration:)`, until the next restart.
  private var restart: SessionConfiguration?
  private var faults = 0

  package init(
    _ configuration: SessionConfiguration, on device: any ReaderDevice, alertMessage: String
  ) {
    self.configuration = configuration
    self.device = device
    self.alertMessage = alertMessage
  }

  /// Whether tags can be found now.
  package var isReady: Bool { state == .active }

  /// Switches the field on and starts the session's clock; a session begins once.
  ///
  /// A second call fails with 103 and changes nothing.
  package func begin() throws(Invalidation) {
    guard state == .created else {
      throw Invalidation(.readerTransceiveErrorSessionInvalidated, by: .runner)
    }
    let missing = configuration.polling.filter { $0 == .iso15693 || $0 == .pace }
    do throws(ReaderError) {
      guard missing.isEmpty else {
        let names = missing.map(\.rawValue).joined(separator: ", ")
        throw ReaderError.unsupported(detail: "this reader cannot poll \(names)")
      }
      try device.setField(on: true)
    } catch {
      throw end(Self.invalidation(for: error))
    }
    state = .active
    deadline = device.clock.now + configuration.timeout
  }

  /// Ends the session for the program's reason (200), with a text where a person can mend something.
  @discardableResult
  package func invalidate(
    by origin: Invalidation.Origin = .runner, errorMessage: String? = nil
  ) -> Invalidation {
    end(
      Invalidation(
        .readerSessionInvalidationErrorUserCanceled, by: origin, message: errorMessage))
  }

  /// Ends the session because its reader failed while a tag was in hand.
  @discardableResult
  package func invalidate(for error: ReaderError) -> Invalidation {
    end(Self.invalidation(for: error))
  }

  /// Tells that work on the tag in hand is over; a session that reads one tag ends with it.
  package func finishTag() -> Invalidation? {
    guard state == .active else { return nil }
    guard configuration.invalidateAfterFirstRead else {
      startAgain(with: nil)
      return nil
    }
    if configuration.kind == .ndef, configuration.reads {
      return end(Invalidation(.readerSessionInvalidationErrorFirstNDEFTagRead, by: .system))
    }
    return invalidate(by: .runner)
  }

  /// Looks for tags again, once with another configuration; the tag in hand fails with 104 from now on.
  ///
  /// The configuration does not stick: the next restart uses the session's own. `presence` forgets the tag,
  /// so that the same one is delivered again.
  package func restartPolling(
    _ configuration: SessionConfiguration? = nil, _ presence: inout Presence
  ) {
    guard state == .active else { return }
    presence.forget()
    startAgain(with: configuration)
  }

  private func startAgain(with other: SessionConfiguration?) {
    if tagInHand?.isWokenFromHalt ?? false { needsFieldReset = true }
    tagInHand = nil
    if restart != nil || other != nil { passedOver = nil }
    restart = other
    delivery += 1
  }

  /// Without power a tag forgets that it was halted or in a protocol, and listings see it.
  private func resetField() throws(ReaderError) {
    try device.setField(on: false)
    try device.setField(on: true)
    needsFieldReset = false
  }

  /// Looks at the field once; a tag that `presence` knows to lie there is not delivered again.
  ///
  /// It restarts the polling if a tag is in hand. Nothing is found before `begin`.
  package func poll(_ presence: inout Presence) -> Discovery {
    switch state {
    case .created: return .nothing
    case .active: break
    case .invalidated(let reason): return .ended(reason)
    }
    if device.clock.now >= deadline {
      return .ended(
        end(Invalidation(.readerSessionInvalidationErrorSessionTimeout, by: .system)))
    }
    if tagInHand != nil { startAgain(with: nil) }
    let lying = presence.lying
    do throws(ReaderError) {
      let discovery = try look(&presence)
      faults = 0
      return discovery
    } catch {
      // A tag that was seen but not delivered is looked for again, woken if it was halted meanwhile.
      if presence.lying != lying { presence.forget() }
      needsFieldReset = true
      switch error {
      case .timeout, .fault, .noAnswer, .tagGone, .otherTag:
        // A passing fault: the device opens its line anew by itself. One that stays ends the session.
        faults += 1
        if faults < 3 { return .nothing }
      default: break
      }
      return .ended(end(Self.invalidation(for: error)))
    }
  }

  /// The configuration in force: that of the last restart, else the session's own.
  private var current: SessionConfiguration { restart ?? configuration }

  private func look(_ presence: inout Presence) throws(ReaderError) -> Discovery {
    if needsFieldReset { try resetField() }
    let found = try list()
    guard let target = found.first else {
      _ = presence.saw(nil)
      if presence.lying == nil {
        crowd = []
        passedOver = nil
      }
      return .nothing
    }
    needsFieldReset = target.isProtocolTag
    // One that no session took may be for this one.
    let isNew = presence.saw(target)
    guard isNew || presence.isPassedOver && passedOver != presence.lying else { return .nothing }
    passedOver = nil
    if found.count > 1 { return try crowded(target, found[1], &presence) }
    var isWoken = false
    if current.alone, case .typeA = target.technology {
      try device.deselect()
      if let other = try device.select(.typeA) {
        return try crowded(target, other, &presence)
      }
      guard try device.select(.typeAUID(target.uid)) != nil else {
        presence.forget()
        needsFieldReset = true
        return .nothing
      }
      isWoken = true
    }
    crowd = []
    if let arrival = try ArrivalSearch(on: device, for: current).arrival(of: target) {
      let tag = deliver(arrival, isWokenFromHalt: isWoken)
      let isWanted = current.kind == .ndef ? try hasNDEFFormat(tag) : true
      if isWanted {
        presence.deliver()
        return .tag(tag)
      }
      tagInHand = nil
    }
    // A tag that has nothing of what is looked for is not delivered; it is not asked again while it lies.
    presence.passOver()
    passedOver = presence.lying
    if isWoken { needsFieldReset = true }
    return .nothing
  }

  /// Whether a tag is one for an `ndef` session.
  private func hasNDEFFormat(_ tag: SessionTag) throws(ReaderError) -> Bool {
    do throws(TagError) {
      switch try TagFormats.identify(tag).survey().content {
      case .empty, .message, .broken: return true
      case .blank, .unformatted: return false
      }
    } catch {
      if case .link(let failure) = error { throw failure }
      return false
    }
  }

  /// One listing of each technology that is polled, until one finds a tag; of FeliCa it may find two.
  private func list() throws(ReaderError) -> [Target] {
    if current.polling.contains(.iso14443) {
      if let target = try device.select(.typeA) { return [target] }
      if !current.selectIdentifiers.isEmpty, let target = try device.select(.typeB) {
        return [target]
      }
    }
    guard current.polling.contains(.iso18092) else { return [] }
    return try ArrivalSearch(on: device, for: current).feliCas(
      current.systemCodes, several: current.alone)
  }

  private func crowded(
    _ first: Target, _ second: Target, _ presence: inout Presence
  ) throws(ReaderError) -> Discovery {
    presence.forget()
    // Only a field without power wakes halted tags for the next listing.
    if case .typeA = first.technology { try resetField() }
    let uids: Set = [first.uid, second.uid]
    if crowd == uids { return .nothing }
    crowd = uids
    return .crowded(uids.sorted { $0.lexicographicallyPrecedes($1) })
  }

  private func deliver(_ arrival: Arrival, isWokenFromHalt: Bool) -> SessionTag {
    delivery += 1
    let mine = delivery
    let tag = SessionTag(
      arrival, on: device,
      declared: .init(
        selectIdentifiers: current.selectIdentifiers, systemCodes: current.systemCodes),
      isWokenFromHalt: isWokenFromHalt
    ) { [weak self] in
      guard let self, self.state == .active else { return .readerTransceiveErrorSessionInvalidated }
      return self.delivery == mine ? nil : .readerTransceiveErrorTagNotConnected
    }
    tagInHand = tag
    return tag
  }

  /// The one place where a session ends.
  private func end(_ reason: Invalidation) -> Invalidation {
    if case .invalidated(let earlier) = state { return earlier }
    let wasActive = state == .active
    state = .invalidated(reason)
    if wasActive { try? device.setField(on: false) }
    return reason
  }

  /// Which of Core NFC's reasons a reader's failure is.
  package static func invalidation(for error: ReaderError) -> Invalidation {
    let code: ReaderErrorCode
    switch error {
    case .busy: code = .readerSessionInvalidationErrorSystemIsBusy
    case .notFound, .permission, .unsupported: code = .readerErrorUnsupportedFeature
    case .canceled:
      return Invalidation(.readerSessionInvalidationErrorUserCanceled, by: .person)
    case .violation: code = .readerErrorSecurityViolation
    case .noAnswer, .tagGone, .otherTag, .timeout, .lost, .fault, .tooLong, .stale:
      code = .readerSessionInvalidationErrorSessionTerminatedUnexpectedly
    }
    return Invalidation(code, by: .system, message: error.description)
  }
}
