/// A tag to be put on the reader, made when its turn comes, the first one with the first command: until then
/// another process may work on the tags.
package struct DeckEntry: Sendable {
  /// Why a tag could not be made.
  package struct Failure: Error, Equatable, Sendable {
    /// In words.
    package let reason: String

    /// A failure for this reason.
    package init(_ reason: String) { self.reason = reason }
  }

  let make: @Sendable () throws(Failure) -> ChipImage
  let changed: @Sendable (ChipImage) -> Void

  /// An entry that `make` makes; `changed` is called after every command that altered what it holds.
  ///
  /// Both run on the reader's thread and may not call the reader.
  package init(
    make: @escaping @Sendable () throws(Failure) -> ChipImage,
    changed: @escaping @Sendable (ChipImage) -> Void = { _ in }
  ) {
    self.make = make
    self.changed = changed
  }
}

/// How long a tag of a deck lies on the reader.
package enum DeckHold: Sendable, Equatable {
  /// Until two listings in a row found it with no other tag command between them.
  case done
  case forever
  /// This long from the first listing that found it.
  case duration(Duration)
}
