package import Platform

internal import Glibc

/// A simulated PN532 on a pseudo-terminal, with virtual tags in its field.
///
/// Any program that speaks to a PN532 on a serial port takes it for one. It runs on a thread of its own
/// until `stop` or until it is let go.
package final class VirtualReader: Sendable {
  /// What its clients' waits run on.
  package let clock: ModelClock
  /// Where the port can be opened: the link if one was asked for.
  package let portPath: String
  /// What libnfc opens it by.
  package let connectionString: String

  private let chip: Locked<PN532>
  private let thread: SystemThread
  private let stopSignal: WakeSignal
  private let link: Locked<PortLink?>

  /// Makes the port, puts the deck's first tag on it and starts to listen.
  package init(
    configuration: VirtualReaderConfiguration = VirtualReaderConfiguration(),
    deck: [DeckEntry] = []
  ) throws(SystemError) {
    let port = SerialPort(terminal: try PseudoTerminal())
    let path = configuration.link ?? port.terminal.path
    if path.utf8.contains(UInt8(ascii: ":")) {
      // libnfc splits its connection strings there.
      throw SystemError("port \(path) with a colon in its name", code: EINVAL)
    }
    let clock = ModelClock(timing: configuration.timing)
    let chip = Locked(
      PN532(
        clock: clock,
        field: RadioField(deck: deck, hold: configuration.hold, gap: configuration.gap),
        firmwareTime: configuration.firmware,
        onCommand: configuration.onCommand, faults: configuration.faults))
    let stopSignal = try WakeSignal()
    var link: PortLink?
    if let name = configuration.link { link = try PortLink(at: name, to: port.terminal.path) }
    self.link = Locked(link)
    thread = try SystemThread(name: "virtual-reader") {
      ReaderLoop(port: port, chip: chip, stopSignal: stopSignal).run()
    }
    self.clock = clock
    self.chip = chip
    self.stopSignal = stopSignal
    portPath = path
    connectionString = "pn532_uart:\(path):\(configuration.speed)"
  }

  deinit { stop() }

  /// Unplugs the port and ends the thread; may be called more than once.
  package func stop() {
    stopSignal.give()
    thread.join()
    link.withLock { $0.take() }?.remove()
  }

  /// What has been done so far.
  package var work: ReaderWorkCount { chip.withLock { $0.work } }

  /// Whether the deck's last tag has been taken away.
  package var deckIsUsedUp: Bool { chip.withLock { $0.field.deck.isUsedUp } }

  /// Why the deck ended before its last tag, if it did.
  package var deckFailure: DeckEntry.Failure? { chip.withLock { $0.field.failure } }

  /// The place of the deck's tag on the reader, from 1; 0 if there is none.
  package var position: Int { chip.withLock { $0.field.deck.position } }

  /// What the chips on the reader hold now.
  package var images: [ChipImage] { chip.withLock { $0.field.tags.map(\.chip.image) } }

  /// Puts a tag on the reader beside what is there; `nil` if no chip can be made from the image.
  ///
  /// The answer is what `remove` takes. `changed` is called as for the tags of a deck.
  @discardableResult
  package func place(
    _ image: ChipImage, changed: @escaping @Sendable (ChipImage) -> Void = { _ in }
  ) -> Int? {
    guard let tag = VirtualChips.chip(from: image) else { return nil }
    return chip.withLock { $0.field.place(tag, changed: changed) }
  }

  /// Takes away a tag that `place` put on the reader.
  package func remove(_ tag: Int) {
    let now = clock.now
    chip.withLock { $0.field.remove(id: tag, at: now) }
  }

  /// Lifts all tags until `comeBack` has passed on the clock, or for good.
  package func lift(comeBack: Duration? = nil) {
    let now = clock.now
    chip.withLock { $0.field.lift(at: now, until: comeBack.map { now + $0 }) }
  }
}
