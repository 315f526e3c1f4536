import Bytes
import Testing

@testable import VirtualReader

/// Radio times against sums made from NXP's data sheets (READ 368 and 1548 µs, WRITE 708 µs, ACK 57 µs).
struct AirTimeTests {
  struct Row: CustomTestStringConvertible {
    let name: String
    let command: String
    let milliseconds: Double
    var testDescription: String { name }
  }

  @Test func `frames last as long as the data sheet says`() {
    #expect(abs(AirTime.sent(.typeA([0x30, 0x00])) / .microseconds(1) - 368) < 0.5)
    #expect(
      abs(
        AirTime.received(AirFrame(bytes: .init(repeating: 0, count: 18))) / .microseconds(1) - 1548)
        < 0.5)
    #expect(abs(AirTime.sent(.typeA(.init(repeating: 0, count: 6))) / .microseconds(1) - 708) < 0.5)
    #expect(abs(AirTime.received(.nibble(0xA)) / .microseconds(1) - 57) < 0.5)
  }

  @Test(arguments: [
    Row(name: "READ", command: "42 3004", milliseconds: 2.09),
    Row(name: "FAST_READ 1", command: "42 3A0404", milliseconds: 1.16),
    Row(name: "FAST_READ 4", command: "42 3A0407", milliseconds: 2.18),
    Row(name: "FAST_READ 16", command: "42 3A0413", milliseconds: 6.26),
    Row(name: "FAST_READ 45", command: "42 3A0430", milliseconds: 16.11),
    Row(name: "FAST_READ 65", command: "42 3A0444", milliseconds: 22.91),
    Row(name: "WRITE", command: "40 01 A20401020304", milliseconds: 4.95),
    Row(
      name: "COMPATIBILITY_WRITE",
      command: "40 01 A004 00000000000000000000000000000000", milliseconds: 6.40),
    Row(name: "GET_VERSION", command: "42 60", milliseconds: 1.33),
    Row(name: "PWD_AUTH", command: "42 1BFFFFFFFF", milliseconds: 1.16),
    Row(name: "READ_SIG", command: "42 3C00", milliseconds: 3.45),
  ])
  func `a command takes its radio time and its serial bytes`(row: Row) throws {
    var host = Host.with("NTAG216")
    host.send("4A 01 00")
    let before = host.chip.clock.now
    let sent = Frame.encode([0xD4] + (try #require([UInt8](hex: row.command))))
    let answers = host.sendRaw(sent.hex)
    let bytes = sent.count + answers.reduce(0) { $0 + $1.utf8.count / 2 }
    let radio = host.chip.clock.now - before - BaudRate.time(bytes: bytes, at: 115_200)
    #expect(abs(radio / .milliseconds(1) - row.milliseconds) < 0.012)
  }

  @Test func `selecting takes 4,59 ms and an empty listing of three tries 0,6 ms`() {
    var host = Host.with("NTAG213")
    host.send("320500 01 02")
    var before = host.chip.clock.now
    host.send("4A 01 00")
    // 11 bytes, ACK, 22 bytes.
    var radio = host.chip.clock.now - before - BaudRate.time(bytes: 11 + 6 + 22, at: 115_200)
    #expect(abs(radio / .microseconds(1) - 4590) < 0.01)
    host.send("44 00")
    before = host.chip.clock.now
    host.send("4A 01 00")
    radio = host.chip.clock.now - before - BaudRate.time(bytes: 27, at: 115_200)
    #expect(abs(radio / .microseconds(1) - 600) < 0.01)
  }

  @Test func `the firmware's time is added to each command`() {
    var host = Host.with("NTAG213")
    let before = host.chip.clock.now
    host.send("02")
    let plain = host.chip.clock.now - before
    host.chip = PN532(
      clock: ModelClock(timing: .none), field: RadioField(), firmwareTime: .milliseconds(1))
    host.send("02")
    #expect(host.chip.clock.now == plain + .milliseconds(1))
    #expect(host.chip.work.modelled == host.chip.clock.now)
  }

  @Test func `a silent tag costs the time limit that the host set`() {
    var host = Host.with("NTAG213")
    host.send("4A 01 00")
    host.send("44 00")
    host.send("32 02 00 0B 09")
    let before = host.chip.clock.now
    #expect(host.send("42 3004") == "01")
    let spent = host.chip.clock.now - before
    #expect(spent > .microseconds(25_600) && spent < .microseconds(29_000))
  }

  @Test(arguments: [
    (AirFrame.Technology.typeA, "0000", "A01E"), (.typeA, "1234", "26CF"),
    (.typeB, "0FAAFF", "FCD1"), (.feliCa, "0600FFFF0200", "6F43"),
  ])
  func `each technology has its CRC`(
    technology: AirFrame.Technology, content: String, crc: String
  ) throws {
    let bytes = try #require([UInt8](hex: content))
    #expect(technology.crc(of: bytes).hex == crc)
    #expect(technology.strip(bytes + technology.crc(of: bytes)) == bytes)
    #expect(technology.strip(bytes + [0x00, 0x00]) == nil)
  }

  /// A type 4 tag, 1024 bytes in 16 commands: radio time by frame sums, block protocol and EEPROM.
  ///
  /// The figures are an independent model's, which gives the card some 10 ms more for work of its own.
  @Test(arguments: [(nil, 269.0), ("4E 01 02 02", 111.0)])
  func `a type 4 tag is written and read in the least time`(
    speed: String?, milliseconds: Double
  ) throws {
    var image = try #require(VirtualChips.make(name: "Type4A", uid: Host.uid))
    image.card?.applications[0] = .ndef(size: 0x0800, answers: 0x100, commands: 0xFF)
    var host = Host([image])
    host.send("320500 01 02")
    var bytes = 0
    let before = host.chip.work.modelled
    func send(_ command: String) {
      let sent = Frame.encode([0xD4] + ([UInt8](hex: command) ?? []))
      bytes += sent.count + host.sendRaw(sent.hex).reduce(0) { $0 + $1.count / 2 }
    }
    func apdu(_ head: String, _ offset: Int, _ rest: [UInt8]) {
      send("4001" + head + [UInt8(offset >> 8), UInt8(offset & 0xFF)].hex + rest.hex)
    }
    send("4A0100")
    if let speed { send(speed) }
    send("400100A4040007D276000085010100")
    send("400100A4000C02E103")
    send("400100B000000F")
    send("400100A4000C02E104")
    let file = (0..<1026).map { UInt8(truncatingIfNeeded: $0) }
    for start in stride(from: 0, to: 1026, by: 255) {
      let piece = Array(file[start..<min(start + 255, 1026)])
      apdu("00D6", start, [UInt8(piece.count)] + piece)
    }
    apdu("00D6", 0, [2, 0x04, 0x00])
    for start in stride(from: 0, to: 1026, by: 256) {
      apdu("00B0", start, [UInt8(truncatingIfNeeded: min(256, 1026 - start))])
    }
    let radio = host.chip.work.modelled - before - BaudRate.time(bytes: bytes, at: 115_200)
    #expect(abs(radio / .milliseconds(1) - milliseconds) < 11, "\(radio), \(bytes) bytes")
  }
}
