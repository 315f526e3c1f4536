import Bytes
import Ledger
import StationRunner
import Testing
import VirtualReader

/// `batches`: several session configurations that take turns.
@Suite struct TurnTests {
  @Test func `entries take turns, each with its own session and steps`() async throws {
    let bench = try Bench(Bench.fresh("NTAG213", count: 6))
    let (summary, ear) = try await bench.run(
      """
      job: turns
      data: {serial: {from: 1, count: 4, format: "%03d"}}
      accept: {content: empty}
      batches:
        - name: encode
          tags: 2
          steps:
            - write: [{uri: "https://example.com/${serial}"}]
            - verify
        - name: sample
          session: {invalidateAfterFirstRead: true}
          steps:
            - expect: {content: empty}
      """)
    // Two are written, the third is only looked at, and so on while there are rows.
    #expect(ear.tags.map(\.outcome) == Array(repeating: .passed, count: 6))
    #expect(ear.tags.map(\.row) == ["1", "2", nil, "3", "4", nil])
    #expect(ear.tags.map(\.batch) == [1, 1, 2, 3, 3, 4])
    #expect(ear.tags.map(\.session) == [1, 1, 2, 3, 3, 4])
    #expect(summary.exit == .success)
    #expect(summary.rows[.done] == 4)
    // The looked-at tags hold what the factory left: length zero behind the lock control TLV.
    #expect([3, 6].map { bench.image($0).page(5).hex } == ["340300FE", "340300FE"])
  }
}
