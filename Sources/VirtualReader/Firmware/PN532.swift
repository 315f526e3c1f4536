internal import Platform

/// The PN532's firmware: host frames in, frames out, tags between them.
///
/// No descriptor and no thread: bytes go in by `receive`, what is to be sent comes out by `takeDue`.
struct PN532 {
  /// Something to send.
  struct Transmission {
    var bytes: [UInt8]
    /// When it has gone out, on the model's clock.
    let due: Duration
    /// And not before this on the wall.
    var notBefore: ContinuousClock.Instant?
  }

  /// What a command leads to.
  enum Reply {
    /// What follows the reply's code.
    case payload([UInt8])
    case syntaxError
    /// Nothing for now: an endless search goes on.
    case pending
  }

  /// A target that the host knows by number.
  struct KnownTarget {
    let tag: Int
    let listing: Listing
  }

  /// The bytes that a chip in LowVbat loses while they wake it.
  static let wakeUp = 5
  /// How long an endless search rests between tries.
  static let rest = Duration.milliseconds(5)

  let clock: ModelClock
  let firmwareTime: Duration
  let onCommand: (@Sendable (UInt8, [UInt8]) -> Void)?
  let onFrame: (@Sendable (WireFrame) -> Void)?
  let faults: (@Sendable (FaultPoint) -> [Fault])?

  var field: RadioField
  var registers = CIURegisters()
  var settings = Settings()
  /// Targets by their numbers, from 1.
  var targets: [UInt8: KnownTarget] = [:]
  /// The target that is active, if any.
  var active: UInt8?
  /// The search that goes on.
  var search: Search?
  /// What is left of an answer that did not fit one frame.
  var restOfAnswer: [UInt8] = []
  /// What a chained command has brought so far.
  var chained: [UInt8] = []
  private(set) var work = ReaderWorkCount()
  /// The port is gone: since when, and for how long; for good without that.
  private(set) var absence: (since: Duration, away: Duration?)?
  var isUnplugged: Bool { absence != nil }

  private let made = ContinuousClock.now
  private var receiver = FrameReceiver()
  /// Bytes that came since the last whole frame.
  private var bytesOfFrame = 0
  /// Bytes that are lost while the chip wakes up from LowVbat.
  private var deafness = 0
  private var outbox: [Transmission] = []
  private var lastResponse: [UInt8] = []
  private var searchCode: UInt8 = 0
  private(set) var baud = BaudRate.initial
  /// The speed that the host's ACK switches to.
  private(set) var nextBaud: Int?

  init(
    clock: ModelClock, field: RadioField, firmwareTime: Duration = .zero,
    onCommand: (@Sendable (UInt8, [UInt8]) -> Void)? = nil,
    onFrame: (@Sendable (WireFrame) -> Void)? = nil,
    faults: (@Sendable (FaultPoint) -> [Fault])? = nil
  ) {
    self.clock = clock
    self.field = field
    self.firmwareTime = firmwareTime
    self.onCommand = onCommand
    self.onFrame = onFrame
    self.faults = faults
  }

  /// Lets the time that has passed do its part in the field.
  mutating func settle() { field.settle(at: clock.now) }

  // MARK: In

  /// Takes what the host sent while its side of the line had the speed `speed`.
  ///
  /// Bytes at another speed than the chip's are garbage and leave no trace. The new speed after
  /// SetSerialBaudRate is as good as the host's ACK: a host that flushes its port while it changes speed
  /// throws that ACK away on a pseudo-terminal, where on a line it would have gone out.
  mutating func receive(_ bytes: [UInt8], speed: Int = BaudRate.initial) {
    if speed == nextBaud { baud = speed }
    guard speed == baud else { return }
    // Whatever the host sends while it is owed an answer ends that work.
    if search != nil || !outbox.isEmpty { work.modelled -= clock.cutShort() }
    clock.begin()
    // As long as in one piece, to the nanosecond.
    let before = BaudRate.time(bytes: bytesOfFrame, at: baud)
    bytesOfFrame += bytes.count
    spend(BaudRate.time(bytes: bytesOfFrame, at: baud) - before)
    let lost = min(deafness, bytes.count)
    deafness -= lost
    let events = receiver.receive(Array(bytes.dropFirst(lost)))
    if !events.isEmpty { bytesOfFrame = 0 }
    for event in events where !isUnplugged {
      tell(event)
      handle(event)
    }
  }

  /// Goes on with a search that waits, unless something is still to be sent before.
  mutating func resume() {
    guard search != nil, outbox.isEmpty else { return }
    clock.begin()
    field.settle(at: clock.now)
    let reply = goOnSearching()
    field.settle(at: clock.now)
    respond(reply, code: searchCode, faults: [])
  }

