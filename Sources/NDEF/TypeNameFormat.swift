/// What the TYPE field of a record names: the TNF field (NDEF 1.0 section 3.2.6).
package enum TypeNameFormat: UInt8, Sendable, Hashable, CaseIterable {
  case empty = 0
  case wellKnown = 1
  case media = 2
  case absoluteURI = 3
  case external = 4
  case unknown = 5
  /// A later chunk of a record; no whole record has it.
  case unchanged = 6

  /// The format in the low three bits of a record's first byte.
  ///
  /// The reserved value 7 is read as `unknown`, as section 3.2.6 asks of parsers.
  init(flags: UInt8) {
    self = TypeNameFormat(rawValue: flags & 0x07) ?? .unknown
  }
}
