import Bytes
import Platform
import Testing

@testable import VirtualReader

/// FeliCa Lite-S and Standard cards, packet by packet.
struct FeliCaTests {
  private static let idm = "0104A1B2C3D4E5F6"

  private func card(
    _ name: String, _ change: (inout ChipImage) -> Void = { _ in }
  ) throws -> Host {
    var image = try #require(VirtualChips.make(name: name, uid: Host.uid))
    change(&image)
    var host = Host([image])
    host.send("320500 01 02")
    host.send("4A 01 01 00 FF FF 00 00")
    return host
  }

  /// Sends a packet without its length; the answer from the code on, `none` for silence.
  private func send(_ packet: String, to host: inout Host) -> String {
    guard let content = [UInt8](hex: packet) else { return "not hexadecimal" }
    let answer = host.send("40 01" + [UInt8(content.count + 1)].hex + content.hex)
    return answer == "01" ? "none" : String(answer.dropFirst(4))
  }

  private func read(_ number: String, from host: inout Host) -> String {
    let answer = send("06" + Self.idm + "010B0001" + number, to: &host)
    return answer.hasPrefix("07" + Self.idm) ? String(answer.dropFirst(18)) : answer
  }

  private func write(_ data: String, to number: String, of host: inout Host) -> String {
    let answer = send("08" + Self.idm + "01090001" + number + data, to: &host)
    return answer.hasPrefix("09" + Self.idm) ? String(answer.dropFirst(18)) : answer
  }

  // MARK: Polling

