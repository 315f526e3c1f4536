import Bytes
import Testing

@testable import TagFiles

/// Cards with ISO/IEC 14443-4 and FeliCa in Flipper files.
struct FlipperCardTests {
  private static let container = "000F20003B00340406E104000A0000"

  private static var desfire: TagImage {
    var image = TagImage(chip: .desfireEV1, uid: [4, 1, 2, 3, 4, 5, 6], pages: [])
    image.atqa = 0x0344
    image.sak = 0x20
    image.version = (0..<28).map { UInt8($0) }
    image.card = CardImage(
      interface: .typeA(ats: [0x06, 0x75, 0x77, 0x81, 0x02, 0x80]),
      applications: [
        CardImage.Application(
          name: CardImage.ndefName, number: [1, 0, 0],
          files: [
            CardImage.File(id: 0xE103, number: 1, bytes: [UInt8](hex: container) ?? []),
            CardImage.File(
              id: 0xE104, number: 2, bytes: [0x00, 0x03, 0xD0, 0, 0, 0, 0, 0, 0, 0]),
          ]),
        CardImage.Application(name: [], number: [0x0A, 0xBC, 0xDE]),
      ])
    return image
  }

  private static func card(_ chip: ImageChip, _ interface: CardImage.Interface) -> TagImage {
    var image = TagImage(
      chip: chip, uid: chip == .type4B ? [1, 2, 3, 4] : [4, 1, 2, 3, 4, 5, 6], pages: [])
    if chip == .type4B {
      image.atqa = 0
    } else {
      image.sak = 0x20
    }
    image.card = CardImage(
      interface: interface,
      applications: [
        CardImage.Application(
          name: CardImage.ndefName,
          files: [CardImage.File(id: 0xE103, number: 1, bytes: [UInt8](hex: container) ?? [])])
      ])
    return image
  }

  private static var liteS: TagImage {
    var image = TagImage(chip: .feliCaLiteS, uid: [1, 0x2E, 3, 4, 5, 6, 7, 8], pages: [])
    image.atqa = 0
    image.feliCa = FeliCaImage(
      pmm: [0x00, 0xF1, 0x00, 0x00, 0x00, 0x01, 0x43, 0x00],
      memory: .lite(blocks: (0..<28).map { [UInt8](repeating: UInt8($0), count: 16) }))
    return image
  }

  private static var standard: TagImage {
    var image = liteS
    image.chip = .feliCaStandard
    image.feliCa = FeliCaImage(
      pmm: [0x01, 0x20, 0x22, 0x04, 0x27, 0x67, 0x4E, 0xFF],
      memory: .systems([
        FeliCaImage.System(
          code: 0x0003,
          services: [
            FeliCaImage.Service(
              code: 0x090F, blocks: (1...3).map { [UInt8](repeating: $0, count: 16) })
          ]),
        FeliCaImage.System(code: 0xFE00),
      ]))
    return image
  }

  private static var all: [TagImage] {
    var plus = card(.plus, .typeA(ats: [0x04, 0x30, 0x80, 0x02]))
    plus.card?.applications = []
    var empty = desfire
    empty.card?.applications = []
    let several = card(.iso7816, .typeA(ats: [0x05, 0x70, 0x80, 0x70, 0x02]))
    return [
      desfire, empty, plus, several, liteS, standard,
      card(.type4A, .typeA(ats: [0x02, 0x05])), card(.type4A, .typeA(ats: [0x01])),
      card(
        .type4B, .typeB(applicationData: [0, 1, 2, 3], protocolInfo: [0x00, 0x81, 0x81])),
    ]
  }

  private func text(_ image: TagImage) -> String {
    String(decoding: TagFiles.flipperText(of: image), as: UTF8.self)
  }

  private func read(_ text: String) throws(TagFileError) -> TagImage {
    try TagFiles.image(in: Array(text.utf8), of: "tag.nfc")
  }

  @Test(arguments: all)
  func `each card comes back from a file, and the file from the card`(image: TagImage) throws {
    let back = try read(text(image))
    #expect(back == image)
    #expect(text(back) == text(image))
  }

