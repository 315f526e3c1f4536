/// FeliCa cards that can be made, and what they are like when they are new.
enum FeliCaModel: String, CaseIterable, Sendable {
  case liteS = "FeliCaLiteS"
  case standard = "FeliCaStandard"

  /// The image of a new card; `nil` for a UID that is no IDm.
  ///
  /// Of seven bytes an IDm is made with manufacturer code 01 before them.
  func newImage(uid: [UInt8]) -> ChipImage? {
    let idm = uid.count == 7 ? [0x01] + uid : uid
    // NFC-DEP devices have IDms with 01 FE.
    guard idm.count == 8, idm[..<2] != [0x01, 0xFE] else { return nil }
    let content: FeliCaContent
    switch self {
    case .liteS:
      let pmm: [UInt8] = [0x00, 0xF1, 0x00, 0x00, 0x00, 0x01, 0x43, 0x00]
      content = FeliCaContent(
        pmm: pmm, memory: .lite(blocks: LiteMemory.newBlocks(idm: idm, pmm: pmm)))
    case .standard:
      guard idm[0] < 0x10 else { return nil }
      content = FeliCaContent(
        pmm: [0x01, 0x20, 0x22, 0x04, 0x27, 0x67, 0x4E, 0xFF],
        memory: .systems([
          FeliCaSystem(code: 0x0003, services: [Self.service(0x090F, blocks: 20)]),
          FeliCaSystem(code: 0xFE00, services: [Self.service(0x1A8B, blocks: 4)]),
        ]))
    }
    return ChipImage(chip: rawValue, uid: idm, feliCa: content)
  }

  private static func service(_ code: UInt16, blocks: Int) -> FeliCaService {
    FeliCaService(
      code: code,
      blocks: [[UInt8]](repeating: [UInt8](repeating: 0, count: 16), count: blocks))
  }
}
