import Bytes
import Foundation
import Testing
import VirtualReader

/// Programs that speak through libnfc take the virtual reader for a chip.
struct LibNFCProgramTests {
  private static let uid: [UInt8] = [0x04, 0xA1, 0xB2, 0xC3, 0xD4, 0xE5, 0xF6]

  private func reader(
    _ chip: String, timing: ModelClock.Timing = .none, hold: DeckHold = .forever
  ) throws -> VirtualReader {
    let image = try #require(VirtualChips.make(name: chip, uid: Self.uid))
    return try VirtualReader(
      configuration: VirtualReaderConfiguration(timing: timing, hold: hold),
      deck: [DeckEntry(make: { image })])
  }

  private func run(
    _ name: String, _ arguments: [String] = [], on reader: VirtualReader
  ) async throws -> Program.Result {
    try await Program(name).run(
      arguments,
      environment: [
        "LIBNFC_DEVICE": reader.connectionString, "LIBNFC_AUTO_SCAN": "false",
        "LIBNFC_LOG_LEVEL": "0",
      ])
  }

  private func withFile<Value>(_ body: (URL) async throws -> Value) async throws -> Value {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: file) }
    return try await body(file)
  }

  @Test(arguments: [
    "NTAG210", "NTAG212", "NTAG213", "NTAG215", "NTAG216", "Ultralight", "UltralightEV1-48",
    "UltralightEV1-128",
  ])
  func `nfc-list describes the tag`(chip: String) async throws {
    let reader = try reader(chip)
    let result = try await run("nfc-list", ["-v"], on: reader)
    #expect(result.status == 0)
    #expect(result.output.contains("ATQA (SENS_RES): 00  44"))
    #expect(result.output.contains("UID (NFCID1): 04  a1  b2  c3  d4  e5  f6"))
    #expect(result.output.contains("SAK (SEL_RES): 00"))
    #expect(result.output.contains("1 ISO14443A passive target(s) found"))
  }

  @Test func `nfc-list finds the tag at the speed of real hardware`() async throws {
    let reader = try reader("NTAG213", timing: .real)
    let began = ContinuousClock.now
    let result = try await run("nfc-list", ["-t", "1"], on: reader)
    #expect(result.output.contains("1 ISO14443A passive target(s) found"), "\(result.output)")
    #expect(ContinuousClock.now - began >= reader.work.modelled)
  }

  @Test func `nfc-list finds two tags that lie together`() async throws {
    let reader = try reader("NTAG213")
    let other = try #require(
      VirtualChips.make(name: "NTAG216", uid: [0x04, 0x11, 0x22, 0x33, 0x44, 0x55, 0x66]))
    reader.place(other)
    let result = try await run("nfc-list", on: reader)
    #expect(result.output.contains("2 ISO14443A passive target(s) found"))
    #expect(result.output.contains("04  a1  b2  c3  d4  e5  f6"))
    #expect(result.output.contains("04  11  22  33  44  55  66"))
  }

  @Test func `nfc-poll sees the tag come and go`() async throws {
    let reader = try reader("NTAG215", hold: .duration(.milliseconds(100)))
    let result = try await run("nfc-poll", on: reader)
    #expect(result.status == 0)
    #expect(result.output.contains("UID (NFCID1): 04  a1  b2  c3  d4  e5  f6"))
    #expect(result.output.contains("done."))
    #expect(reader.deckIsUsedUp)
  }

  @Test func `nfc-poll ends its polling without a tag`() async throws {
    let reader = try VirtualReader(configuration: VirtualReaderConfiguration(timing: .none))
    let result = try await run("nfc-poll", on: reader)
    #expect(result.output.contains("No target found."))
  }

  @Test(arguments: ["NTAG213", "NTAG215", "NTAG216", "Ultralight", "UltralightEV1-48"])
  func `nfc-mfultralight reads the whole memory`(chip: String) async throws {
    let reader = try reader(chip)
    let image = try #require(reader.images.first)
    let dump = try await withFile { file in
      let result = try await run("nfc-mfultralight", ["r", file.path], on: reader)
      #expect(result.status == 0, "\(result.output)")
      return try [UInt8](Data(contentsOf: file))
    }
    var shown = image.pages
    if image.pages.count > 64 {
      shown.replaceSubrange((shown.count - 8)..., with: [UInt8](repeating: 0, count: 8))
    }
    #expect(dump == shown)
  }

  @Test func `nfc-mfultralight writes user memory`() async throws {
    let reader = try reader("NTAG213")
    var wanted = try #require(reader.images.first).pages
    for page in 4..<40 {
      wanted.replaceSubrange(page * 4..<page * 4 + 4, with: (0..<4).map { UInt8(page * 4 + $0) })
    }
    let result = try await withFile { file in
      try Data(wanted).write(to: file)
      // No OTP, lock, dynamic lock and UID bytes are written.
      return try await run("nfc-mfultralight", ["w", file.path], on: reader)
    }
    let memory = try #require(reader.images.first).pages
    #expect(Array(memory[..<160]) == Array(wanted[..<160]), "\(result.output)")
  }

  @Test func `nfc-anticol goes through the bit frames`() async throws {
    let reader = try reader("NTAG213")
    let result = try await run("nfc-anticol", on: reader)
    #expect(result.status == 0)
    #expect(result.output.contains("Found tag with\n UID: 04a1b2c3d4e5f6"), "\(result.output)")
    #expect(result.output.contains("ATQA: 0044"))
    #expect(result.output.contains(" SAK: 00"))
  }

  @Test func `nfc-scan-device names the chip`() async throws {
    let reader = try reader("NTAG213")
    let result = try await run("nfc-scan-device", ["-v"], on: reader)
    #expect(result.output.contains("PN532 v1.6"), "\(result.output)")
    #expect(result.output.contains("ISO/IEC 14443A (424 kbps, 212 kbps, 106 kbps)"))
  }

  @Test func `pn53x-diagnose passes all its tests`() async throws {
    let reader = try reader("NTAG213")
    let result = try await run("pn53x-diagnose", on: reader)
    #expect(result.output.contains("Communication line test: OK"), "\(result.output)")
    #expect(result.output.contains("ROM test: OK"))
    #expect(result.output.contains("RAM test: OK"))
  }

  @Test func `mifare-ultralight-info knows the family`() async throws {
    let reader = try reader("Ultralight")
    let result = try await run("mifare-ultralight-info", on: reader)
    #expect(result.status == 0)
    #expect(result.output.contains("04a1b2c3d4e5f6"), "\(result.output)")
  }

  @Test func `mfoc finds no MIFARE Classic`() async throws {
    let reader = try reader("NTAG213")
    let result = try await withFile { try await run("mfoc", ["-O", $0.path], on: reader) }
    #expect(result.status != 0)
    #expect(result.output.contains("Classic"), "\(result.output)")
  }
}
