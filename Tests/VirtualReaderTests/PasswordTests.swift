import Bytes
import Testing

@testable import VirtualReader

/// PWD_AUTH with AUTH0, PROT, AUTHLIM and PACK.
struct PasswordTests {
  /// An NTAG213 with password 01020304 and PACK A5B6 from page 6 on, powered anew.
  private func protected(access: String = "00") throws -> Bench {
    var bench = try Bench("NTAG213")
    for write in ["A22B01020304", "A22CA5B60000", "A22A\(access)050000", "A22904000006"] {
      #expect(bench.send(write) == "ACK")
    }
    bench.powerCycle()
    return bench
  }

  @Test func `without PROT the password guards writing`() throws {
    var bench = try protected()
    #expect(bench.send("3006").utf8.count == 32)
    #expect(bench.send("A20501020304") == "ACK")
    #expect(bench.send("A20601020304") == "NAK 0")
    #expect(bench.fresh("1B01020304") == "A5B6")
    #expect(bench.send("A20601020304") == "ACK")
    bench.powerCycle()
    #expect(bench.send("A20600000000") == "NAK 0")
  }

  @Test func `with PROT it guards reading, and READ rolls over before it`() throws {
    var bench = try protected(access: "80")
    #expect(bench.send("3006") == "NAK 0")
    #expect(bench.fresh("3005") == "340300FE" + "04A1B29F" + "C3D4E5F6" + "04480000")
    #expect(bench.send("3A0405") == "0103A00C340300FE")
    #expect(bench.send("3A0406") == "NAK 0")
    #expect(bench.fresh("1B01020304") == "A5B6")
    #expect(bench.send("3A0406") == "0103A00C340300FE00000000")
    #expect(bench.send("302B").hasPrefix("0000000000000000"), "PWD and PACK read as zero")
  }

  @Test func `authentication ends when the chip is selected anew`() throws {
    var bench = try protected()
    #expect(bench.send("1B01020304") == "A5B6")
    bench.select()
    #expect(bench.send("A20601020304") == "NAK 0")
  }

  @Test func `a wrong password is refused, and AUTHLIM counts`() throws {
    var bench = try protected(access: "02")
    #expect(bench.send("1BFFFFFFFF") == "NAK 0")
    #expect(bench.fresh("1B01020304") == "A5B6", "one wrong one is below the limit")
    #expect(bench.chip.image.failedAuthentications == 0)
    for _ in 0..<2 { #expect(bench.fresh("1BFFFFFFFF") == "NAK 0") }
    #expect(bench.fresh("1B01020304") == "NAK 4")
    bench.powerCycle()
    #expect(bench.send("1B01020304") == "NAK 4", "the count is kept")
    #expect(bench.chip.image.failedAuthentications == 2)
  }

  @Test func `without AUTHLIM wrong passwords are not counted`() throws {
    var bench = try protected()
    for _ in 0..<20 { #expect(bench.fresh("1B00000000") == "NAK 0") }
    #expect(bench.fresh("1B01020304") == "A5B6")
  }

  @Test func `the factory's password is FFFFFFFF with PACK 0000`() throws {
    for name in Type2Model.all.map(\.name) where name != "Ultralight" {
      var bench = try Bench(name)
      #expect(bench.send("1BFFFFFFFF") == "0000")
    }
    var plain = try Bench("Ultralight")
    #expect(plain.send("1BFFFFFFFF") == "silence")
  }
}