  @Test(arguments: [
    (desfire, ["Device type: Mifare DESFire", "ATQA: 03 44", "T0: 75", "T1...Tk: 80"]),
    (
      desfire,
      [
        "PICC Max Keys: 01", "Application Count: 2", "Application IDs: 01 00 00 0A BC DE",
        "Application 010000 File IDs: 01 02", "Application 010000 File 2 Size: 10",
        "Application 010000 File 2: 00 03 D0 00 00 00 00 00 00 00",
      ]
    ),
    (
      liteS,
      [
        "Device type: FeliCa", "UID: 01 2E 03 04 05 06 07 08", "Data format version: 1",
        "Manufacture id: 01 2E 03 04 05 06 07 08",
        "Manufacture parameter: 00 F1 00 00 00 01 43 00", "Blocks total: 28",
        "Block 1: 00 00 01 01 01 01 01 01 01 01 01 01 01 01 01 01 01 01",
      ]
    ),
    (
      standard,
      [
        "Data format version: 2", "System 00: 0003 | Key version 0000 |",
        "Service 000: | Code 090F | Attrib. 0F |",
        "Block 0001: | Service code 090F | Block index 01 | Data: "
          + "02 02 02 02 02 02 02 02 02 02 02 02 02 02 02 02 |",
      ]
    ),
    (
      card(.type4B, .typeB(applicationData: [0, 1, 2, 3], protocolInfo: [0x00, 0x81, 0x81])),
      ["Device type: ISO14443-4B", "Application data: 00 01 02 03", "Protocol info: 00 81 81"]
    ),
  ])
  func `lines are Flipper's`(image: TagImage, lines: [String]) {
    let written = text(image).split(separator: "\n").map(String.init)
    for line in lines { #expect(written.contains(line), "\(line)") }
  }

  @Test func `a DESFire of another program is known by its capability container`() throws {
    let foreign = text(Self.desfire).split(separator: "\n").filter {
      !$0.contains(" ISO ")
    }.joined(separator: "\n")
    #expect(try read(foreign).card?.applications[0] == Self.desfire.card?.applications[0])
  }

  @Test(arguments: ["ATS: 06 75 77 81 02 80", "ATS: 75 77 81 02 80"])
  func `the documentation's line ATS is read`(line: String) throws {
    let image = try read(
      """
      Filetype: Flipper NFC device
      Version: 4
      Device type: ISO14443-4A
      UID: 04 01 02 03 04 05 06
      ATQA: 03 44
      SAK: 20
      \(line)
      """)
    #expect(image.chip == .iso7816)
    #expect(
      image.card == CardImage(interface: .typeA(ats: [0x06, 0x75, 0x77, 0x81, 0x02, 0x80])))
  }

  @Test(arguments: [
    (desfire, "UID: 04", "UID: 0", "tag.nfc:4:6: a UID is 4, 7 or 10 bytes in hexadecimal"),
    (liteS, "UID: 01 ", "UID: ", "tag.nfc:4:6: a UID is 8 bytes in hexadecimal"),
    (desfire, "PICC Version: ", "PICC Old: ", "tag.nfc: the line \"PICC Version:\" is missing"),
    (
      desfire, "IDs: 01 00 00", "IDs: 01 00",
      "tag.nfc:22:18: \"Application IDs\" has three bytes each"
    ),
    (desfire, "TB(1): 81", "TB(2): 81", "tag.nfc: the line \"TB(1):\" is missing"),
    (
      liteS, "00 F1", "00 E0",
      "tag.nfc:7:24: only FeliCa Lite-S and FeliCa Standard cards can be read"
    ),
    (
      standard, "System 00: 0003", "System 00: none",
      "tag.nfc:9:12: a system begins with its code, four digits"
    ),
  ])
  func `what is wrong is told with its place`(
    image: TagImage, old: String, new: String, sentence: String
  ) throws {
    let whole = text(image)
    try #require(whole.contains(old))
    let error = #expect(throws: TagFileError.self) { try read(whole.replacing(old, with: new)) }
    #expect(error?.description == sentence)
  }

  @Test(arguments: all)
  func `a file cut or changed is read or refused, never a crash`(image: TagImage) {
    let whole = TagFiles.flipperText(of: image)
    for index in stride(from: 0, to: whole.count, by: 5) {
      _ = try? TagFiles.image(in: Array(whole[..<index]), of: "tag.nfc")
      var changed = whole
      changed[index] ^= UInt8(1 + index % 7)
      _ = try? TagFiles.image(in: changed, of: "tag.nfc")
    }
  }
}
