import Ledger
import Platform
import StationRunner
import Testing
import VirtualReader

/// Every subject of `expect`, met and missed.
@Suite struct ExpectTests {
  struct Row: Sendable, CustomTestStringConvertible {
    let subject: String
    let met: String
    let missed: String
    var testDescription: String { subject }
  }

  static let rows = [
    Row(subject: "kind", met: "miFare", missed: "iso7816"),
    Row(subject: "chip", met: "[NTAG213, NTAG215]", missed: "NTAG216"),
    Row(subject: "uid", met: "\"04515253540001\"", missed: "\"04515253540002\""),
    Row(subject: "content", met: "message", missed: "empty"),
    Row(
      subject: "records", met: "[uri: {glob: \"https://example.com/*\"}]",
      missed: "[uri: \"https://example.com/2\"]"),
    Row(
      subject: "contains", met: "[uri: \"https://example.com/1\"]", missed: "[text: hello]"),
    Row(
      subject: "message", met: "\"D1010E55046578616D706C652E636F6D2F31\"", missed: "\"D00000\""),
    Row(subject: "locked", met: "false", missed: "true"),
    Row(subject: "protected", met: "false", missed: "true"),
    Row(subject: "capacity", met: "{atLeast: 492}", missed: "{atLeast: 493}"),
    Row(
      subject: "bytes", met: "[{at: 3, hex: \"E1103E00\"}]",
      missed: "[{at: 3, hex: \"E1103F00\"}]"),
    Row(subject: "not", met: "{chip: NTAG213}", missed: "{chip: NTAG215}"),
  ]

  @Test(arguments: rows)
  func `a subject is met or missed`(_ row: Row) async throws {
    for (value, outcome) in [(row.met, Outcome.passed), (row.missed, .failed)] {
      let bench = try Bench([ReadFileTests.tag("https://example.com/1")])
      // The same URI with its prefix shortened: 04 stands for https:// (NFC Forum URI 1.0, table 3).
      bench.shelf.withLock { shelf in
        let tlv: [UInt8] =
          [0x03, 0x12, 0xD1, 0x01, 0x0E, 0x55, 0x04] + Array("example.com/1".utf8) + [0xFE]
        shelf[0].pages.replaceSubrange(16..<(16 + tlv.count), with: tlv)
      }
      let (_, ear) = try await bench.run(
        "job: line\nsteps:\n  - expect:\n      \(row.subject): \(value)\n")
      #expect(ear.tags.map(\.outcome) == [outcome], "\(value): \(ear.tags)")
      #expect(ear.tags.first?.cause == (outcome == .failed ? .notAsExpected : nil))
    }
  }

  @Test func `the counter is what the chip counts`() async throws {
    // NTAG213 data sheet, NFC_CNT_EN: bit 4 of ACCESS (page 2Ah); the first READ after power-up counts.
    for (value, outcome) in [
      ("{atLeast: 5, atMost: 5}", Outcome.passed), ("{atLeast: 6}", .failed),
      ("{atMost: 4}", .failed),
    ] {
      var tags = Bench.fresh("NTAG213")
      tags[0].pages[0x2A * 4] = 0x10
      tags[0].counters = [0, 0, 4]
      let bench = try Bench(tags)
      let (_, ear) = try await bench.run(
        "job: line\nsteps:\n  - expect:\n      counter: \(value)\n")
      #expect(ear.tags.map(\.outcome) == [outcome], "\(value): \(ear.tags)")
    }
    let bench = try Bench(Bench.fresh("NTAG213"))
    let (_, ear) = try await bench.run("job: line\nsteps: [expect: {counter: {atLeast: 0}}]\n")
    #expect(
      ear.tags.map(\.detail) == ["expected a counter, found none"], "not enabled: \(ear.tags)")
  }

  @Test func `initialSelectedAID is the application that was selected`() async throws {
    for (value, outcome) in [
      ("\"D2760000850101\"", Outcome.passed), ("\"A0000002471001\"", .failed),
      ("{glob: \"D276*\"}", .passed),
    ] {
      let bench = try Bench(Bench.fresh("ISO7816"))
      let (_, ear) = try await bench.run(
        "job: line\nsteps:\n  - expect: {initialSelectedAID: \(value)}\n",
        declarations:
          "{formats: [TAG], usageDescription: Test, selectIdentifiers: [\"D2760000850101\"]}")
      #expect(ear.tags.map(\.outcome) == [outcome], "\(value): \(ear.tags)")
    }
    let bench = try Bench(Bench.fresh("NTAG213"))
    let (_, ear) = try await bench.run(
      "job: line\nsteps:\n  - expect: {initialSelectedAID: \"D2760000850101\"}\n")
    #expect(
      ear.tags.map(\.detail) == ["expected initialSelectedAID \"D2760000850101\", found none"],
      "\(ear.tags)")
  }
}
