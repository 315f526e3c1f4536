import Bytes
import Ledger
import Platform
import StationRunner
import Testing
import VirtualReader

/// Tags that a job must not write, each with the cause that says why.
@Suite struct RefusalTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    var chip = "NTAG213"
    var text = "A1"
    var accept = "{}"
    var change: @Sendable (inout ChipImage) -> Void = { _ in }
    let cause: Cause
  }

  static let cases = [
    Case(
      testDescription: "a chip that is not accepted", chip: "NTAG215",
      accept: "{chips: [NTAG213]}", cause: .wrongChip),
    Case(
      testDescription: "a tag that holds a message",
      // `03 03 D0 00 00 FE`: one empty record.
      change: { $0.pages.replaceSubrange(16..<24, with: [3, 3, 0xD0, 0, 0, 0xFE, 0, 0]) },
      cause: .notEmpty),
    Case(
      testDescription: "a tag whose capability container says read-only",
      change: { $0.pages[15] = 0x0F }, cause: .locked),
    Case(
      testDescription: "a tag with static lock bits", change: { $0.pages[11] = 0x01 },
      cause: .locked),
    Case(
      testDescription: "a tag with dynamic lock bits", change: { $0.pages[0x28 * 4] = 0x01 },
      cause: .locked),
    Case(
      testDescription: "a tag that a password guards", change: { $0.pages[0x29 * 4 + 3] = 4 },
      cause: .password),
    Case(
      testDescription: "a tag without NDEF format",
      change: { $0.pages.replaceSubrange(12..<16, with: [0x12, 0x34, 0x56, 0x78]) },
      cause: .unsupported),
    Case(
      testDescription: "a tag that is too small for the message",
      text: String(repeating: "x", count: 140), cause: .tooSmall),
  ]

  @Test(arguments: cases)
  func `is left untouched, and its row stays free`(_ one: Case) async throws {
    var tags = Bench.fresh(one.chip)
    one.change(&tags[0])
    let bench = try Bench(tags)
    let (summary, ear) = try await bench.run(
      """
      job: refusals
      accept: \(one.accept)
      data: {rows: [{code: \(one.text)}], key: code}
      steps:
        - write:
            - uri: "https://example.com/${row.code}"
      """)
    #expect(ear.tags.map(\.outcome) == [.failed])
    #expect(ear.tags.first?.cause == one.cause, "\(ear.tags.first?.detail ?? "")")
    #expect(summary.exit == .someFailed)
    #expect(bench.image(1) == tags[0])
    #expect(try bench.ledger().row(series: "refusals", uid: tags[0].uid) == nil)
  }

  @Test func `two tags at once are told once and neither is written`() async throws {
    let both = Bench.fresh("NTAG213", count: 2)
    let reader = try VirtualReader(configuration: VirtualReaderConfiguration(timing: .none))
    defer { reader.stop() }
    for tag in both { reader.place(tag) }
    let bench = try Bench([])
    let (summary, ear) = try await bench.run(
      """
      job: crowd
      stop: {whenIdleFor: 2s}
      data: {rows: [{code: A1}], key: code}
      steps:
        - write:
            - uri: "https://example.com/${row.code}"
      """, on: reader)
    #expect(ear.tags.isEmpty)
    let crowds = ear.news.compactMap { if case .crowded(_, let uids) = $0 { uids } else { nil } }
    #expect(crowds == [both.map(\.uid)])
    #expect(reader.images.map(\.pages) == both.map(\.pages))
    #expect(summary.reason == .idle)
    #expect(summary.exit == .someFailed)
  }
}
