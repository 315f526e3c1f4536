/// What a FeliCa holds beside its IDm.
package struct FeliCaImage: Sendable, Hashable {
  /// Memory by families.
  package enum Memory: Sendable, Hashable {
    /// The 28 blocks of a FeliCa Lite or Lite-S in Flipper's order.
    case lite(blocks: [[UInt8]])
    case systems([System])
  }

  /// A logical card.
  package struct System: Sendable, Hashable {
    package var code: UInt16
    package var services: [Service]

    /// A system of these parts.
    package init(code: UInt16, services: [Service] = []) {
      self.code = code
      self.services = services
    }
  }

  /// A service with the blocks that it gives access to, 16 bytes each.
  package struct Service: Sendable, Hashable {
    package var code: UInt16
    package var blocks: [[UInt8]]

    /// A service of these parts.
    package init(code: UInt16, blocks: [[UInt8]]) {
      self.code = code
      self.blocks = blocks
    }
  }

  /// How many blocks a Lite-S has.
  static let liteBlocks = 28

  /// Manufacture parameter.
  package var pmm: [UInt8]
  package var memory: Memory

  /// A content of these parts.
  package init(pmm: [UInt8], memory: Memory) {
    self.pmm = pmm
    self.memory = memory
  }
}
