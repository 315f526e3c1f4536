import Bytes
import Diagnostics
import TagFiles
import Testing

struct FlipperTests {
  /// The tag that the three samples describe.
  private var expected: TagImage {
    var image = TagImage(
      chip: .ntag213, uid: [0x04, 0xA1, 0xB2, 0xC3, 0xD4, 0xE5, 0x80],
      pages: [UInt8](hex: "04A1B29F C3D4E580 72480000 E1101200 0103A00C 340300FE") ?? [])
    let configuration = [UInt8](hex: "000000BD 040000FF 00050000 FFFFFFFF 00000000") ?? []
    image.pages.replaceSubrange(160..<180, with: configuration)
    image.signature = Array(0..<32)
    image.counters = [0, 0, 0xFFFFFF]
    image.tearing = [0, 0, 0xBD]
    image.failedAuthentications = 3
    return image
  }

  private func text(_ name: String) -> String { String(decoding: fixture(name), as: UTF8.self) }

  private func read(_ text: String) throws(TagFileError) -> TagImage {
    try TagFiles.image(in: Array(text.utf8), of: "tag.nfc")
  }

  /// Version 4's sample with some text replaced.
  private func sample(_ old: String, _ new: String) throws -> String {
    let whole = text("version4.nfc")
    try #require(whole.contains(old))
    return whole.replacing(old, with: new)
  }

  @Test(arguments: ["version4.nfc", "version3.nfc", "version2-crlf.nfc"])
  func `every version says the same`(name: String) throws {
    #expect(try TagFiles.read(path(name)) == expected)
  }

