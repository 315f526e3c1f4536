import Bytes
import Testing

@testable import VirtualReader

/// The one-way counters of NTAG21x and Ultralight EV1.
struct CounterTests {
  @Test func `the NFC counter counts the first reading after power-up`() throws {
    var bench = try Bench("NTAG213")
    #expect(bench.send("3902") == "NAK 0", "not enabled")
    bench.fresh("A22A10050000")
    bench.powerCycle()
    #expect(bench.send("3902") == "000000")
    bench.send("3004")
    bench.send("3A0405")
    #expect(bench.send("3902") == "010000")
    bench.powerCycle()
    bench.send("3A0405")
    #expect(bench.send("3902") == "020000")
    #expect(bench.chip.image.counters == [0, 0, 2])
    #expect(bench.send("3900") == "NAK 0")
  }

  @Test func `the NFC counter may need the password`() throws {
    var bench = try Bench("NTAG215")
    // ACCESS is in page 84h.
    bench.send("A28418050000")
    #expect(bench.send("3902") == "NAK 0")
    #expect(bench.fresh("1BFFFFFFFF") == "0000")
    #expect(bench.send("3902") == "000000")
  }

  @Test func `the NFC counter stops at its end`() throws {
    var image = try #require(VirtualChips.make(name: "NTAG216", uid: Host.uid))
    image.counters = [0, 0, 0xFF_FFFE]
    image.pages[228 * 4] = 0x10
    var bench = try Bench(image)
    for _ in 0..<3 {
      bench.powerCycle()
      bench.send("3004")
    }
    #expect(bench.send("3902") == "FFFFFF")
  }

  @Test func `EV1 counts by command and refuses to overflow`() throws {
    var bench = try Bench("UltralightEV1-48")
    #expect(bench.send("A501050100FF") == "ACK", "the fourth byte is ignored")
    #expect(bench.send("3901") == "050100")
    #expect(bench.send("3900") == "000000")
    #expect(bench.send("A501FFFFFF00") == "NAK 4")
    #expect(bench.fresh("3901") == "050100")
    #expect(bench.send("A501FAFEFF00") == "ACK")
    #expect(bench.send("3901") == "FFFFFF")
    #expect(bench.send("A50101000000") == "NAK 4")
    #expect(bench.fresh("3903") == "NAK 0")
    #expect(bench.fresh("A50301000000") == "NAK 0")
  }

  @Test func `CHECK_TEARING_EVENT says that the counters are whole`() throws {
    var bench = try Bench("UltralightEV1-128")
    #expect(bench.send("3E00") == "BD")
    #expect(bench.send("3E02") == "BD")
    #expect(bench.send("3E03") == "NAK 0")
  }
}
