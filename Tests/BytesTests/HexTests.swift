import Bytes
import Testing

struct HexTests {
  @Test func `every byte is two upper-case digits, and comes back`() {
    let all = Array(UInt8.min...UInt8.max)
    #expect(all.hex.count == 512)
    #expect(all.hex.hasPrefix("000102030405060708090A0B0C0D0E0F10"))
    #expect(all.hex.hasSuffix("FEFF"))
    #expect([UInt8](hex: all.hex) == all)
    #expect([UInt8](hex: all.hex.lowercased()) == all)
    #expect([UInt8]().hex == "")
  }

  @Test(
    arguments: [
      ("04:A1:b2", [0x04, 0xA1, 0xB2]), ("04-a1-B2", [0x04, 0xA1, 0xB2]),
      ("04 A1 B2", [0x04, 0xA1, 0xB2]), ("04A1 B2", [0x04, 0xA1, 0xB2]),
      ("0003", [0x00, 0x03]), ("12E4", [0x12, 0xE4]), ("660000e0", [0x66, 0, 0, 0xE0]),
      ("", []), (" 04 ", [0x04]), ("04: A1", [0x04, 0xA1]),
    ] as [(String, [UInt8])])
  func `bytes are read with or without separators`(text: String, bytes: [UInt8]) {
    #expect([UInt8](hex: text) == bytes)
  }

  @Test(arguments: [
    "0", "04A", "0:4", "0 4", "4 A1", "04 A", "0x04", "04,A1", "G0", "0G", "04\n", "04\tA1", "０４",
    "é",
    "04:A", "/0", ":@", "0`",
  ])
  func `what is no whole bytes is refused`(text: String) {
    #expect([UInt8](hex: text) == nil)
  }

  @Test func `a part of a text is read too`() {
    #expect([UInt8](hex: "UID 04A1".dropFirst(4)) == [0x04, 0xA1])
  }
}