  @Test(arguments: [
    ("FFFF", "88B4"), ("88B4", "88B4"), ("12FC", "12FC"), ("88FF", "88B4"), ("FFFC", "12FC"),
    ("0003", nil), ("12FD", nil),
  ])
  func `Lite-S answers to its own system and to NDEF's`(polled: String, found: String?) throws {
    var host = try card("FeliCaLiteS")
    let answer = host.send("4A 01 01 00" + polled + "0100")
    #expect(
      answer == (found.map { "0101140" + "1" + Self.idm + "00F1000000014300" + $0 } ?? "00"))
  }

  @Test func `without SYS_OP there is no NDEF system`() throws {
    var host = try card("FeliCaLiteS") {
      if case .lite(var blocks) = $0.feliCa?.memory {
        blocks[23][3] = 0
        $0.feliCa?.memory = .lite(blocks: blocks)
      }
    }
    #expect(host.send("4A 01 01 00 12FC 00 00") == "00")
    #expect(host.send("4A 01 01 00 FFFF 00 00").hasPrefix("0101120"))
  }

  @Test func `the request code asks for nothing, the system or the speeds`() throws {
    var host = try card("FeliCaLiteS")
    let head = "01" + Self.idm + "00F1000000014300"
    #expect(host.send("4A 01 01 00 FFFF 00 00") == "010112" + head)
    #expect(host.send("4A 01 01 00 FFFF 02 00") == "010114" + head + "0083")
    #expect(host.send("42 06 00 FFFF 01 00") == "0014" + head + "88B4", "in a packet of its own")
  }

  /// Recorded from a real Lite-S with a Proxmark3, CRCs included (flipperzero-firmware issue 3871).
  @Test(arguments: [
    ("0600FFFF00000921", "1201012E4CE445055B8700F10000000143009D2C"),
    ("0600FFFF01003A10", "1401012E4CE445055B8700F100000001430088B4439D"),
  ])
  func `Polling is answered as by a real card`(sent: String, answer: String) throws {
    let image = try #require(
      VirtualChips.make(
        name: "FeliCaLiteS", uid: [0x01, 0x2E, 0x4C, 0xE4, 0x45, 0x05, 0x5B, 0x87]))
    var chip = try #require(FeliCaChip(image))
    let frame = AirFrame(
      technology: .feliCa, bytes: try #require([UInt8](hex: sent)), rate: .kilobits212)
    #expect(chip.receive(frame)?.frame.bytes.hex == answer)
  }

  @Test func `later time slots take longer`() throws {
    func time(_ slots: String) throws -> Duration {
      var host = try card("FeliCaLiteS")
      let before = host.chip.work.modelled
      #expect(host.send("4A 01 01 00 FFFF 00" + slots).hasPrefix("0101"))
      return host.chip.work.modelled - before
    }
    // The IDm ends with F6: slot 6 of 16, slot 2 of 4.
    #expect(try time("0F") - time("00") == .microseconds(6 * 1208))
    #expect(try time("03") - time("00") == .microseconds(2 * 1208))
  }

  @Test func `Polling at 212 kbit/s takes the times of the standard`() throws {
    var host = try card("FeliCaLiteS")
    let before = host.chip.clock.now
    host.send("4A 01 01 00 FFFF 01 00")
    let onLine = BaudRate.time(bytes: 16 + 6 + 31, at: 115_200)
    let spent = host.chip.clock.now - before - onLine
    // 0.60 + 2.42 + 1.13 ms; the answer with system code has two bytes more.
    #expect(abs(spent / .milliseconds(1) - 4.15) < 0.1, "\(spent)")
  }

  // MARK: Lite-S

  @Test func `a new Lite-S is an empty NDEF tag`() throws {
    var host = try card("FeliCaLiteS")
    #expect(read("8000", from: &host) == "000001100401000D0000000000010000000023")
    #expect(read("8083", from: &host) == "000001" + Self.idm + "00F1000000014300")
    #expect(read("8085", from: &host) == "00000188B4" + String(repeating: "00", count: 14))
    #expect(read("8088", from: &host) == "000001FFFFFF0107" + String(repeating: "00", count: 11))
    #expect(read("8087", from: &host) == "000001" + String(repeating: "00", count: 16))
  }

  @Test func `Request Response is not answered, nor another IDm`() throws {
    var host = try card("FeliCaLiteS")
    #expect(send("04" + Self.idm, to: &host) == "none")
    #expect(send("0C" + Self.idm, to: &host) == "none")
    #expect(send("06" + "1104A1B2C3D4E5F6" + "010B00018000", to: &host) == "none")
  }

  @Test(arguments: [
    ("010B0005" + "80008001800280038004", "FFA2"), ("010B0000", "FFA2"),
    ("020B0009000180" + "00", "FFA1"), ("010F00018000", "01A6"), ("010B00028000800F", "02A8"),
    ("010B00018100", "01A3"), ("010B00019000", "01A7"), ("010B0001000E00", "0000"),
    ("010B00018091", "01B2"), ("010900018000", "0000"),
  ])
  func `reading has its rules`(parameters: String, flags: String) throws {
    var host = try card("FeliCaLiteS")
    let answer = send("06" + Self.idm + parameters, to: &host)
    #expect(answer.dropFirst(18).hasPrefix(flags), "\(answer)")
  }

  @Test func `writes are kept and counted`() throws {
    var host = try card("FeliCaLiteS")
    let data = "000102030405060708090A0B0C0D0E0F"
    #expect(write(data, to: "800D", of: &host) == "0000")
    #expect(read("800D", from: &host) == "000001" + data)
    #expect(read("8090", from: &host).hasPrefix("000001010000"))
    let image = try #require(host.chip.field.tags.first?.chip.image)
    #expect(VirtualChips.chip(from: image)?.image == image)
  }

  @Test(arguments: ["8081", "8083", "8085", "8090", "8091", "8092", "80A0"])
  func `blocks of the system are not written to`(number: String) throws {
    var host = try card("FeliCaLiteS")
    #expect(write(String(repeating: "00", count: 16), to: number, of: &host) == "01A8")
  }

  @Test func `the register only falls`() throws {
    var host = try card("FeliCaLiteS")
    let rest = "FFFFFFFF" + "0102030405060708"
    #expect(write("00010000" + rest, to: "800E", of: &host) == "0000")
    #expect(write("01010000" + rest, to: "800E", of: &host) == "01A8")
    #expect(write("FF000000" + rest, to: "800E", of: &host) == "0000")
  }

  @Test func `memory configuration locks for good`() throws {
    var host = try card("FeliCaLiteS")
    let zeros = String(repeating: "00", count: 16)
    // Block 0 read-only, its own bit kept.
    #expect(
      write("FEFFFF0107" + String(repeating: "00", count: 11), to: "8088", of: &host) == "0000")
    #expect(write(zeros, to: "8000", of: &host) == "01A8")
    #expect(write(zeros, to: "8001", of: &host) == "0000")
    #expect(
      write("FFFFFF0107" + String(repeating: "00", count: 11), to: "8088", of: &host) == "0000")
    #expect(write(zeros, to: "8000", of: &host) == "01A8")
    #expect(send("06" + Self.idm + "010900018000", to: &host).dropFirst(18) == "01A8")
    // Now everything, and the configuration itself.
    #expect(
      write("0000000107" + String(repeating: "00", count: 11), to: "8088", of: &host) == "0000")
    for number in ["8001", "8082", "8084", "8086", "8087", "8088"] {
      #expect(write(zeros, to: number, of: &host) == "01A8")
    }
  }

  @Test func `blocks that need authentication refuse without`() throws {
    var host = try card("FeliCaLiteS")
    let mc = "FFFFFF0107" + "00" + "0200" + "0400" + "0800" + "00000000"
    #expect(write(mc, to: "8088", of: &host) == "0000")
    #expect(read("8001", from: &host) == "01B1")
    #expect(write(String(repeating: "00", count: 16), to: "8002", of: &host) == "01B1")
    #expect(write(String(repeating: "00", count: 16), to: "8003", of: &host) == "01A8")
  }

  // MARK: Standard

  @Test func `each system has its IDm`() throws {
    var host = try card("FeliCaStandard")
    let pmm = "0120220427674EFF"
    #expect(host.send("4A 01 01 00 FFFF 01 00") == "010114010104A1B2C3D4E5F6" + pmm + "0003")
    #expect(host.send("4A 01 01 00 FE00 01 00") == "010114011104A1B2C3D4E5F6" + pmm + "FE00")
    #expect(host.send("4A 01 01 00 12FC 01 00") == "00")
  }

  @Test func `commands go to the system whose IDm they name`() throws {
    var host = try card("FeliCaStandard")
    let second = "1104A1B2C3D4E5F6"
    #expect(send("0C" + Self.idm, to: &host) == "0D" + Self.idm + "020003FE00")
    #expect(send("04" + second, to: &host) == "05" + second + "00")
    #expect(send("02" + second + "028B1A0F09", to: &host) == "03" + second + "020000FFFF")
    #expect(send("02" + Self.idm + "028B1A0F09", to: &host) == "03" + Self.idm + "02FFFF0000")
    #expect(send("06" + second + "018B1A018000", to: &host).dropFirst(18).hasPrefix("000001"))
    #expect(send("06" + Self.idm + "018B1A018000", to: &host).dropFirst(18) == "01A6")
    #expect(send("06" + "2104A1B2C3D4E5F6" + "018B1A018000", to: &host) == "none")
  }

  @Test(arguments: FeliCaModel.allCases)
  func `packets of any kind are survived`(model: FeliCaModel) throws {
    var random = SeededGenerator(seed: 3)
    var host = try card(model.rawValue)
    for _ in 0..<3000 {
      let code: UInt8 = [0x00, 0x02, 0x04, 0x06, 0x08, 0x0C].randomElement(using: &random) ?? 0
      var packet = [code] + ([UInt8](hex: Self.idm) ?? [])
      for _ in 0..<Int.random(in: 0..<40, using: &random) {
        packet.append(UInt8.random(in: 0...255, using: &random) & 0x8F)
      }
      _ = send(packet.hex, to: &host)
    }
    #expect(host.send("4A 01 01 00 FFFF 00 00").hasPrefix("0101"))
  }
}