  @Test func `an image is written as version 4 with one order of lines`() {
    let lines = text("version4.nfc").split(separator: "\n").filter { !$0.hasPrefix("#") }
    #expect(
      String(decoding: TagFiles.flipperText(of: expected), as: UTF8.self)
        == lines.map { "\($0)\n" }.joined())
    #expect(TagFiles.flipperText(of: expected) == TagFiles.flipperText(of: expected))
  }

  @Test(arguments: ImageChip.allCases.filter(\.isType2))
  func `each chip comes back from a file`(chip: ImageChip) throws {
    let pages = (0..<chip.pageCount * 4).map { UInt8(truncatingIfNeeded: $0 &* 7) }
    var image = TagImage(chip: chip, uid: [4, 1, 2, 3, 4, 5, 6], pages: pages)
    image.counters = [1, 2, 3]
    #expect(try TagFiles.image(in: TagFiles.flipperText(of: image), of: "a.nfc") == image)
  }

  @Test(arguments: ImageVector.type2)
  func `a known tag comes back from both formats`(vector: ImageVector) throws {
    let chip = try #require(vector.imageChip)
    let image = TagImage(chip: chip, uid: [UInt8](hex: vector.uid) ?? [], pages: vector.bytes)
    #expect(image.pages.starts(with: vector.bytes))
    #expect(try TagFiles.image(in: TagFiles.flipperText(of: image), of: "a.nfc") == image)
    #expect(try TagFiles.rawImage(in: TagFiles.rawBytes(of: image), of: "a.mfd") == image)
  }

  @Test(arguments: [
    ("NTAG213", ImageChip.ntag213), ("NTAG I2C Plus 2K", .ntagI2CPlus2K),
    ("Mifare Ultralight", .ultralight), ("Mifare Ultralight C", .ultralightC),
    ("Mifare Ultralight 11", .ultralightEV1Small), ("Mifare Ultralight 21", .ultralightEV1Large),
    ("NTAG203", .ntag203),
  ])
  func `a chip has Flipper's name both ways`(type: String, chip: ImageChip) {
    #expect(ImageChip(flipperType: type, version: []) == chip)
    #expect(chip.flipperType == type)
  }

  @Test func `a UID that differs from pages 0 and 1 is the one that answers`() throws {
    let image = try read(sample("UID: 04 A1 B2 C3", "UID: 04 B8 31 3A"))
    #expect(image.uid == [0x04, 0xB8, 0x31, 0x3A, 0xD4, 0xE5, 0x80])
    #expect(image.page(0) == [0x04, 0xA1, 0xB2, 0x9F])
  }

  @Test(arguments: [
    ("Pages total: 45", "Pages total: 3072"),
    ("Pages total: 45\n", ""),
    ("Pages read: 45", "Pages read: 4"),
    ("Data format version: 2\n", ""),
    ("SAK: 00", "Some new key: 12\nno key at all\n\nSAK: 00"),
    ("Version: 4\n", "Version: 4\nVersion: 9\n"),
    ("Page 30: 00 00 00 00\n", ""),
    ("UID: 04 A1 B2 C3 D4 E5 80", "UID:  04A1B2C3D4E580  "),
    ("Filetype", "\u{FEFF}Filetype"),
  ])
  func `untidy files are read all the same`(old: String, new: String) throws {
    #expect(try read(sample(old, new)) == expected)
  }

  @Test func `what an old file leaves out is as the chip has it`() throws {
    let image = try read(
      """
      Filetype: Flipper NFC device
      Version: 2
      Device type: Mifare Ultralight
      UID: 04 A1 B2 C3 D4 E5 80
      Page 0: 04 A1 B2 9F
      """)
    #expect(
      image
        == TagImage(
          chip: .ultralight, uid: [0x04, 0xA1, 0xB2, 0xC3, 0xD4, 0xE5, 0x80],
          pages: [0x04, 0xA1, 0xB2, 0x9F]))
    #expect(image.pages.count == 64)
  }

  @Test(arguments: [
    (
      "Filetype: Flipper NFC device", "Filetype: Flipper NFC test",
      "tag.nfc:1:11: the file type is not \"Flipper NFC device\""
    ),
    (
      "Filetype: Flipper NFC device\n", "",
      "tag.nfc: this is no Flipper file: the line \"Filetype: Flipper NFC device\" is missing"
    ),
    ("Version: 4", "Version: 1", "tag.nfc:2:10: only versions 2, 3 and 4 can be read"),
    ("Version: 4", "Version: ", "tag.nfc:2:9: only versions 2, 3 and 4 can be read"),
    ("Version: 4\n", "", "tag.nfc: the line \"Version:\" is missing"),
    (
      "Device type: NTAG/Ultralight", "Device type: Mifare Classic",
      "tag.nfc:4:14: tags of this type cannot be read"
    ),
    (
      "NTAG/Ultralight type: NTAG213\n", "",
      "tag.nfc: the line \"NTAG/Ultralight type:\" is missing"
    ),
    (
      "type: NTAG213", "type: NTAG999",
      "tag.nfc:9:23: tags of this type cannot be read"
    ),
    ("UID: 04", "UID: 4", "tag.nfc:5:6: a UID is 4, 7 or 10 bytes in hexadecimal"),
    ("UID: 04 A1", "UID: 04", "tag.nfc:5:6: a UID is 4, 7 or 10 bytes in hexadecimal"),
    ("SAK: 00", "SAK: é0", "tag.nfc:7:6: \"SAK\" is 1 byte in hexadecimal"),
    ("Page 4: 01", "Page 4: ?1", "tag.nfc:24:9: \"Page 4\" is 4 bytes in hexadecimal"),
    (
      "Counter 0: 0", "Counter 0: 16777216",
      "tag.nfc:12:12: \"Counter 0\" is a number from 0 to 16777215"
    ),
    (
      "Counter 0: 0", "Counter 0: 99999999999999999999",
      "tag.nfc:12:12: \"Counter 0\" is a number from 0 to 16777215"
    ),
    (
      "Failed", "Page 45: 00 00 00 00\nFailed",
      "tag.nfc:65:10: NTAG213 has only 45 pages, numbered from 0"
    ),
  ])
  func `what is wrong is told with its place`(old: String, new: String, sentence: String) throws {
    let text = try sample(old, new)
    let error = #expect(throws: TagFileError.self) { try read(text) }
    #expect(error?.description == sentence)
  }

  @Test func `a file without pages is refused`() throws {
    let head = text("version4.nfc").split(separator: "Pages total")[0]
    let error = #expect(throws: TagFileError.self) { try read(String(head)) }
    #expect(error?.description == "tag.nfc: the file has no pages")
  }

  @Test func `a file cut or changed at any byte is read or refused, never a crash`() {
    let whole = fixture("version4.nfc")
    for index in whole.indices {
      _ = try? TagFiles.image(in: Array(whole[..<index]), of: "tag.nfc")
      var changed = whole
      changed[index] ^= 0x55
      _ = try? TagFiles.image(in: changed, of: "tag.nfc")
    }
  }

  @Test func `a megabyte of lines is gone through in time that grows with the file`() {
    let colons = [UInt8](repeating: UInt8(ascii: ":"), count: 1 << 20)
    let lines = [UInt8](repeating: UInt8(ascii: "\n"), count: 1 << 20)
    for filler in [colons, lines] {
      let bytes = Array("Filetype: Flipper NFC device\n".utf8) + filler
      #expect(throws: TagFileError.self) { try TagFiles.image(in: bytes, of: "tag.nfc") }
    }
  }
}
