/// How a virtual reader is made.
package struct VirtualReaderConfiguration: Sendable {
  /// Speed in the connection string, in baud.
  package var speed: Int
  /// Whether modelled time is waited for.
  package var timing: ModelClock.Timing
  /// Modelled time the chip's firmware takes for each command.
  package var firmware: Duration
  /// How long each tag of the deck lies on the reader.
  package var hold: DeckHold
  /// The least time between two tags of the deck; two listings must find nothing as well.
  package var gap: Duration
  /// Where to put a symbolic link to the port, if anywhere; a link that lies there is replaced.
  package var link: String?
  /// Called with code and parameters of each host command, on the reader's thread.
  package var onCommand: (@Sendable (UInt8, [UInt8]) -> Void)?
  /// Called with each frame on the wire, on the reader's thread.
  package var onFrame: (@Sendable (WireFrame) -> Void)?
  /// Asked before each host command what is to go wrong with it, on the reader's thread.
  package var faults: (@Sendable (FaultPoint) -> [Fault])?

  /// A configuration of these parts; the closures may not call the reader.
  package init(
    speed: Int = 115_200, timing: ModelClock.Timing = .real, firmware: Duration = .zero,
    hold: DeckHold = .done, gap: Duration = .milliseconds(300), link: String? = nil,
    onCommand: (@Sendable (UInt8, [UInt8]) -> Void)? = nil,
    onFrame: (@Sendable (WireFrame) -> Void)? = nil,
    faults: (@Sendable (FaultPoint) -> [Fault])? = nil
  ) {
    self.speed = speed
    self.timing = timing
    self.firmware = firmware
    self.hold = hold
    self.gap = gap
    self.link = link
    self.onCommand = onCommand
    self.onFrame = onFrame
    self.faults = faults
  }
}
