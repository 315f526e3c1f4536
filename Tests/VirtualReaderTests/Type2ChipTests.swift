import Bytes
import Platform
import Testing

@testable import VirtualReader

/// What the data sheets NTAG213/215/216, MF0ULx1 and MF0ICU1 say of commands and memory.
struct Type2ChipTests {
  struct Factory: CustomTestStringConvertible {
    let name: String
    let pages: Int
    let version: String
    let content: [Int: String]
    var testDescription: String { name }
  }

  @Test(arguments: [
    Factory(
      name: "NTAG210", pages: 20, version: "0004040101000B03",
      content: [3: "E1100600", 4: "0300FE00", 16: "000000FF", 17: "00050000", 18: "00000000"]),
    Factory(
      name: "NTAG212", pages: 41, version: "0004040101000E03",
      content: [
        3: "E1101000", 4: "0103900A", 5: "340300FE", 36: "000000BD", 37: "000000FF", 38: "00050000",
      ]),
    Factory(
      name: "NTAG213", pages: 45, version: "0004040201000F03",
      content: [
        2: "50480000", 3: "E1101200", 4: "0103A00C", 5: "340300FE", 40: "000000BD", 41: "040000FF",
        42: "00050000", 43: "00000000", 44: "00000000",
      ]),
    Factory(
      name: "NTAG215", pages: 135, version: "0004040201001103",
      content: [3: "E1103E00", 4: "0300FE00", 5: "00000000", 130: "000000BD", 131: "040000FF"]),
    Factory(
      name: "NTAG216", pages: 231, version: "0004040201001303",
      content: [3: "E1106D00", 4: "0300FE00", 226: "000000BD", 227: "040000FF", 228: "00050000"]),
    Factory(
      name: "Ultralight", pages: 16, version: "NAK", content: [3: "00000000", 15: "00000000"]),
    Factory(
      name: "UltralightEV1-48", pages: 20, version: "0004030101000B03",
      content: [3: "00000000", 16: "000000FF", 17: "00050000", 18: "00000000"]),
    Factory(
      name: "UltralightEV1-128", pages: 41, version: "0004030101000E03",
      content: [3: "00000000", 36: "000000BD", 37: "000000FF", 38: "00050000"]),
  ])
  func `a chip comes from the factory as its data sheet says`(factory: Factory) throws {
    var bench = try Bench(factory.name)
    #expect(bench.chip.image.pages.count == factory.pages * 4)
    #expect(bench.page(0) == "04A1B29F")
    #expect(bench.page(1) == "C3D4E5F6")
    for (page, wanted) in factory.content where page != 2 { #expect(bench.page(page) == wanted) }
    #expect(bench.page(2).hasSuffix("480000"))
    #expect(bench.fresh("60") == (factory.version == "NAK" ? "silence" : factory.version))
    // The last page can be read, the one after it cannot.
    #expect(bench.fresh("30" + [UInt8(factory.pages - 1)].hex).utf8.count == 32)
    #expect(bench.fresh("30" + [UInt8(factory.pages)].hex) == "NAK 0")
    #expect(bench.fresh("30FF") == "NAK 0")
  }

  @Test(arguments: [
    ("NTAG213", 44), ("NTAG216", 230), ("Ultralight", 15), ("UltralightEV1-48", 19),
  ])
  func `READ rolls over to page 0`(name: String, last: Int) throws {
    var bench = try Bench(name)
    let answer = bench.send("30" + [UInt8(last)].hex)
    #expect(answer.dropFirst(8).hasPrefix("04A1B29FC3D4E5F6"))
  }

  @Test func `FAST_READ gives whole ranges only`() throws {
    var bench = try Bench("NTAG213")
    #expect(bench.send("3A0304") == "E11012000103A00C")
    #expect(bench.send("3A2C2C") == "00000000")
    #expect(bench.send("3A0403") == "NAK 0")
    #expect(bench.fresh("3A2C2D") == "NAK 0")
  }

  @Test func `a refusal sends the chip back to where it came from`() throws {
    var bench = try Bench("NTAG215")
    #expect(bench.send("A20001020304") == "NAK 0")
    #expect(bench.send("3004") == "silence")
    #expect(bench.select() == true)
    #expect(bench.send("5000") == "silence")
    #expect(bench.select() == false, "REQA does not wake a halted chip")
    let byUID = Listing.typeA(uid: Host.uid, isoDEP: nil, rats: true)
    #expect(bench.chip.hears(byUID))
    _ = bench.chip.activate(byUID)
    #expect(bench.send("30FF") == "NAK 0")
    #expect(bench.select() == false, "it came from HALT and went back there")
    bench.powerCycle()
    #expect(bench.send("3003").hasPrefix("E1103E00"))
  }

  @Test func `an unknown command is refused`() throws {
    var bench = try Bench("NTAG213")
    #expect(bench.send("AF") == "NAK 0")
    #expect(bench.fresh("6000") == "NAK 0", "GET_VERSION has no parameter")
    #expect(bench.fresh("3E02") == "NAK 0", "CHECK_TEARING_EVENT is of EV1")
    #expect(bench.fresh("A50001000000") == "NAK 0", "INCR_CNT is of EV1")
  }

  @Test func `a damaged frame is refused with its own code`() throws {
    var bench = try Bench("NTAG213")
    let answer = bench.chip.receive(AirFrame(bytes: [0x30, 0x04, 0x00, 0x00]))
    #expect(answer?.frame == .nibble(0x1))
  }

  @Test func `WRITE takes 4,1 ms and changes one page`() throws {
    var bench = try Bench("NTAG213")
    let answer = bench.chip.receive(.typeA([0xA2, 0x06, 1, 2, 3, 4]))
    #expect(answer == AirAnswer(frame: .nibble(0xA), programming: .microseconds(4100)))
    #expect(bench.page(6) == "01020304")
    #expect(bench.page(7) == "00000000")
    #expect(bench.chip.revision == 1)
    bench.send("A20601020304")
    #expect(bench.chip.revision == 1, "the same bytes are no change")
  }

  @Test func `COMPATIBILITY_WRITE stores the first four of sixteen bytes`() throws {
    var bench = try Bench("UltralightEV1-48")
    #expect(bench.send("A006") == "ACK")
    #expect(bench.send("0102030405060708090A0B0C0D0E0F10") == "ACK")
    #expect(bench.page(6) == "01020304")
    #expect(bench.page(7) == "00000000")
    #expect(bench.send("A006") == "ACK")
    #expect(bench.send("3004") == "NAK 0", "sixteen bytes must follow")
    #expect(bench.fresh("3004").hasPrefix("00000000"))
    #expect(bench.fresh("A001") == "NAK 0")
  }

  @Test func `bits of page 3 only ever rise`() throws {
    var bench = try Bench("NTAG213")
    #expect(bench.send("A203E110120F") == "ACK")
    #expect(bench.page(3) == "E110120F")
    #expect(bench.send("A20300000000") == "ACK")
    #expect(bench.page(3) == "E110120F")
  }

  @Test func `READ_SIG gives what the image has`() throws {
    var image = try #require(VirtualChips.make(name: "NTAG213", uid: Host.uid))
    var bench = try Bench(image)
    #expect(bench.send("3C00") == String(repeating: "00", count: 32))
    #expect(bench.send("3C01") == "NAK 0")
    // The signature of 04E10CDA993C80 that NXP's public key verifies.
    image.signature = try #require(
      [UInt8](hex: "8B76052EE42F5567BEB53238B3E3F9950707C0DCC956B5C5EFCFDB709B2D82B3"))
    bench = try Bench(image)
    #expect(bench.send("3C00") == image.signature.hex)
  }

