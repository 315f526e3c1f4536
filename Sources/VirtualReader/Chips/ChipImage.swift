/// Everything a virtual chip keeps when it leaves the field.
package struct ChipImage: Sendable, Equatable {
  /// The chip's name as in job files, for example `NTAG213`.
  package var chip: String
  /// UID without cascade tags, PUPI of a type B card, or IDm of a FeliCa.
  package var uid: [UInt8]
  /// SENS_RES as a number: `0x0044` for NTAG; 0 where the chip is not of type A.
  package var atqa: UInt16
  /// SEL_RES of the last cascade level.
  package var sak: UInt8
  /// The memory of a type 2 chip, page after page; passwords stand in theirs.
  package var pages: [UInt8]
  /// What GET_VERSION answers, of DESFire all three parts; empty where the chip has no such command.
  package var version: [UInt8]
  /// What READ_SIG answers; empty where the chip has no such command.
  package var signature: [UInt8]
  /// The one-way counters by their numbers; the only one of NTAG21x is number 2.
  package var counters: [UInt32]
  /// What CHECK_TEARING_EVENT answers for each counter.
  package var tearing: [UInt8]
  /// Wrong passwords since the last right one.
  package var failedAuthentications: Int
  /// What a card with ISO/IEC 14443-4 holds; `nil` for all others.
  package var card: CardContent?
  /// What a FeliCa holds; `nil` for all others.
  package var feliCa: FeliCaContent?

  /// An image of these parts.
  package init(
    chip: String, uid: [UInt8], atqa: UInt16 = 0, sak: UInt8 = 0, pages: [UInt8] = [],
    version: [UInt8] = [], signature: [UInt8] = [], counters: [UInt32] = [],
    tearing: [UInt8] = [], failedAuthentications: Int = 0, card: CardContent? = nil,
    feliCa: FeliCaContent? = nil
  ) {
    self.chip = chip
    self.uid = uid
    self.atqa = atqa
    self.sak = sak
    self.pages = pages
    self.version = version
    self.signature = signature
    self.counters = counters
    self.tearing = tearing
    self.failedAuthentications = failedAuthentications
    self.card = card
    self.feliCa = feliCa
  }

  /// Whether a password of somebody's lies in the memory: another one than the factory's.
  package var hasPassword: Bool {
    guard let place = Type2Model.named(chip)?.configuration else { return false }
    let password = page(place + 2)
    return !password.isEmpty && password != [0xFF, 0xFF, 0xFF, 0xFF]
  }

  /// The four bytes of page `number`; empty if the chip has no such page.
  package func page(_ number: Int) -> [UInt8] {
    number >= 0 && number * 4 + 4 <= pages.count ? Array(pages[number * 4..<number * 4 + 4]) : []
  }
}
