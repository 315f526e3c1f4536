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

  /// How long an endless search rests between tries.
  static let rest = Duration.milliseconds(5)

  let clock: ModelClock
  let firmwareTime: Duration
  let onCommand: (@Sendable (UInt8, [UInt8]) -> Void)?
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
  /// The port is gone.
  private(set) var isUnplugged = false

  private var receiver = FrameReceiver()
  private var outbox: [Transmission] = []
  private var lastResponse: [UInt8] = []
  private var searchCode: UInt8 = 0
  private(set) var baud = BaudRate.initial
  /// The speed that the host's ACK switches to.
  private(set) var nextBaud: Int?

  init(
    clock: ModelClock, field: RadioField, firmwareTime: Duration = .zero,
    onCommand: (@Sendable (UInt8, [UInt8]) -> Void)? = nil,
    faults: (@Sendable (FaultPoint) -> [Fault])? = nil
  ) {
    self.clock = clock
    self.field = field
    self.firmwareTime = firmwareTime
    self.onCommand = onCommand
    self.faults = faults
    self.field.settle(at: clock.now)
  }

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
    spend(BaudRate.time(bytes: bytes.count, at: baud))
    for event in receiver.receive(bytes) where !isUnplugged { handle(event) }
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
    if touchesTag(code, parameters) { work.tagCommands += 1 }
    onCommand?(code, parameters)
    field.settle(at: clock.now)
    let faults =
      faults?(
        FaultPoint(
          number: work.hostCommands, tagCommand: work.tagCommands, code: code,
          parameters: parameters, position: field.deck.position)) ?? []
    for fault in faults {
      switch fault {
      case .unplug:
        isUnplugged = true
        return
      case .reset: return reset()
      case .noAck: return
      case .nack: return send(Frame.notAcknowledge)
      case .liftBefore(let comeBack): lift(comeBack)
      default: break
      }
    }
    send(Frame.acknowledge)
    spend(firmwareTime)
    if faults.contains(.errorFrame) { return respond(.syntaxError, code: code, faults: faults) }
    for case .status(let status) in faults {
      return respond(.payload([status]), code: code, faults: faults)
    }
    var reply = perform(code, parameters)
    if loseTags(to: faults, during: code, parameters), code == 0x40 || code == 0x42 {
      reply = .payload([ChipStatus.timeout])
    }
    field.settle(at: clock.now)
    respond(reply, code: code, faults: faults)
  }

  /// Lifts the tags if a fault wants that during a command; `true` if so.
  private mutating func loseTags(
    to faults: [Fault], during code: UInt8, _ parameters: [UInt8]
  ) -> Bool {
    var isLost = false
    for fault in faults {
      switch fault {
      case .liftAfter(let comeBack):
        lift(comeBack)
        isLost = true
      case .tear(let bytes, let comeBack):
        if let target = active.flatMap({ targets[$0] }) {
          let command = Array(parameters.dropFirst(code == 0x40 ? 1 : 0))
          _ = field.withChip(target.tag) { $0.tear(command, leaving: bytes) }
        }
        lift(comeBack)
        isLost = true
      default: break
      }
    }
    return isLost
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
    for fault in faults {
      switch fault {
      case .noReply: return
      case .garbage(let bytes): frame = bytes
      case .badSum: if frame.count > 1 { frame[frame.count - 2] &+= 1 }
      case .truncated(let count): frame = Array(frame.prefix(max(count, 0)))
      case .delay(let duration): delay = duration
      default: break
      }
    }
    if let delay { spend(delay) }
    send(frame, notBefore: delay.map { ContinuousClock.now + $0 })
  }

  private mutating func send(_ bytes: [UInt8], notBefore: ContinuousClock.Instant? = nil) {
    spend(BaudRate.time(bytes: bytes.count, at: baud))
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

  /// Power-on state.
  mutating func reset() {
    field.turn(on: false)
    registers = CIURegisters()
    settings = Settings()
    baud = BaudRate.initial
    nextBaud = nil
    outbox = []
    receiver = FrameReceiver()
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

/// What a reader has done since it was made.
package struct ReaderWorkCount: Sendable, Equatable {
  /// Commands of the host.
  package var hostCommands = 0
  /// Those of them that touch a tag or the field.
  package var tagCommands = 0
  /// Serial, radio and EEPROM time by the model.
  package var modelled = Duration.zero
}
