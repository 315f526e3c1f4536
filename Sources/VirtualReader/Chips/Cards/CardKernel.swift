/// What a card makes of the commands that its block protocol brings.
protocol CardKernel: Sendable {
  var applications: [CardApplication] { get }
  /// Grows with every change of what the card holds.
  var revision: Int { get }

  /// The card was activated anew.
  mutating func reset()
  mutating func run(_ command: [UInt8]) -> CardAnswer
  /// Lost the field while it carried out `command`: what that wrote to begins with `bytes` now.
  mutating func tear(_ command: [UInt8], leaving bytes: [UInt8])
}

/// An answer to one command.
struct CardAnswer: Sendable, Equatable {
  var bytes: [UInt8]
  /// Time the card took for its memory.
  var programming: Duration = .zero

  /// Programming goes in pages of 32 bytes at 1 ms each, as with DESFire.
  static func programming(_ count: Int) -> Duration { .milliseconds((count + 31) / 32) }
}