  @Test func `VCSL gives the virtual card type of EV1`() throws {
    var bench = try Bench("UltralightEV1-48")
    #expect(bench.send("4B" + String(repeating: "11", count: 20)) == "05")
    var other = try Bench("NTAG213")
    #expect(other.send("4B" + String(repeating: "11", count: 20)) == "NAK 0")
  }

  @Test func `frames of any kind are survived`() throws {
    var random = SeededGenerator(seed: 11)
    for name in Type2Model.all.map(\.name) {
      var bench = try Bench(name)
      for _ in 0..<3000 {
        bench.select()
        let codes: [UInt8] = [0x30, 0xA2, 0xA0, 0x60, 0x3A, 0x3C, 0x1B, 0x39, 0xA5, 0x3E, 0x4B]
        var command = [codes.randomElement(using: &random) ?? 0]
        for _ in 0..<Int.random(in: 0..<8, using: &random) {
          command.append(UInt8.random(in: 0...255, using: &random))
        }
        _ = bench.chip.receive(.typeA(command))
        _ = bench.chip.receive(
          AirFrame(bytes: command, lastBits: UInt8.random(in: 0...7, using: &random)))
      }
      #expect(bench.chip.image.pages.count == Type2Model.named(name).map { $0.pageCount * 4 })
    }
  }
}
