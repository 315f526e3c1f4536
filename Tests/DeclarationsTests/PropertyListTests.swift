import Diagnostics
import Foundation
import Platform
import Testing

@testable import Declarations

/// Property lists as such: what is read, what is refused, and that nothing hostile harms.
@Suite struct PropertyListTests {
  static func root(_ text: String) throws -> PropertyValue {
    try PropertyListFile(path: "Info.plist", bytes: Array(text.utf8)).root()
  }

  static func fault(_ bytes: [UInt8]) -> PropertyListFault? {
    do throws(PropertyListFault) {
      _ = try PropertyListFile(path: "Info.plist", bytes: bytes).root()
      return nil
    } catch {
      return error
    }
  }

  /// A binary list of these objects, the first of them the root; references are one byte.
  static func binary(_ objects: [[UInt8]]) -> [UInt8] {
    var bytes = Array("bplist00".utf8)
    var offsets: [UInt8] = []
    for object in objects {
      offsets += [UInt8(bytes.count >> 8), UInt8(bytes.count & 255)]
      bytes += object
    }
    let table = bytes.count
    bytes += offsets + [0, 0, 0, 0, 0, 0, 2, 1]
    for number in [objects.count, 0, table] {
      bytes += (0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * $0)) }
    }
    return bytes
  }

  @Test func `a value has the place of what is seen of it`() throws {
    let root = try Self.root("<plist>\n<array>\n\t<string>ab</string>\n\t<string/></array></plist>")
    guard case .array(let items) = root.content, items.count == 2 else {
      Issue.record("no list")
      return
    }
    #expect(items[0].place == Place(file: "Info.plist", line: 3, column: 10, length: 2))
    #expect(items[1].place == Place(file: "Info.plist", line: 4, column: 2, length: 9))
  }

  @Test(arguments: [
    ("&lt;&gt;&amp;&quot;&apos;", "<>&\"'"), ("&#65;&#x42;&#x5238;", "AB券"),
    ("<![CDATA[&a<b>]]>c", "&a<b>c"), ("a<!-- - -->b", "ab"), ("a\r\nb\rc", "a\nb\nc"), ("", ""),
  ]) func `a text is read as XML has it`(written: String, text: String) throws {
    let root = try Self.root("<plist><string>\(written)</string></plist>")
    guard case .text(let read) = root.content else {
      Issue.record("no text")
      return
    }
    #expect(read == text)
  }

  @Test(arguments: [
    "<plist><string>&nbsp;</string></plist>", "<plist><string>a & b</string></plist>",
    "<plist><string>&#0;</string></plist>", "<plist><string>&#xD800;</string></plist>",
    "<plist><string>&#99999999999;</string></plist>", "<plist><string>&#+5;</string></plist>",
    "<plist><set/></plist>", "<plist/>", "<plist></plist>",
    "<plist><dict><key>a</key></dict></plist>",
    "<plist><dict><string>a</string></dict></plist>", "<plist><array></dict></plist>",
    "<plist><array>text</array></plist>", "<plist><true/></plist>x",
    "<plist><true/><true/></plist>",
    "<dict/>", "<", "<plist", "<!--", "<!DOCTYPE plist", "<?xml",
    "<plist><string><b/></string></plist>",
    "<plist><key>a</key></plist>", "</plist>", "<plist></array></plist>", "\u{FEFF}", " \n",
  ]) func `what is no property list is refused`(text: String) {
    #expect(Self.fault(Array(text.utf8)) != nil)
  }

  @Test func `a tag may have attributes, and a byte order mark may stand in front`() throws {
    let text =
      "\u{FEFF}<?xml version='1.0'?><plist version=\"1.0>\"><string a='/'>x</string></plist>"
    guard case .text("x") = try Self.root(text).content else {
      Issue.record("not read")
      return
    }
  }

  @Test func `depth, size and number of values are bounded`() {
    let deep = String(repeating: "<array>", count: 65)
    #expect(Self.fault(Array(("<plist>" + deep).utf8))?.code == "too-deep")
    let many = String(repeating: "<true/>", count: 100_001)
    #expect(Self.fault(Array(("<plist><array>" + many).utf8))?.code == "too-many-nodes")
    let large = [UInt8](repeating: 0x20, count: PropertyListFile.largest + 1)
    #expect(Self.fault(large)?.code == "too-large")
  }

  @Test func `a binary list that holds itself ends`() {
    #expect(Self.fault(Self.binary([[0xA1, 0]]))?.code == "too-deep")
    #expect(Self.fault(Self.binary([[0xA2, 0, 0]]))?.code == "too-deep")
    #expect(Self.fault(Self.binary([[0xD1, 1, 0], [0x51, 0x61]]))?.code == "too-deep")
  }

  @Test func `shared objects cannot grow without bound`() {
    // Each list holds the next one ten times: 10 to the power of 40 values.
    let lists = (1...40).map { next in [0xAA] + [UInt8](repeating: UInt8(next), count: 10) }
    #expect(Self.fault(Self.binary(lists + [[0x09]]))?.code == "too-many-nodes")
    // A thousand times one text of 12,000 letters.
    let text: [UInt8] = [0x5F, 0x11, 0x2E, 0xE0] + [UInt8](repeating: 0x61, count: 12_000)
    let list: [UInt8] = [0xAF, 0x11, 0x03, 0xE8] + [UInt8](repeating: 1, count: 1000)
    #expect(Self.fault(Self.binary([list, text]))?.code == "too-large")
  }

  @Test(
    arguments: [
      [0xA1, 9], [0xA5, 0], [0xD1, 0], [0xD1, 1, 1], [0x70], [0xB0], [0xF0], [0x5F], [0x5F, 0x51],
      [0x5F, 0x13, 255, 255, 255, 255, 255, 255, 255, 255], [0x5F, 0x14], [0x6F, 0x10, 200],
      [0xAF, 0x12, 0x7F, 255, 255, 255], [0xDF, 0x13, 0x3F, 255, 255, 255, 255, 255, 255, 255],
      [0x53, 0x61],
    ] as [[UInt8]]) func `a damaged object is told`(object: [UInt8])
  {
    #expect(Self.fault(Self.binary([object, [0x09]])) != nil)
  }

  @Test func `half a pair of UTF-16 is no harm`() throws {
    let root = try PropertyListFile(path: "", bytes: Self.binary([[0x61, 0xD8, 0x00]])).root()
    guard case .text("\u{FFFD}") = root.content else {
      Issue.record("not read")
      return
    }
  }

  // MARK: Truncation and mutations

  @Test(arguments: ["good", "good-binary", "xcode", "bad-entries-binary", "utf-16"])
  func `a list cut short anywhere is told`(name: String) throws {
    let bytes = try #require(PropertyListCaseTests.file(name, "Info.plist")?.bytes)
    // What follows the last tag may be missing: a line end.
    let isUTF16 = bytes.starts(with: [0xFF, 0xFE])
    let least = name.hasSuffix("binary") ? bytes.count : bytes.count - (isUTF16 ? 4 : 1)
    for count in 0..<least {
      let fault = Self.fault(Array(bytes.prefix(count)))
      #expect(fault != nil, "\(count) bytes of \(bytes.count)")
    }
    #expect(Self.fault(bytes) == nil)
  }

  @Test func `ten thousand mutations do no harm`() throws {
    var generator = SeededGenerator(seed: 4)
    let names = [
      "good", "good-binary", "xcode", "bad-entries", "bad-entries-binary", "keys-binary",
    ]
    let seeds = names.compactMap { PropertyListCaseTests.file($0, "Info.plist")?.bytes }
    #expect(seeds.count == names.count)
    var read = 0
    for round in 0..<10_000 {
      var bytes = seeds[round % seeds.count]
      for _ in 0..<Int.random(in: 1...4, using: &generator) {
        let index = Int.random(in: 0..<bytes.count, using: &generator)
        switch Int.random(in: 0..<5, using: &generator) {
        case 0: bytes[index] = UInt8.random(in: 0...255, using: &generator)
        case 1: bytes[index] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
        case 2: bytes.insert(UInt8.random(in: 0...255, using: &generator), at: index)
        case 3: bytes.remove(at: index)
        default:
          let end = min(bytes.count, index + 16)
          bytes.insert(
            contentsOf: bytes[index..<end], at: Int.random(in: 0..<bytes.count, using: &generator))
        }
      }
      var findings = Findings()
      let file = PropertyListFile(path: "Info.plist", bytes: bytes)
      let declarations = Declarations.read(
        infoPlist: file, entitlements: nil, findings: &findings)
      if let declarations {
        read += 1
        #expect(declarations.selectIdentifiers.allSatisfy { (5...16).contains($0.count) })
        #expect(declarations.systemCodes.allSatisfy { $0.count == 2 && !$0.contains(0xFF) })
        #expect(!declarations.selectIdentifiers.contains(where: Declarations.isPayment))
      } else {
        #expect(findings.hasErrors)
      }
      var renderer = Renderer { _ in bytes }
      let text = renderer.render(findings)
      #expect(!text.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" && $0 != "\t" })
    }
    #expect(read > 500)
  }
}
