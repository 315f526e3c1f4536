import Bytes
import Testing

@testable import VirtualReader

/// Static and dynamic lock bytes with their block-locking bits.
struct LockTests {
  @Test func `static lock bits make pages 3 to 15 read-only, one each`() throws {
    for page in 3...15 {
      var bench = try Bench("NTAG213")
      let bits = UInt16(1) << UInt16(page)
      let bytes = [UInt8(truncatingIfNeeded: bits), UInt8(bits >> 8)].hex
      #expect(bench.send("A202FFFF" + bytes) == "ACK")
      #expect(bench.page(2) == "0448" + bytes, "bytes 0 and 1 of page 2 stay as they are")
      for other in 3...15 {
        #expect(
          bench.fresh("A2" + [UInt8(other)].hex + "00000000") == (other == page ? "NAK 0" : "ACK"))
      }
    }
  }

  @Test func `lock bits never fall`() throws {
    var bench = try Bench("NTAG213")
    bench.send("A20200001002")
    #expect(bench.send("A20200000000") == "ACK")
    #expect(bench.page(2) == "04481002")
  }

  struct Frozen: CustomTestStringConvertible {
    let name: String
    let blockBit: UInt8
    let after: String
    var testDescription: String { name }
  }

  @Test(arguments: [
    Frozen(name: "page 3", blockBit: 0x01, after: "F7FF"),
    Frozen(name: "pages 4 to 9", blockBit: 0x02, after: "0FFC"),
    Frozen(name: "pages 10 to 15", blockBit: 0x04, after: "FF03"),
  ])
  func `a block-locking bit freezes the static lock bits of its pages`(frozen: Frozen) throws {
    var bench = try Bench("UltralightEV1-128")
    bench.send("A2020000" + [frozen.blockBit].hex + "00")
    #expect(bench.send("A2020000FFFF") == "ACK")
    #expect(bench.page(2) == "0448" + frozen.after)
  }

  @Test func `lock bits written together with their block-locking bits take effect`() throws {
    var bench = try Bench("Ultralight")
    bench.send("A2020000FFFF")
    #expect(bench.page(2) == "0448FFFF")
    #expect(bench.send("A20401020304") == "NAK 0")
  }

  struct Dynamic: CustomTestStringConvertible {
    let name: String
    let page: UInt8
    /// Page ranges of the lock bits, in order.
    let spans: [ClosedRange<Int>]
    /// The lock page after everything was written.
    let full: String
    /// Lock bits that block-locking bit 0 freezes.
    let firstBlock: String
    var testDescription: String { name }
  }

  static let dynamic = [
    Dynamic(
      name: "NTAG213", page: 0x28, spans: (0..<12).map { 16 + 2 * $0...17 + 2 * $0 },
      full: "FF0F3FBD", firstBlock: "FC0F3FBD"),
    Dynamic(
      name: "NTAG215", page: 0x82,
      spans: (0..<7).map { 16 + 16 * $0...31 + 16 * $0 } + [128...129],
      full: "FF000FBD", firstBlock: "FC000FBD"),
    Dynamic(
      name: "NTAG216", page: 0xE2,
      spans: (0..<13).map { 16 + 16 * $0...31 + 16 * $0 } + [224...225],
      full: "FF3F7FBD", firstBlock: "FC3F7FBD"),
    Dynamic(
      name: "UltralightEV1-128", page: 0x24, spans: (0..<10).map { 16 + 2 * $0...17 + 2 * $0 },
      full: "FF031FBD", firstBlock: "FC031FBD"),
  ]

  @Test(arguments: dynamic)
  func `each dynamic lock bit covers its pages`(chip: Dynamic) throws {
    for (bit, span) in chip.spans.enumerated() {
      var bench = try Bench(chip.name)
      let bits = UInt16(1) << UInt16(bit)
      let bytes = [UInt8(truncatingIfNeeded: bits), UInt8(bits >> 8)].hex
      #expect(bench.send("A2" + [chip.page].hex + bytes + "0000") == "ACK")
      for page in 16..<Int(chip.page) {
        let answer = bench.fresh("A2" + [UInt8(page)].hex + "00000000")
        #expect(answer == (span.contains(page) ? "NAK 0" : "ACK"), "page \(page), bit \(bit)")
      }
    }
  }

  @Test(arguments: dynamic)
  func `reserved bits of the dynamic lock page stay`(chip: Dynamic) throws {
    var bench = try Bench(chip.name)
    bench.send("A2" + [chip.page].hex + "FFFFFFFF")
    #expect(bench.page(Int(chip.page)) == chip.full)
    bench.send("A2" + [chip.page].hex + "00000000")
    #expect(bench.page(Int(chip.page)) == chip.full)
  }

  @Test(arguments: dynamic)
  func `a block-locking bit freezes dynamic lock bits`(chip: Dynamic) throws {
    var bench = try Bench(chip.name)
    bench.send("A2" + [chip.page].hex + "00000100")
    bench.send("A2" + [chip.page].hex + "FFFFFFFF")
    #expect(bench.page(Int(chip.page)) == chip.firstBlock)
  }

  @Test func `CFGLCK holds from the next power-up on, passwords stay writable`() throws {
    var bench = try Bench("NTAG213")
    #expect(bench.send("A22A40050000") == "ACK")
    #expect(bench.send("A229040000FF") == "ACK")
    bench.powerCycle()
    #expect(bench.send("A229040000FE") == "NAK 0")
    #expect(bench.fresh("A22A00050000") == "NAK 0")
    #expect(bench.fresh("A22B01020304") == "ACK")
    #expect(bench.send("A20400000000") == "ACK")
  }
}
