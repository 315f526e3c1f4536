package import Secrets

/// How a password guards a tag.
package struct Protection: Sendable {
  /// The password, 4 bytes.
  package var password: Secret
  /// What the tag answers to it (PACK), 2 bytes.
  package var acknowledge: [UInt8]
  /// The first page that needs it for writing.
  package var from: Int
  /// Whether reading needs it too.
  package var guardsReading: Bool
  /// How many wrong passwords the tag takes before it takes none any more; 0 for no limit, at most 7.
  package var tries: Int

  /// A password that guards pages from `from` on.
  package init(
    password: Secret, acknowledge: [UInt8], from: Int, guardsReading: Bool, tries: Int
  ) {
    self.password = password
    self.acknowledge = acknowledge
    self.from = from
    self.guardsReading = guardsReading
    self.tries = tries
  }
}

extension Chip {
  /// The last page that a password of the chip's can guard from, which is that of its own settings; `nil` where it has
  /// no password.
  ///
  /// Guarded from a later page, the settings themselves could be written by everybody.
  package var lastGuardedPage: Int? { Type2Chip.facts(self)?.configuration }
}
