package import Platform

/// The way to one selected tag, as tag formats use it.
package protocol TagLink: AnyObject {
  /// The tag as it was found.
  var target: Target { get }
  /// What waits for this tag run on.
  var clock: any StationClock { get }
  /// The largest command, in bytes, that one exchange can carry.
  var longestCommand: Int { get }

  /// Sends `command` and returns the answer, without CRC.
  func exchange(
    _ command: [UInt8], framing: Framing, timeout: Duration
  ) throws(ReaderError) -> [UInt8]
  /// The same, never sent again by itself: for what a tag counts, such as passwords.
  func exchangeOnce(
    _ command: [UInt8], framing: Framing, timeout: Duration
  ) throws(ReaderError) -> [UInt8]
  /// Names the command that opens the tag again where the link selects it by itself, with the field on, between two
  /// exchanges; `nil` for none, which is so after a selection anew.
  func open(with command: (() -> [UInt8])?)
  /// Selects the same tag again by its UID with the field on; `tagGone` if it does not answer.
  func reselect() throws(ReaderError)
  /// Field off and on again, then a new selection; `tagGone` if none answers, `otherTag` for another UID.
  func dropField() throws(ReaderError)
}

extension TagLink {
  /// Sends `command` with the time limit that suits a tag: well above what any chip may take.
  package func exchange(
    _ command: [UInt8], framing: Framing
  ) throws(ReaderError) -> [UInt8] {
    try exchange(command, framing: framing, timeout: .seconds(1))
  }

  /// The same, never sent again by itself.
  package func exchangeOnce(
    _ command: [UInt8], framing: Framing
  ) throws(ReaderError) -> [UInt8] {
    try exchangeOnce(command, framing: framing, timeout: .seconds(1))
  }

  /// A link that repeats nothing.
  package func exchangeOnce(
    _ command: [UInt8], framing: Framing, timeout: Duration
  ) throws(ReaderError) -> [UInt8] {
    try exchange(command, framing: framing, timeout: timeout)
  }

  /// A link that selects nothing by itself.
  package func open(with command: (() -> [UInt8])?) {}
}
