/// Static lock bytes: bytes 2 and 3 of page 2, one bit for each of pages 3 to 15.
///
/// Bits 0 to 2 of the first byte freeze the lock bits of page 3, of pages 4 to 9 and of 10 to 15.
enum StaticLocks {
  static let page = 2

  static func isLocked(_ page: Int, _ bytes: [UInt8]) -> Bool {
    switch page {
    case 3...7: bytes[2] & 1 << UInt8(page) != 0
    case 8...15: bytes[3] & 1 << UInt8(page - 8) != 0
    default: false
    }
  }

  /// The page after `written` went to it: bits only ever rise, frozen ones stay.
  static func merge(_ old: [UInt8], _ written: [UInt8]) -> [UInt8] {
    var frozen: (UInt8, UInt8) = (0, 0)
    if old[2] & 0x01 != 0 { frozen.0 |= 0x08 }
    if old[2] & 0x02 != 0 { frozen = (frozen.0 | 0xF0, frozen.1 | 0x03) }
    if old[2] & 0x04 != 0 { frozen.1 |= 0xFC }
    return [old[0], old[1], old[2] | written[2] & ~frozen.0, old[3] | written[3] & ~frozen.1]
  }
}

/// Dynamic lock bytes: two bytes of lock bits and one that freezes them, for the pages from 16 on.
struct DynamicLocks: Sendable {
  /// The page they lie in, the first one that they do not cover.
  let page: Int
  /// How many pages one lock bit covers.
  let lockSpan: Int
  /// How many pages one block-locking bit covers.
  let blockSpan: Int

  private var lockCount: Int { (page - 16 + lockSpan - 1) / lockSpan }
  private var blockCount: Int { (page - 16 + blockSpan - 1) / blockSpan }

  func isLocked(_ number: Int, _ bytes: [UInt8]) -> Bool {
    guard number >= 16, number < page else { return false }
    return locks(bytes) & 1 << UInt16((number - 16) / lockSpan) != 0
  }

  /// The page after `written` went to it: bits only ever rise, frozen and reserved ones stay.
  func merge(_ old: [UInt8], _ written: [UInt8]) -> [UInt8] {
    let each = blockSpan / lockSpan
    var allowed = UInt16(truncatingIfNeeded: (1 << lockCount) - 1)
    for block in 0..<blockCount where old[2] & 1 << UInt8(block) != 0 {
      let bits = UInt16(truncatingIfNeeded: ((1 << each) - 1) << (block * each))
      allowed &= ~bits
    }
    let locked = locks(old) | locks(written) & allowed
    let blocks = old[2] | written[2] & UInt8(truncatingIfNeeded: (1 << blockCount) - 1)
    return [
      UInt8(truncatingIfNeeded: locked), UInt8(truncatingIfNeeded: locked >> 8), blocks, old[3],
    ]
  }

  private func locks(_ bytes: [UInt8]) -> UInt16 { UInt16(bytes[0]) | UInt16(bytes[1]) << 8 }
}
