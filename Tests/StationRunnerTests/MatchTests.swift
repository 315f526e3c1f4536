import Bytes
import Foundation
import Ledger
import Platform
import StationRunner
import Testing
import VirtualReader

/// Rows that belong to tags by their UIDs.
@Suite struct MatchTests {
  static let steps = """
    steps:
      - write:
          - text: "${row.name}"
      - verify
    """

  /// The UIDs of `Bench.fresh`, out of order and each written another way.
  static let list = """
    tag,name
    04-51-52-53-54-00-03,Cleo
    04515253540001,Anna
    04:51:52:53:54:00:02,Bert

    """

  static func job(_ data: String = "", more: String = "") -> String {
    "job: names\ndata: {csv: names.csv, match: uid, uid: tag\(data)}\n\(more)\n" + steps
  }

  static func bench(_ count: Int) throws -> Bench {
    let bench = try Bench(Bench.fresh("NTAG213", count: count))
    try bench.write("names.csv", list)
    return bench
  }

  /// The text of the one record, by the bytes of NFC Forum Text 1.0: status 02 (UTF-8, two letters), `en`.
  static func text(of image: ChipImage) -> String {
    // The TLV follows the lock control TLV of five bytes that an NTAG213 leaves the factory with.
    let bytes = Array(image.pages[21...])
    guard bytes.count > 9, bytes[0] == 0x03, Array(bytes[2..<4]) == [0xD1, 0x01],
      Array(bytes[5..<9]) == [0x54, 0x02, 0x65, 0x6E]
    else { return "no text: \(bytes.prefix(16).hex)" }
    return String(decoding: bytes[9..<9 + Int(bytes[4]) - 3], as: UTF8.self)
  }

  @Test func `each tag gets the row of its UID, and the UID is its key`() async throws {
    let bench = try Self.bench(3)
    let (summary, ear) = try await bench.run(Self.job())
    #expect(ear.tags.map(\.outcome) == [.passed, .passed, .passed], "\(ear.tags)")
    #expect(ear.tags.map(\.row) == ["04515253540001", "04515253540002", "04515253540003"])
    #expect((1...3).map { Self.text(of: bench.image($0)) } == ["Anna", "Bert", "Cleo"])
    #expect(summary.reason == .usedUp)
    #expect(summary.exit == .success)
    #expect(summary.rowsLeft == 0)
    // Nothing is left: no tag is touched.
    let (second, rest) = try await bench.run(Self.job())
    #expect(rest.tags.isEmpty)
    #expect(second.reason == .usedUp)
  }

  @Test func `key names the row where it is given, and serial numbers it`() async throws {
    let bench = try Self.bench(2)
    let (_, ear) = try await bench.run(
      Self.job(", key: name, serial: {from: 7}")
        .replacing("${row.name}", with: "${row.name} ${serial}"))
    #expect(ear.tags.map(\.row) == ["Anna", "Bert"])
    #expect((1...2).map { Self.text(of: bench.image($0)) } == ["Anna 7", "Bert 8"])
    #expect(try bench.ledger().row(series: "names", key: "Bert")?.serial == 8)
  }

  @Test func `a tag that is not in the data fails and stays as it is`() async throws {
    let bench = try Self.bench(4)
    let (summary, ear) = try await bench.run(Self.job(), positions: [4, 1])
    #expect(ear.tags.map(\.outcome) == [.failed, .passed])
    #expect(ear.tags.first?.cause == .data)
    #expect(ear.tags.first?.detail == "the data has no row for the UID 04515253540004")
    #expect(bench.image(4) == Bench.fresh("NTAG213", count: 4)[3])
    #expect(summary.exit == .someFailed)
    #expect(summary.rowsLeft == 2)
  }

  @Test func `a row that is done is not put on another tag that takes its UID in the data`()
    async throws
  {
    let bench = try Self.bench(4)
    _ = try await bench.run(Self.job(", key: name"), positions: [1])
    try bench.write("names.csv", "tag,name\n04515253540004,Anna\n04515253540002,Bert\n")
    let (_, ear) = try await bench.run(Self.job(", key: name"), positions: [4])
    #expect(ear.tags.map(\.outcome) == [.failed])
    #expect(ear.tags.first?.detail == "row Anna is done, on tag 04515253540001")
  }

  @Test func `a tag done in an earlier run is skipped`() async throws {
    let bench = try Self.bench(2)
    _ = try await bench.run(Self.job(), positions: [1])
    let (_, ear) = try await bench.run(Self.job(), positions: [1, 2])
    #expect(ear.tags.map(\.outcome) == [.skipped, .passed])
  }

  @Test func `eachRun writes a row again on its own tag, once in a run`() async throws {
    let bench = try Self.bench(2)
    let job = Self.job(more: "repeat: eachRun").replacing(
      "${row.name}", with: "${row.name} ${run.id}")
    _ = try await bench.run(job)
    let first = Self.text(of: bench.image(1))
    let (summary, ear) = try await bench.run(job, positions: [1, 1, 2])
    #expect(ear.tags.map(\.outcome) == [.passed, .skipped, .passed], "\(ear.tags)")
    let second = Self.text(of: bench.image(1))
    #expect(first.hasPrefix("Anna ") && second.hasPrefix("Anna "))
    #expect(first != second)
    // Cleo's tag did not come.
    #expect(summary.rowsLeft == 1)
    let row = try bench.ledger().row(series: "names", key: "04515253540001")
    #expect(row?.state == .done)
    #expect(row?.message?.hex.contains(Array(second.utf8).hex) == true)
  }

