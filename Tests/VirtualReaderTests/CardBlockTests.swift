import Bytes
import Testing

@testable import VirtualReader

/// The block protocol of a card, block by block (ISO/IEC 14443-4 section 7.5 and annex B).
struct CardBlockTests {
  /// A Type4A that the host has selected without RATS.
  private func selected(_ name: String = "Type4A") -> Host {
    var host = Host.with(name)
    host.send("12 00")
    host.send("320500 01 02")
    host.send("4A 01 00")
    return host
  }

  /// The same after RATS with frames of 16 bytes for the reader.
  private func activated(_ name: String = "Type4A", _ request: String = "E000") -> Host {
    var host = selected(name)
    host.send("42" + request)
    return host
  }

  @Test func `RATS is answered by the answer to select`() {
    var host = selected()
    #expect(host.send("42 E080") == "00057577" + "8102")
    #expect(host.send("42 E080") == "01", "once only")
  }

  @Test func `a listing without automatic RATS brings no answer to select`() {
    var host = Host.with("Type4A")
    host.send("12 00")
    #expect(host.send("4A 01 00") == "0101004420" + "07" + Host.uid.hex)
    #expect(host.send("40 01 00A4040007D276000085010100") == "01", "no block protocol yet")
  }

  @Test func `an I-block turns the block number`() {
    var host = activated()
    #expect(host.send("42 02 00A4040007D276000085010100") == "00029000")
    #expect(host.send("42 03 00A4000C02E103") == "00039000")
    #expect(host.send("42 02 00A4000C02E105") == "00026A82")
  }

  @Test func `R(NAK) with the other number is acknowledged, with its own repeats the block`() {
    var host = activated()
    #expect(host.send("42 B2") == "00A3")
    #expect(host.send("42 02 00A4040007D276000085010100") == "00029000")
    #expect(host.send("42 B2") == "00029000")
    #expect(host.send("42 B3") == "00A2")
    #expect(host.send("42 03 00A4000C02E103") == "00039000")
  }

  @Test func `a chained command is acknowledged piece by piece`() {
    var host = activated()
    #expect(host.send("42 12 00A40400") == "00A2")
    #expect(host.send("42 13 07D27600") == "00A3")
    #expect(host.send("42 02 0085010100") == "00029000")
  }

  @Test func `a long answer is chained to the reader's frame size`() {
    var host = activated()
    host.send("42 02 00A4040007D276000085010100")
    host.send("42 03 00A4000C02E103")
    // 17 bytes with the status: 13 fit into a frame of 16.
    #expect(host.send("42 02 00B000000F") == "0012" + "000F2000FF00FF0406E1040800")
    #expect(host.send("42 A3") == "0003" + "00009000")
    #expect(host.send("42 A3") == "0003" + "00009000", "the last block again")
  }

  @Test func `S(DESELECT) sends the card to sleep, and WUPA wakes it`() {
    var host = activated()
    #expect(host.send("42 C2") == "00C2")
    #expect(host.send("4A 01 00") == "00")
    #expect(host.send("4A 01 00 88" + Host.uid.hex).hasPrefix("0101004420"))
  }

  @Test func `a card in its block protocol does not hear requests`() {
    var host = activated()
    #expect(host.send("4A 01 00") == "00")
    host.send("320100")
    host.send("320101")
    #expect(host.send("4A 01 00").hasPrefix("0101"))
  }

  @Test func `blocks for another card are not answered`() {
    var host = activated("Type4A", "E003")
    #expect(host.send("42 B2") == "01", "without identifier")
    #expect(host.send("42 BA02") == "01", "with another one")
    #expect(host.send("42 BA03") == "00AB03")
  }

  @Test func `a block longer than the card's frame is not answered`() {
    var host = activated()
    #expect(host.send("42 12" + String(repeating: "00", count: 62)) == "01")
    #expect(host.send("42 12" + String(repeating: "00", count: 61)) == "00A2")
  }

  @Test func `long commands and answers cross InDataExchange in pieces`() throws {
    var host = Host.with("ISO7816")
    host.send("4A 01 00")
    host.send("40 01 00A4040007D276000085010100")
    host.send("40 01 00A4000C02E104")
    // The host chains by bit 6 of the target's number.
    #expect(host.send("40 41 00D60000FF" + String(repeating: "12", count: 100)) == "00")
    #expect(host.send("40 01" + String(repeating: "34", count: 155)) == "009000")
    #expect(host.send("40 01 00B0006302") == "00" + "12349000")
  }

  @Test func `an answer over 262 bytes comes with more information`() throws {
    var image = try #require(VirtualChips.make(name: "Type4A", uid: Host.uid))
    image.card?.applications[0] = .ndef(size: 0x0800, answers: 0x0200, commands: 0xFF)
    var host = Host([image])
    host.send("4A 01 00")
    host.send("40 01 00A4040007D276000085010100")
    host.send("40 01 00A4000C02E104")
    let first = host.send("40 01 00B000000001FF")
    #expect(first.hasPrefix("40") && first.count == 2 * 263)
    let second = host.send("40 01")
    #expect(second.hasPrefix("00") && second.hasSuffix("9000"))
    #expect(second.count == 2 * (1 + 511 + 2 - 262))
  }

  @Test func `at 424 kbit/s blocks take a quarter of the time`() {
    func time(_ setUp: String?) -> Duration {
      var host = Host.with("Type4A")
      host.send("4A 01 00")
      host.send("40 01 00A4040007D276000085010100")
      host.send("40 01 00A4000C02E104")
      if let setUp { #expect(host.send(setUp) == "00") }
      let before = host.chip.work.modelled
      host.send("40 01 00B00000F0")
      return host.chip.work.modelled - before
    }
    // 5 + 242 data bytes in 1 + 4 blocks and 3 receipts of 3 bytes and their CRC and marks.
    let units = 9 * (5 + 242 + 8 * 3) + 8 * 3 - 4
    let saved = AirTime.units(units) - AirTime.units(units, at: .kilobits424)
    let difference = time(nil) - time("4E 01 02 02")
    #expect(abs((difference - saved) / .microseconds(1)) < 200, "\(difference), \(saved)")
  }
}
