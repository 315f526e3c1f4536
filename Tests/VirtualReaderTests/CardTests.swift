import Bytes
import Platform
import Testing

@testable import VirtualReader

/// What cards with ISO/IEC 7816-4 commands make of them.
struct CardTests {
  private func card(_ name: String, _ change: (inout ChipImage) -> Void = { _ in }) throws -> Host {
    var image = try #require(VirtualChips.make(name: name, uid: Host.uid))
    change(&image)
    var host = Host([image])
    host.send("320500 01 02")
    host.send(name == "Type4B" ? "4A 01 03 00" : "4A 01 00")
    return host
  }

  private static let ndef = "00A4040007D276000085010100"

  @Test(arguments: ["ISO7816", "Type4B"])
  func `SELECT finds applications by name and by part of a name`(name: String) throws {
    var host = try card(name)
    let document = "00A4040007A000000247100100"
    #expect(host.send("40 01" + document) == "00" + "6F098407A00000024710019000")
    #expect(
      host.send("40 01 00A4040C07A0000002471001") == "009000", "no control information wanted")
    #expect(host.send("40 01 00A4040002D27600") == "00" + "6F098407D27600008501019000")
    #expect(host.send("40 01 00A4040005A00000000300") == "006A82")
    #expect(host.send("40 01 00A4040107A000000247100100") == "006A86")
  }

  @Test func `SELECT goes on to the next application of a part`() throws {
    var host = try card("ISO7816") {
      $0.card?.applications = ["A00000000101", "A00000000102", "B0"].map {
        CardApplication(name: [UInt8](hex: $0) ?? [])
      }
    }
    #expect(host.send("40 01 00A4040003A0000000").hasSuffix("A000000001019000"))
    #expect(host.send("40 01 00A4040203A0000000").hasSuffix("A000000001029000"))
    #expect(host.send("40 01 00A4040203A0000000") == "006A82")
    #expect(host.send("40 01 00A4040003A0000000").hasSuffix("A000000001019000"))
  }

  @Test(arguments: ["Type4A", "DESFireEV1", "ISO7816", "Type4B"])
  func `the NDEF application is there and empty`(name: String) throws {
    var host = try card(name)
    #expect(host.send("40 01" + Self.ndef).hasSuffix("9000"))
    #expect(host.send("40 01 00A4000C02E103") == "009000")
    let limits = name == "DESFireEV1" ? "003B0034" : "00FF00FF"
    #expect(host.send("40 01 00B000000F") == "00000F20" + limits + "0406E104080000009000")
    #expect(host.send("40 01 00A4000C02E104") == "009000")
    #expect(host.send("40 01 00B0000002") == "0000009000")
  }

  @Test(arguments: ["Type4A", "DESFireEV1"])
  func `the application of the first mapping version is not there`(name: String) throws {
    var host = try card(name)
    #expect(host.send("40 01 00A4040007D276000085010000") == "006A82")
    #expect(host.send("40 01 00A4040005D27600008500") == "006A82", "nor a part of a name")
  }

  @Test(arguments: [
    ("00B0000001", "6986"), ("00D600000100", "6986"), ("00A4000C02E103", "6A82"),
    ("00CA000000", "6D00"), ("80A4040007D276000085010100", "6E00"), ("00A4040007D27600", "6700"),
    ("00A4080002E103", "6A86"),
  ])
  func `a command that does not fit has its status`(command: String, status: String) throws {
    var host = try card("Type4A")
    #expect(host.send("40 01" + command) == "00" + status)
  }

  @Test(arguments: [
    ("00B0000100", "00"), ("00B007FF01", "009000"), ("00B007FF02", "006282"),
    ("00B0080001", "6B00"),
    ("00B08000FF", "6A86"), ("00D607FF02AAAA", "6A84"), ("00D6080001AA", "6B00"),
    ("00D60000", "6700"), ("00D600003" + "5" + String(repeating: "AA", count: 53), "6700"),
    ("00D6000034" + String(repeating: "AA", count: 52), "9000"), ("00B000003C", "6700"),
    ("00B000003B", "00"),
  ])
  func `the limits of file and capability container hold`(command: String, ends: String) throws {
    var host = try card("DESFireEV1")
    host.send("40 01" + Self.ndef)
    host.send("40 01 00A4000C02E104")
    let answer = host.send("40 01" + command)
    #expect(answer.hasPrefix("00" + ends) || answer == "00" + ends, "\(answer)")
  }

  @Test func `what is written is kept and told`() throws {
    var host = try card("Type4A")
    host.send("40 01" + Self.ndef)
    host.send("40 01 00A4000C02E104")
    let before = host.chip.field.tags.first?.chip.revision
    #expect(host.send("40 01 00D60000040002D000") == "009000")
    #expect(host.chip.field.tags.first?.chip.revision != before)
    host.send("320100")
    host.send("320101")
    host.send("4A 01 00")
    #expect(host.send("40 01 00B0000004") == "006986", "the selection went with the field")
    host.send("40 01" + Self.ndef)
    host.send("40 01 00A4000C02E104")
    #expect(host.send("40 01 00B0000004") == "000002D0009000")
    let image = try #require(host.chip.field.tags.first?.chip.image)
    #expect(image.card?.applications[0].files[1].bytes.prefix(4) == [0x00, 0x02, 0xD0, 0x00])
    #expect(VirtualChips.chip(from: image)?.image == image)
  }

  @Test func `the container and a file without write access refuse`() throws {
    var host = try card("Type4A") { $0.card?.applications[0].files[0].bytes[14] = 0xFF }
    host.send("40 01" + Self.ndef)
    host.send("40 01 00A4000C02E103")
    #expect(host.send("40 01 00D600000100") == "006982")
    host.send("40 01 00A4000C02E104")
    #expect(host.send("40 01 00D600000100") == "006982")
  }

  @Test func `a MIFARE Plus in level 3 knows no file and no key`() throws {
    var host = Host.with("Plus")
    #expect(
      host.send("4A 01 00") == "0101004420" + "07" + Host.uid.hex + "0C75778002C1052F2F01BCD6")
    #expect(host.send("40 01" + Self.ndef) == "000B")
    #expect(host.send("40 01 60") == "000B")
    #expect(host.send("40 01 A89090" + String(repeating: "00", count: 16)) == "000B")
    #expect(host.send("40 01 7000900006000000000000") == "000C")
    #expect(host.send("40 01 70009000") == "0009")
  }

  @Test func `a UPDATE BINARY that the field leaves is torn`() throws {
    var host = Host([try #require(VirtualChips.make(name: "Type4A", uid: Host.uid))]) { point in
      point.parameters.count > 2 && point.parameters[2] == 0xD6
        ? [.tear([0xEE], comeBack: .zero)] : []
    }
    host.send("4A 01 00")
    host.send("40 01" + Self.ndef)
    host.send("40 01 00A4000C02E104")
    #expect(host.send("40 01 00D6000004AABBCCDD") == "01")
    let files = host.chip.field.tags.first?.chip.image.card?.applications[0].files
    #expect(files?[1].bytes.first == 0xEE || files == nil)
  }

  @Test func `two cards are told apart`() throws {
    let other = try #require(
      VirtualChips.make(name: "ISO7816", uid: [0x04, 0, 0, 0, 0, 0, 0x02]))
    var host = try card("Type4A")
    _ = host.chip.field.place(try #require(VirtualChips.chip(from: other)), changed: { _ in })
    host.send("320100")
    let both = host.send("4A 02 00")
    #expect(both.hasPrefix("02") && both.contains(Host.uid.hex) && both.contains(other.uid.hex))
    #expect(host.send("40 01" + Self.ndef).hasSuffix("9000"))
    #expect(host.send("40 02" + Self.ndef).hasSuffix("9000"))
  }

  @Test(arguments: CardModel.allCases)
  func `commands of any kind are survived`(model: CardModel) throws {
    var random = SeededGenerator(seed: 5)
    var host = try card(model.rawValue)
    for _ in 0..<2000 {
      let codes: [UInt8] = [0x00, 0x90, 0x60, 0xAF, 0x6A, 0x5A, 0xBD, 0xF5, 0x70]
      var command: [UInt8] = [codes.randomElement(using: &random) ?? 0]
      for _ in 0..<Int.random(in: 0..<12, using: &random) {
        let known: [UInt8] = [0xA4, 0xB0, 0xD6, 0x04, 0x00, 0x02, 0x07, 0xE1]
        let byte = UInt8.random(in: 0...255, using: &random)
        command.append(Bool.random(using: &random) ? byte : known[Int(byte) % known.count])
      }
      #expect(!host.send("40 01" + command.hex).isEmpty)
      _ = host.send("42" + command.hex)
      if host.chip.targets.isEmpty || host.send("40 01 60").hasPrefix("01") {
        host.send("320100")
        host.send(model == .type4B ? "4A 01 03 00" : "4A 01 00")
      }
    }
  }
}
