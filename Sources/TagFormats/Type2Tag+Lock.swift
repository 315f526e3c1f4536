internal import Bytes

extension Type2Tag {
  /// Whether the chip keeps every reader from writing: capability container, static and dynamic lock bits.
  ///
  /// Block-locking bits do not count here: lock bits that are set cannot be cleared anyhow.
  func isLocked(_ container: [UInt8]) -> Bool {
    guard container[3] & 0x0F == 0x0F, let statics = pages[2], statics[2] & 0xF8 == 0xF8,
      statics[3] == 0xFF
    else { return false }
    guard let lock = facts?.dynamicLock else { return true }
    guard let bits = pages[lock.page] else { return false }
    return (0..<2).allSatisfy { bits[$0] & lock.lockBits[$0] == lock.lockBits[$0] }
  }

  /// AUTH0 and the page after the last: whether a password guards anything.
  var isProtected: Bool? {
    guard let facts, let configuration = facts.configuration, let page = pages[configuration] else {
      return nil
    }
    return Int(page[3]) < facts.pages
  }

  /// What stands against writing a message: the capability container, lock bits, or a password.
  func obstacle(_ container: [UInt8]) -> TagError? {
    if container[3] & 0x0F != 0 {
      return .locked("the capability container says read-only (\(container.hex))")
    }
    if let statics = pages[2], statics[2] & 0xF0 != 0 || statics[3] != 0 {
      return .locked("static lock bytes \(Array(statics[2...3]).hex)")
    }
    guard let facts else {
      return .unsupported("the chip's version is not known")
    }
    if let lock = facts.dynamicLock, let bits = pages[lock.page],
      (0..<2).contains(where: { bits[$0] & lock.lockBits[$0] != 0 })
    {
      return .locked("dynamic lock bytes \(Array(bits[0...2]).hex)")
    }
    if authenticated == nil, let configuration = facts.configuration,
      let page = pages[configuration],
      Int(page[3]) < facts.userEnd
    {
      return .password("a password guards pages from \(page[3]) on")
    }
    return nil
  }

  package func lock() throws(TagError) {
    guard let facts else { throw .unsupported("the chip's lock bytes are not known") }
    if pages[2] == nil || pages[3] == nil { try read(2) }
    guard let header = pages[2], let container = pages[3], container[0] == 0xE1 else {
      throw .unsupported("the tag has no NDEF format")
    }
    var wanted: [MemoryWrite] = []
    let closed = Array(container[0..<3]) + [container[3] | 0x0F]
    wanted.append(MemoryWrite(3, closed))
    if let lock = facts.dynamicLock {
      if pages[lock.page] == nil { try read(lock.page) }
      let old = pages[lock.page] ?? [0, 0, 0, 0]
      let bits = [
        old[0] | lock.lockBits[0], old[1] | lock.lockBits[1], old[2], old[3],
      ]
      wanted.append(MemoryWrite(lock.page, bits))
    }
    // Last: its block-locking bits could keep the others from being set.
    wanted.append(MemoryWrite(2, Array(header[0..<2]) + [0xFF, 0xFF]))
    try perform(wanted.filter { pages[$0.address] != $0.bytes })
    try confirm(wanted)
  }

  /// Reads every lock area back: one READ for page 2 and 3, one for the dynamic lock bytes.
  private func confirm(_ wanted: [MemoryWrite]) throws(TagError) {
    for write in wanted { pages[write.address] = nil }
    try read(2)
    for write in wanted {
      if pages[write.address] == nil { try read(write.address) }
      guard pages[write.address] == write.bytes else {
        throw .lockUnconfirmed(
          "page \(write.address) reads \((pages[write.address] ?? []).hex), not \(write.bytes.hex)")
      }
    }
  }
}