  private func tell(_ event: FrameReceiver.Event) {
    guard let onFrame else { return }
    let bytes =
      switch event {
      case .acknowledge: Frame.acknowledge
      case .notAcknowledge: Frame.notAcknowledge
      case .command(let content): Frame.encode([Frame.toChip] + content)
      }
    onFrame(WireFrame(time: clock.workEnd, isFromChip: false, bytes: bytes))
  }

  private mutating func handle(_ event: FrameReceiver.Event) {
    switch event {
    case .acknowledge:
      outbox = []
      search = nil
      if let speed = nextBaud { baud = speed }
      nextBaud = nil
    case .notAcknowledge:
      if !lastResponse.isEmpty { send(lastResponse) }
    case .command(let content):
      guard let code = content.first else { return }
      outbox = []
      search = nil
      nextBaud = nil
      run(code, Array(content.dropFirst()))
    }
  }

  private mutating func run(_ code: UInt8, _ parameters: [UInt8]) {
    work.hostCommands += 1
    let touchesTag = touchesTag(code, parameters)
    if touchesTag { work.tagCommands += 1 }
    onCommand?(code, parameters)
    field.settle(at: clock.now)
    let point = FaultPoint(
      number: work.hostCommands, tagCommand: work.tagCommands, touchesTag: touchesTag, code: code,
      parameters: parameters, position: field.deck.position, now: clock.now,
      elapsed: ContinuousClock.now - made)
    let faults = faults?(point) ?? []
    // A host that did not hear what was found lists again; its tag is not taken away for that.
    defer { if !faults.isEmpty { field.commanded() } }
    for fault in faults where !happens(fault) { return }
    if !faults.contains(.joined) { send(Frame.acknowledge) }
    spend(firmwareTime)
    if faults.contains(.errorFrame) { return respond(.syntaxError, code: code, faults: faults) }
    for case .status(let status) in faults {
      return respond(.payload([status]), code: code, faults: faults)
    }
    let reply = reply(to: point, faults)
    field.settle(at: clock.now)
    respond(reply, code: code, faults: faults)
  }

  /// Lets a fault happen that comes before the ACK; `false` if the command ends with it.
  private mutating func happens(_ fault: Fault) -> Bool {
    switch fault {
    case .unplug(let comeBack): absence = (clock.now, comeBack)
    case .reset:
      reset()
      deafness = Self.wakeUp
    case .speed(let speed): baud = speed
    case .noAck: break
    case .nack: send(Frame.notAcknowledge)
    case .liftBefore(let comeBack):
      lift(comeBack)
      return true
    case .fieldDrop:
      field.dropPower()
      return true
    case .swap:
      field.swap(at: clock.now)
      return true
    case .visit(let duration):
      field.visit(until: duration.map { clock.workEnd + $0 })
      return true
    default: return true
    }
    return false
  }

  /// What the command leads to where faults come between chip and tag.
  private mutating func reply(to point: FaultPoint, _ faults: [Fault]) -> Reply {
    if faults.contains(.unreached) { return missed(point) }
    if faults.contains(.nak), point.isExchange { return refused(point) }
    let torn = faults.contains { if case .tearInHalf = $0 { true } else { false } }
    let half = torn ? tornPage(of: point) : nil
    let reply = perform(point.code, point.parameters)
    if faults.contains(.unanswered) { return missed(point, else: reply) }
    guard loseTags(to: faults, during: point, half) else { return reply }
    return point.isExchange ? .payload([ChipStatus.timeout]) : reply
  }

  /// Lifts the tags if a fault wants that during a command; `true` if so.
  private mutating func loseTags(
    to faults: [Fault], during point: FaultPoint, _ half: [UInt8]?
  ) -> Bool {
    var isLost = false
    for fault in faults {
      switch fault {
      case .liftAfter(let comeBack): lift(comeBack)
      case .tear(let bytes, let comeBack):
        tear(point, leaving: bytes)
        lift(comeBack)
      case .tearInHalf(let comeBack):
        if let half { tear(point, leaving: half) }
        lift(comeBack)
      default: continue
      }
      isLost = true
    }
    return isLost
  }

  private mutating func tear(_ point: FaultPoint, leaving bytes: [UInt8]) {
    guard let target = active.flatMap({ targets[$0] }) else { return }
    _ = field.withChip(target.tag) { $0.tear(point.tagBytes, leaving: bytes) }
  }

