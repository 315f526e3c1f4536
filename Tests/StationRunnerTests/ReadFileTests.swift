import Foundation
import Ledger
import StationRunner
import Testing
import VirtualReader

/// What `read` steps keep.
@Suite struct ReadFileTests {
  static func tag(_ uri: String) -> ChipImage {
    var tag = Bench.fresh("NTAG215")[0]
    let text = Array(uri.utf8)
    let tlv = [0x03, UInt8(text.count + 5), 0xD1, 0x01, UInt8(text.count + 1), 0x55, 0x00] + text
    tag.pages.replaceSubrange(16..<(16 + tlv.count + 1), with: tlv + [0xFE])
    return tag
  }

  static func job(_ fields: String, _ file: String) -> String {
    "job: reads\nsteps:\n  - read: {into: \(file), fields: \(fields)}\n"
  }

  @Test func `a heading comes once, and cells are never formulas`() async throws {
    let bench = try Bench([Self.tag("=HYPERLINK(\"x\"),1")])
    for _ in 0..<2 {
      let (summary, ear) = try await bench.run(Self.job("[uid, uri]", "reads.csv"))
      #expect(summary.exit == .success, "\(summary) \(ear.tags)")
    }
    let text = try String(contentsOfFile: bench.folder + "/reads.csv", encoding: .utf8)
    let line = "04515253540001,\"'=HYPERLINK(\"\"x\"\"),1\"\r\n"
    #expect(text == "uid,uri\r\n" + line + line)
  }

  @Test func `another heading is refused with 73, and nothing is reported as read`() async throws {
    let bench = try Bench(Bench.fresh("NTAG215", count: 2))
    try bench.write("reads.csv", "uid,text\r\n")
    let (summary, ear) = try await bench.run(Self.job("[uid, uri]", "reads.csv"))
    #expect(summary.exit == .cannotCreate, "\(summary)")
    #expect(ear.tags.map(\.outcome) == [.failed])
    #expect(ear.tags.first?.cause == .data)
    #expect(
      try String(contentsOfFile: bench.folder + "/reads.csv", encoding: .utf8) == "uid,text\r\n")
  }

  @Test func `a line that was cut is ended first`() async throws {
    let bench = try Bench(Bench.fresh("NTAG215"))
    try bench.write("reads.csv", "uid,chip\r\n0451")
    _ = try await bench.run(Self.job("[uid, chip]", "reads.csv"))
    #expect(
      try String(contentsOfFile: bench.folder + "/reads.csv", encoding: .utf8)
        == "uid,chip\r\n0451\n04515253540001,NTAG215\r\n")
  }

  @Test func `JSON Lines have one object a tag`() async throws {
    let bench = try Bench([Self.tag("https://example.com/1")])
    _ = try await bench.run(Self.job("[uid, uri, locked, capacity]", "reads.jsonl"))
    #expect(
      try String(contentsOfFile: bench.folder + "/reads.jsonl", encoding: .utf8)
        == #"{"uid":"04515253540001","uri":"https://example.com/1","locked":false,"capacity":492}"#
        + "\n")
  }
}
