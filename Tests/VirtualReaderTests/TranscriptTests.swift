import Bytes
import Testing

@testable import VirtualReader

/// Frames recorded between libnfc 1.8.0 and a PN532: host frame in, chip frame out.
struct TranscriptTests {
  private static let acknowledge = "0000FF00FF00"

  private func expect(_ host: inout Host, _ sent: String, _ answer: String) {
    let wanted = [UInt8](hex: answer)?.hex ?? ""
    #expect(host.sendRaw(sent) == [Self.acknowledge, wanted], "after \(sent)")
  }

  @Test func `open, list one NTAG213 and close`() {
    var host = Host.with("NTAG213")
    let lines = [
      (
        "55 55 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 ff 03 fd d4 14 01 17 00",
        "00 00 ff 02 fe d5 15 16 00"
      ),
      (
        "00 00 ff 09 f7 d4 00 00 6c 69 62 6e 66 63 be 00",
        "00 00 ff 09 f7 d5 01 00 6c 69 62 6e 66 63 bc 00"
      ),
      ("00 00 ff 02 fe d4 02 2a 00", "00 00 ff 06 fa d5 03 32 01 06 07 e8 00"),
      ("00 00 ff 03 fd d4 12 14 06 00", "00 00 ff 02 fe d5 13 18 00"),
      (
        "00 00 ff 0c f4 d4 06 63 02 63 03 63 0d 63 38 63 3d b0 00",
        "00 00 ff 07 f9 d5 07 80 80 00 00 00 24 00"
      ),
      ("00 00 ff 04 fc d4 32 01 00 f9 00", "00 00 ff 02 fe d5 33 f8 00"),
      ("00 00 ff 04 fc d4 32 01 01 f8 00", "00 00 ff 02 fe d5 33 f8 00"),
      ("00 00 ff 06 fa d4 32 05 ff ff ff f8 00", "00 00 ff 02 fe d5 33 f8 00"),
      (
        "00 00 ff 0e f2 d4 06 63 02 63 03 63 05 63 38 63 3c 63 3d 19 00",
        "00 00 ff 08 f8 d5 07 80 80 40 00 10 00 d4 00"
      ),
      ("00 00 ff 06 fa d4 32 05 00 01 02 f2 00", "00 00 ff 02 fe d5 33 f8 00"),
      (
        "00 00 ff 04 fc d4 4a 01 00 e1 00",
        "00 00 ff 0f f1 d5 4b 01 01 00 44 00 07 04 a1 b2 c3 d4 e5 f6 ca 00"
      ),
      ("00 00 ff 03 fd d4 44 00 e8 00", "00 00 ff 03 fd d5 45 00 e6 00"),
      ("00 00 ff 04 fc d4 4a 01 00 e1 00", "00 00 ff 03 fd d5 4b 00 e0 00"),
      ("00 00 ff 06 fa d4 32 05 ff ff ff f8 00", "00 00 ff 02 fe d5 33 f8 00"),
      ("00 00 ff 03 fd d4 52 00 da 00", "00 00 ff 03 fd d5 53 00 d8 00"),
      ("00 00 ff 04 fc d4 32 01 00 f9 00", "00 00 ff 02 fe d5 33 f8 00"),
      ("00 00 ff 03 fd d4 16 f0 26 00", "00 00 ff 03 fd d5 17 00 14 00"),
    ]
    for (sent, answer) in lines { expect(&host, sent, answer) }
  }

