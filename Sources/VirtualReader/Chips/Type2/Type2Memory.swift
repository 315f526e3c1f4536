/// The memory of a type 2 chip with its rules for reading and writing.
struct Type2Memory: Sendable {
  let model: Type2Model
  private(set) var bytes: [UInt8]

  init(model: Type2Model, bytes: [UInt8]) {
    self.model = model
    self.bytes = bytes
  }

  /// A page as it is stored.
  func stored(_ page: Int) -> [UInt8] { Array(bytes[page * 4..<page * 4 + 4]) }

  /// A page as reading shows it: PWD and PACK are zero.
  func shown(_ page: Int) -> [UInt8] {
    if let configuration = model.configuration, page >= configuration + 2,
      page <= configuration + 3
    {
      return [0, 0, 0, 0]
    }
    return stored(page)
  }

  /// The first page that a password protects, beyond the last page if none.
  var firstProtected: Int { model.configuration.map { Int(bytes[$0 * 4 + 3]) } ?? 256 }

  private var access: UInt8 { model.configuration.map { bytes[$0 * 4 + 4] } ?? 0 }

  /// PROT: reading needs the password too.
  var protectsReading: Bool { access & 0x80 != 0 }
  /// CFGLCK: CFG0 and CFG1 are read-only from the next power-up on.
  var locksConfiguration: Bool { access & 0x40 != 0 }
  /// NFC_CNT_EN.
  var countsReading: Bool { access & 0x10 != 0 }
  /// NFC_CNT_PWD_PROT.
  var protectsCounter: Bool { access & 0x08 != 0 }
  /// AUTHLIM, 0 for no limit.
  var authenticationLimit: Int { Int(access & 0x07) }
  /// VCTID.
  var virtualCardType: UInt8 { model.configuration.map { bytes[$0 * 4 + 5] } ?? 0 }

  var password: [UInt8]? { model.configuration.map { stored($0 + 2) } }
  var acknowledge: [UInt8]? { model.configuration.map { Array(stored($0 + 3).prefix(2)) } }

  /// Whether lock bits and CFGLCK allow a write to `page`.
  func isWritable(_ page: Int, configurationLocked: Bool) -> Bool {
    guard page >= 2, page < model.pageCount else { return false }
    if StaticLocks.isLocked(page, stored(StaticLocks.page)) { return false }
    if let locks = model.dynamicLocks, locks.isLocked(page, stored(locks.page)) { return false }
    if let configuration = model.configuration, configurationLocked {
      return page != configuration && page != configuration + 1
    }
    return true
  }

  /// Puts `data` into a page past all rules, as an interrupted write may.
  mutating func overwrite(_ page: Int, with data: [UInt8]) {
    bytes.replaceSubrange(page * 4..<page * 4 + 4, with: data)
  }

  /// Writes `data` to a writable page under the rules of that page; `true` if anything changed.
  mutating func write(_ data: [UInt8], to page: Int) -> Bool {
    let old = stored(page)
    let new: [UInt8]
    switch page {
    case StaticLocks.page: new = StaticLocks.merge(old, data)
    case 3: new = zip(old, data).map { $0 | $1 }
    case model.dynamicLocks?.page: new = model.dynamicLocks?.merge(old, data) ?? old
    default: new = data
    }
    overwrite(page, with: new)
    return new != old
  }
}