  @Test func `always writes it whenever it comes`() async throws {
    let bench = try Self.bench(1)
    let (summary, ear) = try await bench.run(
      Self.job(more: "repeat: always"), positions: [1, 1, 1])
    #expect(ear.tags.map(\.outcome) == [.passed, .passed, .passed], "\(ear.tags)")
    #expect(summary.exit == .success)
  }

  @Test func `a tag that holds other bytes is written again only where its content may go`()
    async throws
  {
    let bench = try Self.bench(1)
    _ = try await bench.run(Self.job(more: "repeat: always"))
    let changed = ReadFileTests.tag("https://example.com/1")
    func change() {
      bench.shelf.withLock { $0[0].pages.replaceSubrange(21..<33, with: changed.pages[16..<28]) }
    }
    change()
    let (_, kept) = try await bench.run(Self.job(more: "repeat: always"))
    #expect(kept.tags.map(\.cause) == [.uidSeenBefore], "\(kept.tags)")
    let (_, ear) = try await bench.run(Self.job(more: "repeat: always\naccept: {content: ours}")) {
      $0.acceptChange = "put right"
    }
    #expect(ear.tags.map(\.outcome) == [.passed], "\(ear.tags)")
    #expect(Self.text(of: bench.image(1)) == "Anna")
  }

  @Test func `a rewrite that is torn leaves the row free for its tag`() async throws {
    let bench = try Self.bench(1)
    let job = Self.job(more: "repeat: always\nstop: {whenIdleFor: 5s}").replacing(
      "${row.name}", with: "${row.name} ${run.id}")
    _ = try await bench.run(job)
    let writes = Locked(0)
    let (_, ear) = try await bench.run(
      job,
      faults: { point in
        let isWrite = point.code == 0x40 && point.parameters.dropFirst().first == 0xA2
        guard isWrite else { return [] }
        return writes.withLock { count in
          count += 1
          return count == 2 ? [.liftBefore(comeBack: nil)] : []
        }
      })
    #expect(ear.tags.map(\.outcome) == [.torn], "\(ear.tags)")
    #expect(try bench.ledger().row(series: "names", key: "04515253540001")?.state == .free)
    let (_, again) = try await bench.run(job)
    #expect(again.tags.map(\.outcome) == [.passed], "\(again.tags)")
  }

  // MARK: Jobs that only read

  @Test func `a job that only reads holds the tag against the row of its UID`() async throws {
    let bench = try Self.bench(4)
    _ = try await bench.run(Self.job(), positions: [1, 2])
    let check = """
      job: check-names
      data: {csv: names.csv, match: uid, uid: tag, key: name}
      steps:
        - expect: {records: [{text: "${row.name}"}]}
      """
    let (summary, ear) = try await bench.run(check, positions: [1, 2, 3, 4])
    #expect(ear.tags.map(\.outcome) == [.passed, .passed, .failed, .failed], "\(ear.tags)")
    #expect(ear.tags.map(\.cause) == [nil, nil, .notAsExpected, .data])
    #expect(ear.tags.map(\.row) == ["Anna", "Bert", "Cleo", nil])
    #expect(summary.exit == .someFailed)
    // Looked up, with no state.
    #expect(try bench.ledger().hasRows(series: "check-names") == false)
  }

  @Test func `message: row is what the series' job put on the tag`() async throws {
    let bench = try Self.bench(3)
    _ = try await bench.run(Self.job(", key: name"), positions: [1, 2])
    bench.shelf.withLock { $0[1].pages.replaceSubrange(21..<36, with: $0[0].pages[21..<36]) }
    let check = """
      job: check-names
      series: names
      data: {csv: names.csv, match: uid, uid: tag, key: name}
      steps:
        - expect: {message: row}
      """
    let (_, ear) = try await bench.run(check)
    #expect(ear.tags.map(\.outcome) == [.passed, .failed, .failed], "\(ear.tags)")
    // Text record (NFC Forum Text 1.0): D1 01 07 54, status 02, `en`, then the name.
    let (anna, bert) = (Array("Anna".utf8).hex, Array("Bert".utf8).hex)
    #expect(
      ear.tags[1].detail
        == "expected the row's message D101075402656E\(bert), found D101075402656E\(anna)")
    #expect(ear.tags[2].detail == "expected the row's message, but there is no row")
  }

  @Test func `message: row of a batch that only reads is what the job's other batch writes`()
    async throws
  {
    let bench = try Self.bench(2)
    let job = """
      job: names
      data: {csv: names.csv, match: uid, uid: tag}
      batches:
        - tags: 1
          steps:
            - write: [{text: "${row.name}"}]
        - tags: 1
          accept: {content: any}
          steps:
            - expect: {message: row}
      """
    let (_, ear) = try await bench.run(job, positions: [1, 1, 2])
    #expect(ear.tags.map(\.outcome) == [.passed, .passed, .passed], "\(ear.tags)")
    #expect(ear.tags.map(\.batch) == [1, 2, 3])
  }

  @Test func `a job that only reads finds the row that its series put on the tag`() async throws {
    let bench = try Bench(Bench.fresh("NTAG213", count: 2))
    try bench.write("cards.csv", "code,name\nA1,Anna\nA2,Bert\n")
    let write = """
      job: cards
      data: {csv: cards.csv, key: code}
      steps: [write: [text: "${row.code}"]]
      """
    _ = try await bench.run(write, positions: [2])
    let (_, ear) = try await bench.run(
      """
      job: check-cards
      series: cards
      data: {csv: cards.csv, key: code}
      steps:
        - expect: {records: [{text: "${row.code}"}], not: {records: [{text: "${row.name}"}]}}
        - expect: {message: row}
      """)
    #expect(ear.tags.map(\.outcome) == [.failed, .passed], "\(ear.tags)")
    #expect(ear.tags.map(\.row) == [nil, "A1"])
  }
}