  @Test func `exchanges with an NTAG213`() {
    var host = Host.with("NTAG213")
    host.send("320500 01 02")
    host.send("4A 01 00")
    let lines = [
      (
        "00 00 ff 05 fb d4 40 01 30 04 b7 00",
        "00 00 ff 13 ed d5 41 00 01 03 a0 0c 34 03 00 fe 00 00 00 00 00 00 00 00 05 00"
      ),
      ("00 00 ff 09 f7 d4 40 01 a2 05 01 02 03 04 3a 00", "00 00 ff 03 fd d5 41 00 ea 00"),
      (
        "00 00 ff 03 fd d4 42 60 8a 00",
        "00 00 ff 0b f5 d5 43 00 00 04 04 02 01 00 0f 03 cb 00"
      ),
      ("00 00 ff 08 f8 d4 42 a2 05 01 02 03 04 39 00", "00 00 ff 03 fd d5 43 02 e6 00"),
      (
        "00 00 ff 15 eb d4 40 01 a0 04 01 03 a0 0c 00 00 00 00 00 00 00 00 00 00 00 00 97 00",
        "00 00 ff 03 fd d5 41 00 ea 00"
      ),
      ("00 00 ff 09 f7 d4 40 01 a2 00 01 02 03 04 3f 00", "00 00 ff 03 fd d5 41 13 d7 00"),
      ("00 00 ff 05 fb d4 40 01 30 04 b7 00", "00 00 ff 03 fd d5 41 01 e9 00"),
      (
        "00 00 ff 0c f4 d4 4a 01 00 88 04 a1 b2 c3 d4 e5 f6 90 00",
        "00 00 ff 0f f1 d5 4b 01 01 00 44 00 07 04 a1 b2 c3 d4 e5 f6 ca 00"
      ),
      (
        "00 00 ff 0f f1 d4 40 01 60 03 ff ff ff ff ff ff de ad be ef 56 00",
        "00 00 ff 03 fd d5 41 14 d6 00"
      ),
    ]
    for (sent, answer) in lines { expect(&host, sent, answer) }
  }

  @Test func `raw frames with the CRC made by the host`() {
    var host = Host.with("NTAG213")
    host.send("320500 01 02")
    host.send("4A 01 00")
    host.send("08 6302 00 6303 00")
    expect(
      &host, "00 00 ff 05 fb d4 42 60 f8 32 60 00",
      "00 00 ff 0d f3 d5 43 00 00 04 04 02 01 00 0f 03 80 91 ba 00")
  }

  @Test func `FAST_READ of the whole memory`() throws {
    var host = Host.with("NTAG213")
    host.send("320500 01 02")
    host.send("4A 01 00")
    let answers = host.sendRaw("00 00 ff 05 fb d4 42 3a 00 2c 84 00")
    let reply = try #require(answers.last.flatMap { [UInt8](hex: $0) })
    #expect(reply.prefix(8).hex == "0000FFB749D54300")
    #expect(reply.count == 180 + 10)
    // PWD and PACK read as zero, so the data is the memory but for its last eight bytes.
    #expect(Array(reply[8..<180]) == Array(host.memory[..<172]))
    #expect(reply[180..<188].hex == "0000000000000000")
  }

  @Test func `seven bits of REQA are answered by the ATQA, low byte first`() {
    var host = Host.with("NTAG213")
    host.send("320101")
    host.send("08 6302 00 6303 00 633D 07")
    expect(&host, "00 00 ff 03 fd d4 42 26 c4 00", "00 00 ff 05 fb d5 43 00 44 00 a4 00")
    #expect(host.send("06 633C") == "10")
  }

  @Test func `four bits of an acknowledgement come as one byte without CRC checking`() {
    var host = Host.with("NTAG213")
    host.send("4A 01 00")
    host.send("08 6303 00")
    #expect(host.send("42 A2 05 01 02 03 04") == "000A")
    #expect(host.send("06 633C") == "14")
    #expect(host.send("42 A2 00 01 02 03 04") == "0000")
    #expect(host.send("42 30 00") == "01")
  }

  @Test func `nfc-poll finds an NTAG under the type 10`() {
    var host = Host.with("NTAG213")
    expect(
      &host, "00 00 ff 0b f5 d4 60 14 02 20 10 03 11 12 04 03 59 00",
      "00 00 ff 11 ef d5 61 01 10 0c 01 00 44 00 07 04 a1 b2 c3 d4 e5 f6 98 00")
    #expect(host.send("40 01 30 00").hasPrefix("00" + "04A1B29F"))
  }

