/// What a FeliCa holds beside its IDm.
package struct FeliCaContent: Sendable, Equatable {
  /// Memory by families.
  package enum Memory: Sendable, Equatable {
    /// The 28 blocks of a FeliCa Lite or Lite-S in Flipper's order: S_PAD0 to 13, REG, RC, MAC, ID, D_ID,
    /// SER_C, SYS_C, CKV, CK, MC, WCNT, MAC_A, STATE, CRC_CHECK.
    case lite(blocks: [[UInt8]])
    /// Systems in their order on the card, each with an IDm of its own.
    case systems([FeliCaSystem])
  }

  /// Manufacture parameter.
  package var pmm: [UInt8]
  package var memory: Memory

  /// A content of these parts.
  package init(pmm: [UInt8], memory: Memory) {
    self.pmm = pmm
    self.memory = memory
  }
}

/// A logical card of a FeliCa Standard.
package struct FeliCaSystem: Sendable, Equatable {
  package var code: UInt16
  package var services: [FeliCaService]

  /// A system of these parts.
  package init(code: UInt16, services: [FeliCaService] = []) {
    self.code = code
    self.services = services
  }
}

/// A service of a system with the blocks that it gives access to.
package struct FeliCaService: Sendable, Equatable {
  /// Number and, in the low six bits, attributes.
  package var code: UInt16
  package var keyVersion: UInt16
  /// Of 16 bytes each.
  package var blocks: [[UInt8]]

  /// A service of these parts.
  package init(code: UInt16, keyVersion: UInt16 = 0, blocks: [[UInt8]]) {
    self.code = code
    self.keyVersion = keyVersion
    self.blocks = blocks
  }
}
