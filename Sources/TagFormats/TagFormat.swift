package import Readers
package import Secrets

/// What a tag holds, as a phone would read it.
package enum TagContent: Sendable, Equatable {
  /// As the factory made it, without NDEF format; `write` formats it.
  case blank
  /// No NDEF format, and not blank.
  case unformatted(String)
  /// NDEF format and no message.
  case empty
  case message([UInt8])
  /// NDEF format whose lengths cannot be.
  case broken(String)
}

/// What a look at a tag tells.
package struct TagSurvey: Sendable, Equatable {
  package var content: TagContent
  /// The largest message, in bytes, that fits; 0 where there is no format.
  package var capacity: Int
  /// Why no message can be written, apart from its size.
  package var obstacle: TagError?
  /// Whether everything that keeps a reader from writing is set.
  package var isLocked: Bool
  /// Whether a password guards part of the memory; `nil` where the chip cannot tell.
  package var isProtected: Bool?
  /// Whether the chip's settings, such as its password, can be changed no more.
  package var isConfigurationFixed = false
}

/// One write to the tag's memory.
package struct MemoryWrite: Sendable, Equatable {
  /// The page or block.
  package var address: Int
  package var bytes: [UInt8]

  package init(_ address: Int, _ bytes: [UInt8]) {
    self.address = address
    self.bytes = bytes
  }
}

/// How a message is put on a tag so that a torn tag reads as empty.
package struct WritePlan: Sendable, Equatable {
  /// In this order; none of them makes the message readable.
  package var body: [MemoryWrite]
  /// The one write that makes the message readable; `nil` where the tag holds it already.
  package var commit: MemoryWrite?
  /// Whether the message lies wholly in the committing write.
  package var liesInCommit: Bool

  /// Whether there is nothing to write.
  package var isEmpty: Bool { body.isEmpty && commit == nil }
}

/// A selected tag, treated as its format asks.
///
/// Nothing is repeated here: the link decides how patient to be.
package protocol TagFormat: AnyObject {
  var link: any TagLink { get }
  var chip: Chip { get }

  /// Reads what decides whether and how the tag can be used, and its message.
  func survey() throws(TagError) -> TagSurvey
  /// The writes that put `message` on the tag as it was surveyed last; pages that hold their bytes already
  /// are left out.
  func plan(_ message: [UInt8]) throws(TagError) -> WritePlan
  /// Sends writes in order.
  func perform(_ writes: [MemoryWrite]) throws(TagError)
  /// Whether every page of `message` but that of the committing write holds its bytes: where it does, the
  /// committing write.
  func remainder(of message: [UInt8]) throws(TagError) -> WritePlan?
  /// Whether some page of `message` beside that of the committing write holds bytes of it that no fresh tag has.
  ///
  /// Tells the tag that was written, however badly, from another one that took its place.
  func holdsPart(of message: [UInt8]) throws(TagError) -> Bool
  /// Makes the tag read as empty, and reads that back.
  func writeZeroLength() throws(TagError)
  /// Writes every lock that is not set yet, and reads all of them back.
  func lock() throws(TagError)
  /// Opens what a password guards, until the tag is selected anew; `password` where the tag refuses it.
  ///
  /// A password that was refused is not sent again.
  func authenticate(_ password: Secret) throws(TagError)
  /// Puts a password on the tag, confirmed before it guards anything, and reads back what it guards.
  func protect(_ protection: Protection) throws(TagError)
  /// Takes the password off and reads that back; a tag that none guards is left alone.
  func unprotect(_ password: Secret) throws(TagError)
  /// The bytes of `count` pages from `page`.
  func bytes(at page: Int, count: Int) throws(TagError) -> [UInt8]
  /// The chip's tap or one-way counter, where it has one that can be read.
  func counter() throws(TagError) -> Int?
  /// Forgets what was read, after a new selection.
  func forget()
  /// Forgets the message and all that leads to it, so that a survey reads it as a phone would.
  ///
  /// What lies behind users' data, such as lock bytes, is kept: `lock` reads it back by itself.
  func forgetMessage()
}

/// Finding out which format a selected tag has.
package enum TagFormats {
  /// The format of the tag behind `link`, found with at most one command where chips are told apart.
  package static func identify(_ link: any TagLink) throws(TagError) -> any TagFormat {
    switch link.target.technology {
    // SAK 00 is type 2, whatever the length of its UID says in ATQA (NXP AN10833, table 6).
    case .typeA(_, 0x00, _):
      return try Type2Tag.identify(link)
    case .typeA(_, let sak, _):
      return ForeignTag(link, chip: chipNamed(bySAK: sak))
    case .typeB:
      return ForeignTag(link, chip: .type4B)
    case .feliCa:
      return ForeignTag(link, chip: .feliCaStandard)
    case .jewel:
      return ForeignTag(link, chip: .topaz512)
    }
  }

  /// What the SAK alone says (NXP AN10833, table 6).
  private static func chipNamed(bySAK sak: UInt8) -> Chip {
    switch sak {
    case 0x08: .classic1K
    case 0x18: .classic4K
    case 0x09: .classicMini
    case 0x10, 0x11: .plus
    case _ where sak & 0x20 != 0: .type4A
    default: .unknown
    }
  }
}

/// A tag that this program can find but not treat.
package final class ForeignTag: TagFormat {
  package let link: any TagLink
  package let chip: Chip

  package init(_ link: any TagLink, chip: Chip) {
    self.link = link
    self.chip = chip
  }

  private var refusal: TagError { .unsupported("\(chip.rawValue) is not supported") }

  package func survey() throws(TagError) -> TagSurvey {
    TagSurvey(
      content: .unformatted("\(chip.rawValue) is not supported"), capacity: 0, obstacle: refusal,
      isLocked: false, isProtected: nil)
  }

  package func plan(_ message: [UInt8]) throws(TagError) -> WritePlan { throw refusal }
  package func perform(_ writes: [MemoryWrite]) throws(TagError) { throw refusal }
  package func remainder(of message: [UInt8]) throws(TagError) -> WritePlan? { throw refusal }
  package func holdsPart(of message: [UInt8]) throws(TagError) -> Bool { throw refusal }
  package func writeZeroLength() throws(TagError) { throw refusal }
  package func lock() throws(TagError) { throw refusal }
  package func authenticate(_ password: Secret) throws(TagError) { throw refusal }
  package func protect(_ protection: Protection) throws(TagError) { throw refusal }
  package func unprotect(_ password: Secret) throws(TagError) { throw refusal }
  package func bytes(at page: Int, count: Int) throws(TagError) -> [UInt8] { throw refusal }
  package func counter() throws(TagError) -> Int? { nil }
  package func forget() {}
  package func forgetMessage() {}
}