  @Test func `probing for B' finds nothing`() {
    var host = Host.with("NTAG213")
    host.send("4A 01 00")
    expect(
      &host, "00 00 ff 08 f8 d4 08 63 02 83 63 03 83 53 00", "00 00 ff 02 fe d5 09 22 00")
    expect(
      &host, "00 00 ff 06 fa d4 42 01 0b 3f 80 1f 00", "00 00 ff 03 fd d5 43 01 e7 00")
    #expect(host.send("40 01 30 04").hasPrefix("00"), "the type A tag heard nothing of it")
  }

  @Test func `a DESFire is listed with its answer to select`() throws {
    var host = Host.with("DESFireEV1", uid: [0x04, 0x11, 0x22, 0x33, 0x44, 0x55, 0x66])
    host.send("320500 01 02")
    expect(
      &host, "00 00 ff 04 fc d4 4a 01 00 e1 00",
      """
      00 00 ff 15 eb d5 4b 01 01 03 44 20 07 04 11 22 33 44 55 66 06 75 77 81 02 80 12 00
      """)
    expect(
      &host, "00 00 ff 08 f8 d4 40 01 90 60 00 00 00 fb 00",
      "00 00 ff 0c f4 d5 41 00 04 01 01 01 00 1a 05 91 af 84 00")
  }

  @Test func `a DESFire is polled under the type 20`() {
    var host = Host.with("DESFireEV1", uid: [0x04, 0x11, 0x22, 0x33, 0x44, 0x55, 0x66])
    expect(
      &host, "00 00 ff 0b f5 d4 60 14 02 20 10 03 11 12 04 03 59 00",
      """
      00 00 ff 17 e9 d5 61 01 20 12 01 03 44 20 07 04 11 22 33 44 55 66 06 75 77 81 02 80 ca 00
      """)
    // R(NAK) 0 meets a card that is still at block number 1.
    #expect(host.send("42 B2") == "00A3")
  }

  @Test func `a FeliCa Lite-S is listed and read`() {
    var host = Host.with("FeliCaLiteS", uid: [0x01, 0x01, 0x2E, 0x3D, 0x4C, 0x5B, 0x6A, 0x79])
    host.send("320500 01 02")
    // Asked for any system, a Lite-S names its own one first, not NDEF's.
    #expect(
      host.send("4A 01 01 00 FF FF 01 00")
        == "0101140101012E3D4C5B6A7900F10000000143" + "0088B4")
    #expect(
      host.send("4A 01 02 00 12 FC 01 00")
        == "0101140101012E3D4C5B6A7900F10000000143" + "0012FC")
    #expect(
      host.send("42 10 06 01012E3D4C5B6A79 01 0B00 01 8000")
        == "001D0701012E3D4C5B6A79000001" + "100401000D0000000000010000000023")
  }

  @Test func `a type B card is listed and asked for its presence`() {
    var host = Host.with("Type4B", uid: [0xA1, 0xB2, 0xC3, 0xD4])
    host.send("320500 01 02")
    expect(
      &host, "00 00 ff 05 fb d4 4a 01 03 00 de 00",
      "00 00 ff 12 ee d5 4b 01 01 50 a1 b2 c3 d4 00 00 00 00 00 81 81 01 01 a0 00")
    #expect(host.send("42 BA 01") == "00AB01")
  }

  @Test func `an answer of more than 255 bytes comes in an extended frame`() throws {
    var image = try #require(VirtualChips.make(name: "Type4A", uid: Host.uid))
    image.card?.applications[0] = .ndef(size: 0x0800, answers: 0x0100, commands: 0xFF)
    var host = Host([image])
    host.send("320500 01 02")
    host.send("4A 01 00")
    #expect(host.send("40 01 00A4040007D276000085010100") == "009000")
    #expect(host.send("40 01 00A4000C02E104") == "009000")
    let data = String(repeating: "AB", count: 255)
    #expect(host.send("40 01 00D60000FF" + data) == "009000")
    #expect(host.send("40 01 00B0000000") == "00" + data + "00" + "9000")
  }
}
