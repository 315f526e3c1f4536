import Bytes
import Foundation
import Testing
import VirtualReader

/// Programs that speak through libnfc take the virtual cards for real ones.
struct CardProgramTests {
  private static let uid: [UInt8] = [0x04, 0xA1, 0xB2, 0xC3, 0xD4, 0xE5, 0xF6]

  private func reader(
    _ chip: String, _ change: (inout ChipImage) -> Void = { _ in }
  ) throws -> VirtualReader {
    var made = try #require(VirtualChips.make(name: chip, uid: Self.uid))
    change(&made)
    let image = made
    return try VirtualReader(
      configuration: VirtualReaderConfiguration(timing: .none, hold: .forever),
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

  @Test(arguments: [
    ("DESFireEV1", ["ATQA (SENS_RES): 03  44", "ATS: 75  77  81  02  80"]),
    ("Plus", ["ATQA (SENS_RES): 00  44", "ATS: 75  77  80  02  c1  05  2f  2f  01  bc  d6"]),
    ("Type4A", ["ATQA (SENS_RES): 00  44", "ATS: 75  77  81  02"]),
    ("ISO7816", ["ATS: 78  80  70  02  00  31  c1  73  c8  40  00  00  90  00"]),
  ])
  func `nfc-list describes a type A card`(chip: String, lines: [String]) async throws {
    let result = try await run("nfc-list", ["-v"], on: try reader(chip))
    #expect(result.status == 0)
    #expect(result.output.contains("1 ISO14443A passive target(s) found"), "\(result.output)")
    #expect(result.output.contains("UID (NFCID1): 04  a1  b2  c3  d4  e5  f6"))
    #expect(result.output.contains("SAK (SEL_RES): 20"))
    for line in lines { #expect(result.output.contains(line), "\(result.output)") }
  }

  @Test func `nfc-list describes a type B card`() async throws {
    let result = try await run("nfc-list", ["-v"], on: try reader("Type4B"))
    #expect(result.output.contains("1 ISO14443B passive target(s) found"), "\(result.output)")
    #expect(result.output.contains("PUPI: c3  d4  e5  f6"))
    #expect(result.output.contains("Protocol Info: 00  81  81"))
  }

  @Test(arguments: [
    ("FeliCaLiteS", "00  f1  00  00  00  01  43  00", "88  b4"),
    ("FeliCaStandard", "01  20  22  04  27  67  4e  ff", "00  03"),
  ])
  func `nfc-list describes a FeliCa`(chip: String, pmm: String, system: String) async throws {
    let result = try await run("nfc-list", ["-v"], on: try reader(chip))
    #expect(
      result.output.contains("1 Felica (212 kbps) passive target(s) found"), "\(result.output)")
    #expect(result.output.contains("ID (NFCID2): 01  04  a1  b2  c3  d4  e5  f6"))
    #expect(result.output.contains("Parameter (PAD): \(pmm)"))
    #expect(result.output.contains("System Code (SC): \(system)"))
  }

  @Test(arguments: [
    ("DESFireEV1", "ISO/IEC 14443A (106 kbps) target"),
    ("Type4B", "ISO/IEC 14443-4B (106 kbps) target"),
  ])
  func `nfc-poll sees a card come and go`(chip: String, kind: String) async throws {
    let image = try #require(VirtualChips.make(name: chip, uid: Self.uid))
    let reader = try VirtualReader(
      configuration: VirtualReaderConfiguration(
        timing: .none, hold: .duration(.milliseconds(100))),
      deck: [DeckEntry(make: { image })])
    let result = try await run("nfc-poll", on: reader)
    #expect(result.status == 0)
    #expect(result.output.contains(kind), "\(result.output)")
    #expect(result.output.contains("done."))
    #expect(reader.deckIsUsedUp)
  }

  @Test func `mifare-desfire-info describes a DESFire EV1`() async throws {
    let result = try await run("mifare-desfire-info", on: try reader("DESFireEV1"))
    #expect(
      result.output.contains("Version information for tag 04a1b2c3d4e5f6"), "\(result.output)")
    #expect(result.output.contains("Free memory"))
  }

  @Test func `nfc-read-forum-tag3 reads the attribute block of a Lite-S`() async throws {
    // A message of one empty record, so that there is something to extract.
    let reader = try reader("FeliCaLiteS") {
      guard case .lite(var blocks) = $0.feliCa?.memory else { return }
      blocks[0].replaceSubrange(11..<16, with: [0x00, 0x00, 0x03, 0x00, 0x26])
      blocks[1].replaceSubrange(0..<3, with: [0xD0, 0x00, 0x00])
      $0.feliCa?.memory = .lite(blocks: blocks)
    }
    let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: file) }
    let result = try await run("nfc-read-forum-tag3", ["-o", file.path], on: reader)
    #expect(result.output.contains("* Mapping version: 1.0"), "\(result.output)")
    #expect(result.output.contains("13 blocks (208 bytes)"))
    #expect(result.output.contains("* Checksum: ok"))
    #expect(try [UInt8](Data(contentsOf: file)) == [0xD0, 0x00, 0x00])
  }
}
