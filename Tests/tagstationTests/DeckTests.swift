import Foundation
import TagFiles
import Testing
import VirtualReader

@testable import tagstation

struct DeckTests {
  private let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  private var path: String { folder.url.path() }

  @Test func `UIDs are the same in every run and differ between tags, readers and stations`() {
    var uids: Set<[UInt8]> = []
    for station in ["a", "b"] {
      for reader in ["left", "right"] {
        for position in 1...500 {
          let uid = DerivedUID.uid(station: station, reader: reader, position: position)
          #expect(uid == DerivedUID.uid(station: station, reader: reader, position: position))
          #expect(uid.count == 7)
          uids.insert(uid)
        }
      }
    }
    #expect(uids.count == 2000)
    // NXP's manufacturer code, and no cascade tag where a level begins (ISO/IEC 14443-3).
    #expect(uids.allSatisfy { $0[0] == 0x04 && $0[3] != 0x88 })
  }

  @Test func `random UIDs have four bytes and begin with 08`() {
    var generator = SystemRandomNumberGenerator()
    let uids = Set((0..<50).map { _ in DerivedUID.random(using: &generator) })
    #expect(uids.count > 40)
    #expect(uids.allSatisfy { $0.count == 4 && $0[0] == 0x08 })
  }

  @Test(
    arguments: [
      ("NTAG215", 1), ("100 x NTAG213", 100), ("2 x ntag216", 2), ("1 x UltralightEV1-48", 1),
    ])
  func `a deck is written as a chip with or without a number`(_ text: String, _ count: Int) throws {
    let tags = try DeckTag.all(of: text, chips: VirtualChips.names)
    #expect(tags.count == count)
    #expect(Set(tags.map { "\($0.content)".lowercased() }).count == 1)
  }

  @Test(arguments: ["NTAG999", "0 x NTAG213", "x NTAG213", "no/such/file.nfc", ""])
  func `what is neither chip nor file is refused`(_ text: String) {
    #expect(throws: DeckFault.self) { try DeckTag.all(of: text, chips: VirtualChips.names) }
  }

  @Test func `a folder stands for its tag files in the order of their names`() throws {
    for name in ["b.nfc", "a.nfc", "notes.txt", ".hidden.nfc"] { try folder.write(name, "") }
    let tags = try DeckTag.all(of: path, chips: VirtualChips.names)
    #expect(
      tags.map(\.content)
        == ["a.nfc", "b.nfc"].map { .file((path as NSString).appendingPathComponent($0)) })
  }

  @Test func `a kept tag is a Flipper file of version 4 that is read again`() throws {
    let maker = TagMaker(station: "s", reader: "left", keep: path)
    let tag = DeckTag(content: .chip("NTAG215"))
    var image = try maker.image(tag, position: 3)
    image.pages.replaceSubrange(16..<20, with: [0x03, 0x00, 0xFE, 0x00])
    try maker.save(image, position: 3)
    let file = folder.url.appending(path: "left-3.nfc")
    let text = try String(contentsOf: file, encoding: .utf8)
    #expect(text.hasPrefix("Filetype: Flipper NFC device\nVersion: 4\n"))
    #expect(text.contains("\nPage 4: 03 00 FE 00\n"))
    #expect(try maker.image(tag, position: 3) == image)
    try maker.save(image, position: 3)
    #expect(try String(contentsOf: file, encoding: .utf8) == text)
  }

  @Test(arguments: VirtualChips.names)
  func `every virtual chip can be kept`(_ name: String) throws {
    let maker = TagMaker(station: "s", reader: "left", keep: path)
    let tag = DeckTag(content: .chip(name))
    let image = try maker.image(tag, position: 1)
    try maker.save(image, position: 1)
    #expect(FileManager.default.fileExists(atPath: folder.url.appending(path: "left-1.nfc").path()))
    #expect(try maker.image(tag, position: 1) == image)
  }

  @Test func `a kept tag of another chip than the deck's is refused`() throws {
    let maker = TagMaker(station: "s", reader: "left", keep: path)
    let image = try maker.image(DeckTag(content: .chip("NTAG213")), position: 1)
    try maker.save(image, position: 1)
    #expect(throws: DeckFault.self) {
      try maker.image(DeckTag(content: .chip("NTAG215")), position: 1)
    }
  }

  /// BCC of both cascade levels: ISO/IEC 14443-3, and the NTAG213 data sheet, section 8.5.1.
  @Test func `a file's tag gets another UID with its check bytes`() throws {
    let maker = TagMaker(station: "s", reader: "left", keep: nil)
    let file = try TagFiles.read(ExampleFiles.path("examples/finished-tags/card-1.nfc"))
    let uid: [UInt8] = [0x04, 0x11, 0x22, 0x33, 0x44, 0x55, 0x66]
    let tag = DeckTag(
      content: .file(ExampleFiles.path("examples/finished-tags/card-1.nfc")), uid: .fixed(uid))
    let image = try maker.image(tag, position: 1)
    #expect(image.uid == uid)
    // 88 ^ 04 ^ 11 ^ 22 and 33 ^ 44 ^ 55 ^ 66.
    let first: [UInt8] = [0x04, 0x11, 0x22, 0xBF, 0x33, 0x44, 0x55, 0x66, 0x44]
    #expect(Array(image.pages[0..<9]) == first)
    #expect(image.pages[9...] == file.pages[9...])
  }
}
