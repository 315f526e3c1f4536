package import Platform

internal import Glibc

/// A simulated PN532 on a pseudo-terminal, with virtual tags in its field.
///
/// Any program that speaks to a PN532 on a serial port takes it for one. It runs on a thread of its own
/// until `stop` or until it is let go.
package final class VirtualReader: Sendable {
  /// What its clients' waits run on.
  package let clock: ModelClock
  private let speed: Int
  private let socket: PortSocket
  private let chip: Locked<PN532>
  private let thread: SystemThread
  private let stopSignal: WakeSignal
  private let loop: ReaderLoop

  /// Makes the port, puts the deck's first tag on it and starts to listen.
  package init(
    configuration: VirtualReaderConfiguration = VirtualReaderConfiguration(),
    deck: [DeckEntry] = []
  ) throws(SystemError) {
    if let path = configuration.link, path.utf8.contains(UInt8(ascii: ":")) {
      // libnfc splits its connection strings there.
      throw SystemError("port \(path) with a colon in its name", code: EINVAL)
    }
    let clock = ModelClock(timing: configuration.timing)
    let chip = Locked(
      PN532(
        clock: clock,
        field: RadioField(deck: deck, hold: configuration.hold, gap: configuration.gap),
        firmwareTime: configuration.firmware,
        onCommand: configuration.onCommand, onFrame: configuration.onFrame,
        faults: configuration.faults))
    let stopSignal = try WakeSignal()
    let socket = try PortSocket(link: configuration.link)
    let loop = ReaderLoop(socket: socket, chip: chip, clock: clock, stopSignal: stopSignal)
    do throws(SystemError) {
      thread = try SystemThread(name: "virtual-reader") { loop.run() }
    } catch {
      socket.close()
      throw error
    }
    self.clock = clock
    self.chip = chip
    self.stopSignal = stopSignal
    self.socket = socket
    self.loop = loop
    speed = configuration.speed
  }

  /// Where the port can be opened: the link if one was asked for.
  ///
  /// Without a link a reader that was unplugged comes back at another path; until then nothing is there.
  package var portPath: String {
    // Asked by one that waits on the reader's clock: its time may have come by now.
    loop.plugIfDue()
    return socket.path
  }

  /// What libnfc opens it by.
  package var connectionString: String { "pn532_uart:\(portPath):\(speed)" }

  deinit { stop() }

  /// Unplugs the port and ends the thread; may be called more than once.
  package func stop() {
    stopSignal.give()
    thread.join()
    socket.close()
  }

  /// What has been done so far.
  package var work: ReaderWorkCount { chip.withLock { $0.work } }

  /// Whether the deck's last tag has been taken away.
  package var deckIsUsedUp: Bool { chip.withLock { $0.field.deck.isUsedUp } }

  /// Why the deck ended before its last tag, if it did.
  package var deckFailure: DeckEntry.Failure? { chip.withLock { $0.field.failure } }

  /// The place of the deck's tag on the reader, from 1; 0 if there is none.
  package var position: Int {
    chip.withLock {
      $0.settle()
      return $0.field.deck.position
    }
  }

  /// What the chips on the reader hold now.
  package var images: [ChipImage] {
    chip.withLock {
      $0.settle()
      return $0.field.tags.map(\.chip.image)
    }
  }

  /// What second tags that a fault brought hold, or held when they left.
  package var strangers: [ChipImage] { chip.withLock { $0.field.strangers } }

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
