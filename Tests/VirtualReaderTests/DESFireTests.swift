import Bytes
import Foundation
import Testing

@testable import VirtualReader

/// A DESFire EV1 without keys, against a session recorded with a real card.
struct DESFireTests {
  struct Recording: Decodable {
    struct Operation: Decodable {
      let op: String
      let exchanges: [Exchange]
    }
    struct Exchange: Decodable {
      let frame_tx: String
      let picc_tx: String
      let frame_rx: String
      let picc_rx: String
    }
    let ops: [Operation]
  }

  struct Wrapped: Decodable {
    struct Session: Decodable {
      let name: String
      let exchanges: [Exchange]
    }
    struct Exchange: Decodable {
      let tx: String
      let rx: String
    }
    let sessions: [Session]
  }

  private func fixture<Value: Decodable>(_ name: String) throws -> Value {
    let file = try #require(
      Bundle.module.url(forResource: name, withExtension: "json", subdirectory: "Fixtures"))
    return try JSONDecoder().decode(Value.self, from: Data(contentsOf: file))
  }

  private func card(
    _ uid: [UInt8] = Host.uid, _ change: (inout ChipImage) -> Void = { _ in }
  ) throws -> Host {
    var image = try #require(VirtualChips.make(name: "DESFireEV1", uid: uid))
    change(&image)
    var host = Host([image])
    host.send("320500 01 02")
    host.send("4A 01 00")
    return host
  }

  @Test func `frames recorded before any authentication are answered as by the card`() throws {
    let recording: Recording = try fixture("desfire-ev1-transcript")
    var host = try card([0x04, 0x06, 0x3F, 0x72, 0x63, 0x34, 0x80])
    for operation in recording.ops.prefix(2) {
      for exchange in operation.exchanges {
        #expect(
          host.sendRaw(exchange.frame_tx) == ["0000FF00FF00", exchange.frame_rx.uppercased()],
          "\(operation.op)")
      }
    }
  }

  @Test func `GetVersion is the recorded card's`() throws {
    let recording: Recording = try fixture("desfire-ev1-transcript")
    let version = try #require(recording.ops.first { $0.op == "GetCardVersion()" })
    var host = try card([0x04, 0x06, 0x3F, 0x72, 0x63, 0x34, 0x80])
    for exchange in version.exchanges {
      // The recording's last frame ends with eight bytes of CMAC.
      let whole = "00" + exchange.picc_rx.uppercased()
      let wanted = whole.hasPrefix("0000") ? String(whole.dropLast(16)) : whole
      #expect(host.send("40 01" + exchange.picc_tx) == wanted)
    }
  }

  @Test func `wrapped commands before any authentication are answered as by the card`() throws {
    let wrapped: Wrapped = try fixture("desfire-ev1-wrapped-apdus")
    // Selection of the card itself, the version and its other two parts.
    let plain = ["905a00000300000000", "9060000000", "90af000000"]
    for session in wrapped.sessions {
      let opening = session.exchanges.prefix { plain.contains($0.tx) }
      let parts = opening.filter { !$0.tx.hasPrefix("905a") }
      var host = try card {
        if parts.count == 3 {
          $0.version = parts.flatMap { ([UInt8](hex: $0.rx) ?? []).dropLast(2) }
        }
      }
      for exchange in opening {
        #expect(
          host.send("40 01" + exchange.tx) == "00" + exchange.rx.uppercased(), "\(session.name)")
      }
    }
  }

  @Test func `the directory is given native and wrapped`() throws {
    var host = try card()
    #expect(host.send("40 01 6A") == "0000" + "010000")
    #expect(host.send("40 01 906A000000") == "00" + "0100009100")
    #expect(host.send("40 01 6D") == "0000" + "010000" + "10E1" + "D2760000850101")
    #expect(host.send("40 01 5A 010000") == "0000")
    #expect(host.send("40 01 6A") == "009D", "inside an application")
    #expect(host.send("40 01 6F") == "0000" + "0102")
    #expect(host.send("40 01 61") == "0000" + "03E104E1")
    #expect(host.send("40 01 F501") == "0000" + "000000E00F0000")
    #expect(host.send("40 01 BD 01 000000 0F0000") == "0000" + "000F20003B00340406E10408000000")
    #expect(host.send("40 01 905A00000303020100") == "0091A0")
    #expect(host.send("40 01 905A00000300000000") == "009100")
  }

  @Test func `more applications than a frame holds come in two`() throws {
    var host = try card {
      $0.card?.applications = (1...28).map {
        CardApplication(name: [], number: [UInt8($0), 0x00, 0xF4])
      }
    }
    let first = host.send("40 01 6A")
    #expect(first.hasPrefix("00AF0100F4") && first.count == 2 * (2 + 57))
    let second = host.send("40 01 AF")
    #expect(second.hasPrefix("00001400F4") && second.count == 2 * (2 + 27))
  }

  @Test func `a card without applications has no NDEF application`() throws {
    var host = try card { $0.card?.applications = [] }
    #expect(host.send("40 01 6A") == "0000")
    #expect(host.send("40 01 00A4040007D276000085010100") == "006A82")
    #expect(host.send("40 01 906A000000") == "009100")
  }

  @Test(arguments: [
    ("00", "1C"), ("99", "1C"), ("AF", "1C"), ("5A0102", "7E"), ("5A010203", "A0"), ("6401", "40"),
    ("F501", "9D"), ("6000", "7E"), ("0A05", "40"), ("CA0200000F01", "AE"), ("FC", "AE"),
  ])
  func `a wrong command has its status`(command: String, status: String) throws {
    var host = try card()
    #expect(host.send("40 01" + command) == "00" + status)
  }

  @Test func `a command before all frames were fetched is aborted`() throws {
    var host = try card()
    #expect(host.send("40 01 60").hasPrefix("00AF"))
    #expect(host.send("40 01 6A") == "00CA")
    #expect(host.send("40 01 6A") == "0000010000")
  }

  @Test func `no key opens it`() throws {
    var host = try card()
    #expect(host.send("40 01 0A00").hasPrefix("00AF"))
    #expect(host.send("40 01 AF" + String(repeating: "00", count: 16)) == "00AE")
  }

  @Test func `a file is written in one frame or several and read by either kind of command`() throws
  {
    var host = try card()
    host.send("40 01 5A010000")
    #expect(host.send("40 01 3D 02 000000 060000 0004D1010054") == "0000")
    #expect(host.send("40 01 3D 02 060000 040000 AABB") == "00AF")
    #expect(host.send("40 01 AF CCDD") == "0000")
    #expect(host.send("40 01 BD 02 000000 0A0000") == "0000" + "0004D1010054AABBCCDD")
    host.send("40 01 00A4040007D276000085010100")
    host.send("40 01 00A4000C02E104")
    #expect(host.send("40 01 00B000000A") == "00" + "0004D1010054AABBCCDD9000")
    #expect(host.send("40 01 3D 01 000000 010000 00") == "00AE", "not the container")
    #expect(host.send("40 01 3D 02 FF0700 020000 0000") == "00BE")
    #expect(host.send("40 01 BD 02 000000 3C0000").hasPrefix("00AF"))
    #expect(host.send("40 01 AF") == "0000" + "00")
  }
}
