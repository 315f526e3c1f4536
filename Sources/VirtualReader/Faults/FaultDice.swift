internal import Platform

/// Draws faults for tags, the same for the same seed.
struct FaultDice: Sendable {
  /// What may be drawn, as often as it stands here: nearly all pass by themselves.
  private static let faces: [(action: FaultScript.Action, duration: Duration?)] = [
    (.noAck, nil), (.ackOnly, nil), (.late, .milliseconds(50)), (.late, .milliseconds(100)),
    (.garbage, nil), (.badSum, nil), (.badLength, nil), (.badEnd, nil), (.short, nil),
    (.split, nil), (.split, .milliseconds(50)), (.joined, nil), (.joined, nil), (.nack, nil),
    (.error, nil), (.noise, nil), (.noise, nil), (.nak, nil), (.nak, nil), (.field, nil),
    (.field, nil), (.reset, nil), (.speed, nil), (.weak, .milliseconds(100)),
    (.weak, .milliseconds(300)), (.lift, .milliseconds(200)), (.lift, .milliseconds(500)),
    (.lift, .milliseconds(1000)), (.second, .milliseconds(200)), (.unplug, .seconds(1)),
    (.swap, nil), (.lift, nil),
  ]
  /// Commands that a tag sees while a small message is written, verified and locked.
  private static let usualCommands: UInt64 = 32

  private var numbers: SeededGenerator

  init(seed: UInt64) { numbers = SeededGenerator(seed: seed) }

  /// The fault that the tag at `position` meets, if any.
  mutating func entry(for position: Int) -> FaultScript.Entry? {
    let hits = numbers.next() % 2 == 0
    let face = Self.faces[Int(numbers.next() % UInt64(Self.faces.count))]
    let command = 1 + Int(numbers.next() % Self.usualCommands)
    guard hits else { return nil }
    return FaultScript.Entry(tag: position, at: .command(command), face.action, for: face.duration)
  }
}
