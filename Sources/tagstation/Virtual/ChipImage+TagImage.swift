internal import TagFiles
internal import VirtualReader

extension ChipImage {
  /// The chip that a tag file describes; `nil` if no virtual chip is of its kind.
  init?(_ file: TagImage) {
    guard
      var image = VirtualChips.make(
        name: file.chip.rawValue, uid: Self.uid(of: file.chip)),
      file.pages.count == image.pages.count
    else { return nil }
    image.uid = file.uid
    image.atqa = file.atqa
    image.sak = file.sak
    image.pages = file.pages
    if !image.version.isEmpty, file.version.contains(where: { $0 != 0 }) {
      image.version = file.version
    }
    if !image.signature.isEmpty { image.signature = file.signature }
    image.counters = zip(image.counters, file.counters).map { UInt32(clamping: $1) }
    image.tearing = zip(image.tearing, file.tearing).map { $1 }
    image.failedAuthentications = file.failedAuthentications
    if let card = file.card { image.card = CardContent(card) }
    if let feliCa = file.feliCa { image.feliCa = FeliCaContent(feliCa) }
    self = image
    guard VirtualChips.canMake(image) else { return nil }
  }

  /// Any UID of the length that the chip has.
  private static func uid(of chip: ImageChip) -> [UInt8] {
    switch chip {
    case .type4B: [0x01, 0, 0, 0]
    case .feliCaLiteS, .feliCaStandard: [0x01, 0x2E, 0, 0, 0, 0, 0, 0]
    default: [0x04, 0, 0, 0, 0, 0, 0]
    }
  }
}

extension TagImage {
  /// The file's content for a virtual chip; `nil` if no tag file can hold one of its kind.
  init?(_ image: ChipImage) {
    guard let chip = ImageChip(rawValue: image.chip) else { return nil }
    self.init(chip: chip, uid: image.uid, pages: image.pages)
    atqa = image.atqa
    sak = image.sak
    if !image.version.isEmpty { version = image.version }
    if !image.signature.isEmpty { signature = image.signature }
    for (index, count) in image.counters.prefix(3).enumerated() { counters[index] = Int(count) }
    for (index, flag) in image.tearing.prefix(3).enumerated() { tearing[index] = flag }
    failedAuthentications = image.failedAuthentications
    card = image.card.map(CardImage.init)
    feliCa = image.feliCa.map(FeliCaImage.init)
  }
}

// The simulator and the files each have their own types, so that the two cannot share one mistake.

extension CardContent {
  fileprivate init(_ file: CardImage) {
    let interface: Interface =
      switch file.interface {
      case .typeA(let ats): .typeA(ats: ats)
      case .typeB(let data, let info): .typeB(applicationData: data, protocolInfo: info)
      }
    self.init(
      interface: interface,
      applications: file.applications.map { one in
        CardApplication(
          name: one.name, number: one.number,
          files: one.files.map { CardFile(id: $0.id, number: $0.number, bytes: $0.bytes) })
      })
  }
}

extension CardImage {
  fileprivate init(_ card: CardContent) {
    let interface: Interface =
      switch card.interface {
      case .typeA(let ats): .typeA(ats: ats)
      case .typeB(let data, let info): .typeB(applicationData: data, protocolInfo: info)
      }
    self.init(
      interface: interface,
      applications: card.applications.map { one in
        Application(
          name: one.name, number: one.number,
          files: one.files.map { File(id: $0.id, number: $0.number, bytes: $0.bytes) })
      })
  }
}

extension FeliCaContent {
  fileprivate init(_ file: FeliCaImage) {
    switch file.memory {
    case .lite(let blocks): self.init(pmm: file.pmm, memory: .lite(blocks: blocks))
    case .systems(let systems):
      self.init(
        pmm: file.pmm,
        memory: .systems(
          systems.map { system in
            FeliCaSystem(
              code: system.code,
              services: system.services.map { FeliCaService(code: $0.code, blocks: $0.blocks) })
          }))
    }
  }
}

extension FeliCaImage {
  fileprivate init(_ card: FeliCaContent) {
    switch card.memory {
    case .lite(let blocks): self.init(pmm: card.pmm, memory: .lite(blocks: blocks))
    case .systems(let systems):
      self.init(
        pmm: card.pmm,
        memory: .systems(
          systems.map { system in
            System(
              code: system.code,
              services: system.services.map { Service(code: $0.code, blocks: $0.blocks) })
          }))
    }
  }
}