  /// What a page holds whose WRITE was cut short: two bytes new, two old.
  private func tornPage(of point: FaultPoint) -> [UInt8]? {
    guard let page = point.writtenPage, let target = active.flatMap({ targets[$0] }),
      var copy = field.tags.first(where: { $0.id == target.tag })?.chip
    else { return nil }
    let old = copy.image.page(page)
    _ = copy.exchange(point.tagBytes)
    return Array(copy.image.page(page).prefix(2) + old.suffix(2))
  }

  private mutating func lift(_ comeBack: Duration?) {
    field.lift(at: clock.now, until: comeBack.map { clock.workEnd + $0 })
  }

  // MARK: Out

  private mutating func respond(_ reply: Reply, code: UInt8, faults: [Fault]) {
    var frame: [UInt8]
    switch reply {
    case .pending:
      searchCode = code
      return
    case .syntaxError: frame = Frame.syntaxError
    case .payload(let payload): frame = Frame.encode([Frame.fromChip, code &+ 1] + payload)
    }
    lastResponse = frame
    var delay: Duration?
    var pause: Duration?
    for fault in faults {
      switch fault {
      case .noReply: return
      case .garbage(let bytes): frame = bytes
      case .badLength: frame.spoil(at: 4)
      case .badSum: frame.spoil(at: frame.count - 2)
      case .badEnd: frame.spoil(at: frame.count - 1)
      case .truncated(let count): frame = Array(frame.prefix(max(count, 0)))
      case .delay(let duration): delay = duration
      case .split(let duration): pause = duration
      case .joined: frame = Frame.acknowledge + frame
      default: break
      }
    }
    if let delay { spend(delay) }
    let first = delay.map { ContinuousClock.now + $0 }
    guard let pause else { return send(frame, notBefore: first) }
    let middle = frame.count / 2
    send(Array(frame[..<middle]), notBefore: first)
    spend(pause)
    send(Array(frame[middle...]), notBefore: (first ?? .now) + pause)
  }

  private mutating func send(_ bytes: [UInt8], notBefore: ContinuousClock.Instant? = nil) {
    spend(BaudRate.time(bytes: bytes.count, at: baud))
    onFrame?(WireFrame(time: clock.workEnd, isFromChip: true, bytes: bytes))
    outbox.append(Transmission(bytes: bytes, due: clock.workEnd, notBefore: notBefore))
  }

  /// What has to go out by now, piece by piece.
  mutating func takeDue() -> [[UInt8]] {
    var due: [[UInt8]] = []
    while let first = outbox.first, wait(for: first) <= .zero {
      due.append(outbox.removeFirst().bytes)
    }
    return due
  }

  /// How long until something is due; `nil` if nothing is.
  var nextDue: Duration? {
    if let first = outbox.first { return max(wait(for: first), .zero) }
    guard let search else { return nil }
    return clock.timing == .real ? search.period : min(search.period, Self.rest)
  }

  private func wait(for transmission: Transmission) -> Duration {
    let modelled = clock.timing == .real ? transmission.due - clock.now : .zero
    guard let notBefore = transmission.notBefore else { return modelled }
    return max(modelled, notBefore - ContinuousClock.now)
  }

  // MARK: State

  /// Counts time that the chip or the line has been busy.
  mutating func spend(_ duration: Duration) {
    clock.advance(duration)
    work.modelled += duration
  }

  /// SetSerialBaudRate: the host's ACK to the reply makes the switch.
  mutating func switchBaudOnAcknowledge(to speed: Int) { nextBaud = speed }

  /// The port is there again, and the chip powered anew.
  mutating func plugIn() {
    absence = nil
    reset()
  }

  /// Power-on state.
  mutating func reset() {
    field.turn(on: false)
    // What the next listing finds is found anew, also by the deck.
    field.commanded()
    registers = CIURegisters()
    settings = Settings()
    baud = BaudRate.initial
    nextBaud = nil
    outbox = []
    receiver = FrameReceiver()
    deafness = 0
    bytesOfFrame = 0
    forgetTargets()
  }

  mutating func forgetTargets() {
    targets = [:]
    active = nil
    search = nil
    restOfAnswer = []
    chained = []
  }
}

extension [UInt8] {
  /// Makes one byte wrong, where there is such a byte.
  fileprivate mutating func spoil(at index: Int) {
    if indices.contains(index) { self[index] &+= 1 }
  }
}

/// What a reader has done since it was made.
package struct ReaderWorkCount: Sendable, Equatable {
  /// Commands of the host.
  package var hostCommands = 0
  /// Those of them that touch a tag or the field.
  package var tagCommands = 0
  /// Serial, radio and EEPROM time by the model.
  package var modelled = Duration.zero
}
