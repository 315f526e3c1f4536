package import Platform

/// A virtual reader that runs in this process, as the reader layer sees it.
///
/// Its chip is opened like any other, through libnfc; this says what a chip cannot say.
package protocol VirtualDevice: AnyObject, Sendable {
  /// Where libnfc finds it; stays the same while it runs.
  var connectionString: String { get }
  /// What waits for its tags run on.
  var clock: any StationClock { get }
  /// Radio, EEPROM and serial time so far, by its model.
  var modelled: Duration { get }
  /// Whether its deck has no tag left to present.
  var deckIsUsedUp: Bool { get }
  /// The file that stands for the reader in locks, made if it is missing; `nil` for the port's own node.
  var lockPath: String? { get }
}
