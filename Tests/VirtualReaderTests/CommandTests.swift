import Bytes
import Platform
import Testing

@testable import VirtualReader

/// Commands of the PN532 that have little to do with tags.
struct CommandTests {
  @Test(arguments: [
    ("00 01", "00"), ("00 02", "00"), ("00 06", "01"), ("02", "32010607"), ("04", "00000080"),
    ("12 00", ""), ("14 01 00 00", ""), ("14 01 14 01", ""), ("0C", "FFFF00"), ("0E 00 00", ""),
    ("16 B0 00", "00"), ("16 F0", "00"), ("32 01 02", ""), ("32 02 00 0B 0A", ""), ("32 04 00", ""),
    ("32 05 01 00 01", ""), ("32 0A 59F43F114D85616F266287", ""), ("32 0B 69FF3F114185616F", ""),
    ("32 0C FF0485", ""), ("32 0D 85158A8508B28501DA", ""), ("42", "01"), ("56 00 00 00", "01"),
    ("40 01 3004", "27"), ("4E 01 02 02", "27"), ("54 01", "27"), ("44 00", "00"), ("44 01", "27"),
    ("52 00", "00"), ("50 01 00", "27"),
  ])
  func `a command is answered`(command: String, answer: String) {
    var host = Host()
    #expect(host.send(command) == answer)
  }

  @Test(arguments: [
    "8C 00", "86", "FE", "10 09", "06 63", "08 6302", "32", "32 01", "32 0A 00", "14 00", "4A 01",
    "4A 03 00", "4A 01 05", "4A 01 00 04A1B2", "60 00 01 10", "60 01 01 77", "00", "40",
  ])
  func `an unknown command or wrong parameters get the error frame`(command: String) {
    var host = Host()
    #expect(host.send(command) == "error")
  }

  @Test func `a MIFARE authentication with the wrong length gets the error frame`() {
    var host = Host.with("NTAG213")
    host.send("4A 01 00")
    #expect(host.send("40 01 6003FFFFFFFFFFFF04A1B2C3D4E5F6") == "error")
  }

  @Test func `nfcpy's line test comes back whole in an extended frame`() {
    var host = Host()
    let data = "00" + [UInt8]((0...255).map { UInt8($0) } + [1, 2, 3, 4, 5, 6]).hex
    #expect(host.send("00" + data) == data)
  }

  @Test func `registers keep what is written to them`() {
    var host = Host()
    #expect(host.send("08 6305 55 FFF4 AA") == "")
    #expect(host.send("06 6305 FFF4 6331") == "55AA00")
  }

  @Test func `an empty listing leaves the request in the FIFO, a full one does not`() {
    var host = Host()
    host.send("32 05 00 00 00")
    host.send("4A 01 00")
    #expect(host.send("06 6339") == "26")
    host = .with("NTAG213")
    host.send("4A 01 00")
    #expect(host.send("06 6339") == "00")
  }

  @Test(arguments: [
    ("00", "80"), ("01 00FFFF0100", "92"), ("02 00FFFF0100", "A2"), ("03 00", "83"),
  ])
  func `a listing leaves its framing in TxMode and RxMode`(listing: String, mode: String) {
    var host = Host()
    host.send("32 05 00 00 00")
    #expect(host.send("4A 01" + listing) == "00")
    #expect(host.send("06 6302 6303") == mode + mode)
  }

  @Test func `NACK repeats the last response`() {
    var host = Host()
    host.send("02")
    #expect(host.sendRaw("0000FFFF0000") == ["0000FF06FAD50332010607E800"])
  }

  @Test func `the speed changes with the host's ACK`() {
    var host = Host()
    #expect(host.send("10 07") == "")
    #expect(host.chip.baud == 115_200)
    #expect(host.send("10 06") == "", "without the ACK it stays")
    #expect(host.sendRaw("0000FF00FF00").isEmpty)
    #expect(host.chip.baud == 460_800)
    #expect(host.send("02") == "none", "bytes at another speed are garbage")
    host.chip.receive([UInt8](hex: "0000FF02FED4022A00") ?? [], speed: 460_800)
    #expect(host.chip.takeDue().count == 2)
  }

  @Test func `commands that touch a tag or the field are counted apart`() {
    var host = Host.with("NTAG213")
    for command in ["02", "12 14", "32 01 01", "32 05 00 01 02", "4A 01 00", "40 01 3004", "44 00"]
    {
      host.send(command)
    }
    #expect(host.chip.work.hostCommands == 7)
    #expect(host.chip.work.tagCommands == 4)
  }

  @Test func `FAST_READ beyond the chip's buffer is an error`() {
    var host = Host.with("NTAG216")
    host.send("4A 01 00")
    #expect(host.send("42 3A0044").utf8.count == 2)
    #expect(host.send("42 3A0040").utf8.count == 2 + 65 * 8)
  }

  @Test func `commands of any kind are survived`() throws {
    var random = SeededGenerator(seed: 23)
    var host = Host.with("UltralightEV1-128")
    host.send("32 05 00 00 02")
    let codes: [UInt8] = [
      0x00, 0x04, 0x06, 0x08, 0x10, 0x12, 0x32, 0x40, 0x42, 0x44, 0x4A, 0x4E, 0x52, 0x54, 0x60,
    ]
    for _ in 0..<20_000 {
      var command = [codes.randomElement(using: &random) ?? 0]
      for _ in 0..<Int.random(in: 0..<20, using: &random) {
        command.append(
          [0x00, 0x01, 0x02, 0x30, 0xA2, 0x88, UInt8.random(in: 0...255, using: &random)]
            .randomElement(using: &random) ?? 0)
      }
      let speed = host.chip.baud
      host.chip.receive(Frame.encode([0xD4] + command), speed: speed)
      _ = host.chip.takeDue()
      host.chip.resume()
    }
    #expect(host.chip.work.hostCommands == 20_001)
  }

  @Test func `a chained command is put together`() {
    var host = Host.with("NTAG213")
    host.send("4A 01 00")
    #expect(host.send("40 41 A206") == "00")
    #expect(host.send("40 01 01020304") == "00")
    #expect(host.memory[24..<28].hex == "01020304")
  }
}
