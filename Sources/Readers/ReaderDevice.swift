package import Platform

/// The work a reader has done since it was opened.
package struct ReaderWork: Sendable, Equatable {
  /// Commands to the reader chip that touch a tag or the field.
  package var commands: Int
  /// Radio, EEPROM and serial time by the virtual reader's model, and the field's guard times; `nil` on a
  /// real reader.
  package var modelled: Duration?

  package init(commands: Int = 0, modelled: Duration? = nil) {
    self.commands = commands
    self.modelled = modelled
  }

  /// What came after `start`.
  package static func - (end: ReaderWork, start: ReaderWork) -> ReaderWork {
    var difference = ReaderWork(commands: end.commands - start.commands)
    if let ended = end.modelled, let began = start.modelled { difference.modelled = ended - began }
    return difference
  }
}

/// An open reader.
///
/// All calls block, each with a time limit, and belong on the reader's own executor.
package protocol ReaderDevice: AnyObject {
  /// Whether a virtual reader answers, whoever made it.
  var isVirtual: Bool { get }
  /// What waits on this reader run on.
  var clock: any StationClock { get }
  /// Work done since the device was opened.
  var work: ReaderWork { get }
  /// Whether a virtual reader's deck has no tag left to present; never true on a real reader.
  var deckIsUsedUp: Bool { get }
  /// The largest command, in bytes, that one exchange can carry.
  var longestCommand: Int { get }

  /// Looks once, for a short time, for one tag; the tag found is the one that `exchange` speaks to.
  func select(_ poll: Poll) throws(ReaderError) -> Target?
  /// Looks once for FeliCa tags with this system code in four time slots; two at most are told.
  ///
  /// The first is the one that `exchange` speaks to.
  func selectFeliCas(systemCode: UInt16) throws(ReaderError) -> [Target]
  /// Halts the selected tag.
  func deselect() throws(ReaderError)
  /// Sends `command` to the selected tag and returns its answer, without CRC.
  func exchange(
    _ command: [UInt8], framing: Framing, timeout: Duration
  ) throws(ReaderError) -> [UInt8]
  /// Switches the field; returns when it has been so for 5 ms.
  func setField(on: Bool) throws(ReaderError)
}

extension ReaderDevice {
  /// One tag at most, as one time slot finds it.
  package func selectFeliCas(systemCode: UInt16) throws(ReaderError) -> [Target] {
    try select(.feliCa(systemCode: systemCode)).map { [$0] } ?? []
  }
}

/// A reader that can be opened and closed between sessions.
package protocol ReaderPortDevice: ReaderDevice {
  /// Takes the port and opens it; does nothing if it is open.
  func open() throws(ReaderError)
  /// Closes the reader and gives its port back.
  func close()
}
