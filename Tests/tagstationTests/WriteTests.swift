import Foundation
import Testing

/// `tagstation write`: one value on one tag.
struct WriteTests {
  private let folder: ScratchFolder

  init() throws {
    folder = try ScratchFolder()
    try folder.write(
      "station.yaml",
      """
      station: desk
      declarations: {formats: [TAG], usageDescription: Write by hand}
      readers:
        desk: {virtual: {tags: [NTAG213], keep: keep, timing: none}}
      """)
  }

  /// A page of the kept tag, as the file has it.
  private func page(_ number: Int) throws -> String? {
    let text = try String(
      contentsOf: folder.url.appending(path: "keep/desk-1.nfc"), encoding: .utf8)
    let start = "Page \(number): "
    return text.split(separator: "\n").first { $0.hasPrefix(start) }.map {
      String($0.dropFirst(start.count))
    }
  }

  @Test func `a URI is written and verified, and once more on the tag that has it`() throws {
    for _ in 0..<2 {
      let result = try folder.program.run("write", "https://example.com/")
      #expect(result.status == 0, "\(result.errors)")
      #expect(result.errors.contains("passed"))
    }
    // NTAG213 leaves the factory with a lock control TLV in page 4. A URI record (NFC Forum URI 1.0): D1 01,
    // 13 bytes, 55, prefix 04 for https://, and the rest.
    #expect(try page(5) == "34 03 11 D1")
    #expect(try page(6) == "01 0D 55 04")
    #expect(try page(7) == "65 78 61 6D")
    #expect(try page(2)?.hasSuffix("00 00") == true)
  }

  @Test func `a text is written with its language, and a dollar stays one`() throws {
    let result = try folder.program.run("write", "costs ${5}")
    #expect(result.status == 0, "\(result.errors)")
    // A text record (NFC Forum Text 1.0): 54, status 02, `en`.
    #expect(try page(6) == "01 0D 54 02")
    #expect(try page(7) == "65 6E 63 6F")
    let text = try folder.program.run("write", "--text", "--overwrite", "tel:1")
    #expect(text.status == 0, "\(text.errors)")
    #expect(try page(6) == "01 08 54 02")
  }

  @Test func `what the tag holds is written over only where that is asked for`() throws {
    #expect(try folder.program.run("write", "https://example.com/1").status == 0)
    let refused = try folder.program.run("write", "https://example.com/2")
    #expect(refused.status == 1)
    #expect(refused.errors.contains("notEmpty"), "\(refused.errors)")
    #expect(try folder.program.run("write", "--overwrite", "https://example.com/2").status == 0)
    // And back again, on a tag that the ledger knows.
    #expect(try folder.program.run("write", "--overwrite", "https://example.com/1").status == 0)
    #expect(try page(10)?.hasPrefix("31 FE") == true)
  }

  @Test func `the tag is locked where that is asked for, also later`() throws {
    #expect(try folder.program.run("write", "https://example.com/").status == 0)
    let result = try folder.program.run("write", "--lock", "https://example.com/")
    #expect(result.status == 0, "\(result.errors)")
    #expect(try page(2)?.hasSuffix("FF FF") == true)
    #expect(try page(3) == "E1 10 12 0F")
  }

  @Test func `a dry run writes nothing and makes no ledger`() throws {
    let result = try folder.program.run(
      "write", "--dry-run", "--lock", "--format", "jsonl", "https://example.com/")
    #expect(result.status == 0, "\(result.errors)")
    let events = try result.lines.map {
      try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any] ?? [:]
    }
    #expect(!events.isEmpty)
    #expect(events.allSatisfy { $0["seq"] is NSNull })
    let tag = events.first { $0["event"] as? String == "tag" }
    #expect(tag?["outcome"] is NSNull)
    #expect(!FileManager.default.fileExists(atPath: folder.url.appending(path: "var").path()))
    #expect(
      !FileManager.default.fileExists(
        atPath: folder.url.appending(path: "keep/desk-1.nfc").path()))
  }

  @Test(arguments: ["", "https://example.com/a b", "http://[::1"])
  func `a value that cannot be written is wrong usage`(_ value: String) throws {
    let result = try folder.program.run("write", value)
    #expect(result.status == 64, "\(result.errors)")
    #expect(result.output.isEmpty)
  }
}
