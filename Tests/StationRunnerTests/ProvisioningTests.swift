import Bytes
import Ledger
import Platform
import StationRunner
import Testing
import VirtualReader

@Suite struct ProvisioningTests {
  static let job = """
    job: urls
    data: {csv: cards.csv, key: code}
    steps:
      - write:
          - uri: "https://example.com/c/${row.code}"
      - verify
      - lock
    """

  static func cards(_ count: Int) -> String {
    "code,name\n" + (1...count).map { "A\($0),Name \($0)\n" }.joined()
  }

  @Test func `each tag gets its own row, verified and locked`() async throws {
    let bench = try Bench(Bench.fresh("NTAG213", count: 3))
    try bench.write("cards.csv", Self.cards(3))
    let (summary, ear) = try await bench.run(Self.job)
    #expect(ear.tags.map(\.outcome) == [.passed, .passed, .passed], "\(summary) \(ear.tags)")
    #expect(summary.exit == .success)
    #expect(summary.reason == .usedUp)
    #expect(ear.tags.map(\.row) == ["A1", "A2", "A3"])
    // NTAG213 leaves the factory with a lock control TLV; the message's TLV follows it in page 5.
    let image = bench.image(2)
    #expect(image.page(4).hex == "0103A00C")
    // URI record (NFC Forum URI 1.0): D1 01 11 55, prefix 04 (https://), text; then the terminator TLV.
    let text = Array("example.com/c/A2".utf8).hex
    #expect(Array(image.pages[20..<44]).hex == "340315D101115504\(text)")
    #expect(image.page(11).hex == "FE000000")
    #expect(image.page(2)[2...3] == [0xFF, 0xFF])
    #expect(image.page(3).hex == "E110120F")
    #expect(image.page(0x28).hex == "FF0F00BD")
  }

  @Test func `a second run touches no tag and ends with 0`() async throws {
    let bench = try Bench(Bench.fresh("NTAG215", count: 2))
    try bench.write("cards.csv", Self.cards(2))
    _ = try await bench.run(Self.job)
    let before = bench.shelf.withLock { $0 }
    let (summary, ear) = try await bench.run(Self.job)
    #expect(summary.exit == .success)
    #expect(summary.reason == .usedUp)
    #expect(ear.tags.isEmpty)
    #expect(bench.shelf.withLock { $0 } == before)
  }

  @Test func `tags of an earlier run are skipped while rows are left`() async throws {
    let bench = try Bench(Bench.fresh("NTAG213", count: 3))
    try bench.write("cards.csv", Self.cards(3))
    _ = try await bench.run(Self.job, positions: [1, 2])
    let (summary, ear) = try await bench.run(Self.job, positions: [1, 2, 3])
    #expect(ear.tags.map(\.outcome) == [.skipped, .skipped, .passed])
    #expect(ear.tags.last?.row == "A3")
    #expect(summary.exit == .success)
  }

  @Test func `the ledger, the log and the tags agree`() async throws {
    let bench = try Bench(Bench.fresh("NTAG216", count: 4))
    try bench.write("cards.csv", Self.cards(4))
    _ = try await bench.run(Self.job)
    let rows = try bench.ledger().rows(series: "urls", state: .done)
    let tags = try bench.log().filter { $0["event"] as? String == "tag" }
    #expect(rows.count == 4)
    #expect(tags.count == 4)
    for row in rows {
      let event = tags.first { $0["row"] as? String == row.key }
      #expect(event?["uid"] as? String == row.uid?.hex)
      #expect(event?["outcome"] as? String == "passed")
      #expect(event?["virtual"] as? Bool == true)
    }
    let sequence = try bench.log().compactMap { $0["seq"] as? Int }
    #expect(sequence == Array(1...sequence.count))
  }
}
