import Bytes
import Foundation
import Testing
import VirtualReader

/// nfcpy, which has a PN532 driver of its own, writes and reads a tag.
struct NFCPyTests {
  struct NoPython: Error, CustomStringConvertible {
    let description =
      "no Python with the nfcpy package: set NFCPY_PYTHON to one, or see the README for its installation"
  }

  /// A Python that has nfcpy.
  private func python() async throws -> Program {
    let named = ProcessInfo.processInfo.environment["NFCPY_PYTHON"]
    let candidate = try named.map { Program(path: $0) } ?? Program("python3")
    guard try await candidate.run(["-c", "import nfc, ndef"]).status == 0 else { throw NoPython() }
    return candidate
  }

  /// Puts a factory-new tag on a reader that has a name in /dev, and writes a URI to it with nfcpy.
  private func write(
    _ uri: String, to chip: String
  ) async throws -> (output: String, image: ChipImage?) {
    let image = try #require(
      VirtualChips.make(name: chip, uid: [0x04, 0x12, 0x34, 0x56, 0x78, 0x90, 0x81]))
    let name = "ttyVNFC\(getpid())\(chip)"
    let reader = try VirtualReader(
      configuration: VirtualReaderConfiguration(
        timing: .none, hold: .forever, link: "/dev/\(name)"),
      deck: [DeckEntry(make: { image })])
    defer { reader.stop() }
    let script = try #require(
      Bundle.module.path(forResource: "write_ndef", ofType: "py", inDirectory: "Fixtures"))
    let result = try await python().run([script, "tty:\(name):pn532", uri])
    #expect(result.status == 0, "\(result.output)")
    #expect(result.output.contains("uri \(uri)"), "\(result.output)")
    let written = reader.images.first
    reader.stop()
    #expect(!FileManager.default.fileExists(atPath: "/dev/\(name)"))
    return (result.output, written)
  }

  @Test(.enabled(if: getuid() == 0, "nfcpy takes ports in /dev only"))
  func `nfcpy writes a URI at 921600 baud and reads it back`() async throws {
    let (output, image) = try await write("https://example.com/c/1", to: "NTAG213")
    #expect(output.contains("baud 921600"))
    #expect(output.contains("product NXP NTAG213"))
    // After the lock control TLV: a short URI record with the prefix https:// (04).
    #expect(image?.pages[16..<28].hex == "0103A00C340314D101105504")
  }

  @Test(
    .enabled(if: getuid() == 0, "nfcpy takes ports in /dev only"),
    arguments: ["NTAG210", "NTAG212", "NTAG215", "NTAG216"])
  func `nfcpy knows the chip, writes a URI and reads it back`(chip: String) async throws {
    let (output, image) = try await write("https://example.com/c/1", to: chip)
    #expect(output.contains("product NXP \(chip)"), "\(output)")
    #expect(image?.pages.hex.contains("0314D101105504") == true)
  }

  @Test(
    .enabled(if: getuid() == 0, "nfcpy takes ports in /dev only"),
    arguments: ["Type4A", "DESFireEV1"])
  func `nfcpy writes a URI to a type 4 tag and reads it back`(chip: String) async throws {
    let path = String(repeating: "long", count: 60)
    let (_, image) = try await write("https://example.com/\(path)", to: chip)
    let file = try #require(image?.card?.applications.first?.files.last)
    // A message of 257 bytes: a short URI record with the prefix https:// (04).
    #expect(file.bytes.hex.hasPrefix("0101D101FD5504"), "\(file.bytes.prefix(8).hex)")
    #expect(String(decoding: file.bytes, as: UTF8.self).contains("example.com/" + path))
  }

  @Test(.enabled(if: getuid() == 0, "nfcpy takes ports in /dev only"))
  func `nfcpy writes a URI to a FeliCa Lite-S and reads it back`() async throws {
    let (output, image) = try await write("https://example.com/c/1", to: "FeliCaLiteS")
    #expect(output.contains("product FeliCa Lite-S (RC-S966)"))
    guard case .lite(let blocks) = image?.feliCa?.memory else {
      Issue.record("no blocks")
      return
    }
    // Not being written, writable, a message of 20 bytes.
    #expect(blocks[0][9...].prefix(5).hex == "0001000014")
    #expect(blocks[1].hex.hasPrefix("D101105504"))
  }
}
