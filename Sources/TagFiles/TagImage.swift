/// A tag's memory and what else a copy of the tag needs.
package struct TagImage: Sendable, Hashable {
  /// Whose memory it is.
  package var chip: ImageChip
  /// The UID, PUPI or IDm that the tag answers with; a file's pages 0 and 1 may hold another.
  package var uid: [UInt8]
  /// SENS_RES as a number: 0x0044 for Type 2 chips, sent as `44 00`; 0 where the tag is not of type A.
  package var atqa: UInt16
  /// SEL_RES.
  package var sak: UInt8
  /// A Type 2 chip's whole memory, 4 bytes a page; passwords stand in their pages as far as known.
  package var pages: [UInt8]
  /// The answer to GET_VERSION, 8 bytes, of DESFire 28; zeros where the chip has none.
  package var version: [UInt8]
  /// The answer to READ_SIG, 32 bytes; zeros where it is not known.
  package var signature: [UInt8]
  /// Three counters of 24 bits.
  package var counters: [Int]
  /// Their tearing flags; BDh is whole.
  package var tearing: [UInt8]
  /// How often a wrong password was given in a row.
  package var failedAuthentications: Int
  /// What a card with ISO/IEC 14443-4 holds; `nil` for all others.
  package var card: CardImage?
  /// What a FeliCa holds; `nil` for all others.
  package var feliCa: FeliCaImage?

  /// An image with `chip`'s own version, no signature, and counters that never counted.
  ///
  /// Missing pages are zero, and what goes beyond the chip's memory is left out.
  package init(chip: ImageChip, uid: [UInt8], pages: [UInt8]) {
    let size = chip.pageCount * 4
    self.chip = chip
    self.uid = uid
    atqa = 0x0044
    sak = 0
    self.pages = Array(pages.prefix(size))
    self.pages += [UInt8](repeating: 0, count: size - self.pages.count)
    version = chip.version
    signature = [UInt8](repeating: 0, count: 32)
    counters = [0, 0, 0]
    tearing = [0xBD, 0xBD, 0xBD]
    failedAuthentications = 0
  }

  /// The four bytes of page `number`; zeros beyond the memory.
  package func page(_ number: Int) -> [UInt8] {
    guard number >= 0, number * 4 + 4 <= pages.count else { return [0, 0, 0, 0] }
    return Array(pages[number * 4..<number * 4 + 4])
  }
}
