import Bytes
import DataSource
import Foundation
import Ledger
import Platform
import StationRunner
import Testing
import VirtualReader

/// Rows named by codes, and lines that are rows.
@Suite struct FeedTests {
  /// A FIFO that a test writes codes into.
  final class Scanner: Sendable {
    let path: String
    let feed: LineFeed

    init(_ bench: Bench) throws {
      path = bench.folder + "/scanner"
      let made = unsafe mkfifo(path, 0o600)
      #expect(made == 0)
      feed = try LineFeed(.device(path), name: "the scanner left")
    }

    func scan(_ codes: String...) {
      try? Data((codes.joined(separator: "\n") + "\n").utf8).write(to: URL(filePath: path))
    }
  }

  static func printed(_ text: String) throws -> LineFeed {
    try LineFeed(.program(["printf", text], folder: "/"), name: "the scanner left")
  }

  static func remarks(_ ear: Ear) -> [String] {
    ear.news.compactMap { if case .remark(let text) = $0 { text } else { nil } }
  }

  static let scanJob = """
    job: scans
    data: {csv: cards.csv, key: code, match: scan, scanner: left}
    session: {alertMessage: "The tag of ${row.name}"}
    stop: {whenIdleFor: 20s}
    steps:
      - write:
          - text: "${row.name}"
      - verify
    """

  static func bench(_ count: Int) throws -> Bench {
    let bench = try Bench(Bench.fresh("NTAG213", count: count))
    try bench.write("cards.csv", "code,name\nA1,Anna\nA2,Bert\nA3,Cleo\n")
    return bench
  }

  // MARK: Codes

  @Test func `a code names the row of the next tag`() async throws {
    let bench = try Self.bench(3)
    let scanner = try Scanner(bench)
    let order = Locked(["A1", "A3"])
    let ear = Ear { _ in
      if let next = order.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) { scanner.scan(next) }
    }
    scanner.scan("A2")
    let (summary, _) = try await bench.run(Self.scanJob, observer: ear, lines: scanner.feed)
    scanner.feed.close()
    #expect(ear.tags.map(\.row) == ["A2", "A1", "A3"])
    #expect((1...3).map { MatchTests.text(of: bench.image($0)) } == ["Bert", "Anna", "Cleo"])
    #expect(summary.reason == .usedUp)
    #expect(summary.exit == .success)
    let alerts = ear.news.compactMap {
      switch $0 {
      case .alert(let text), .sessionBegan(_, let text, _): text
      default: nil as String?
      }
    }
    for name in ["Bert", "Anna", "Cleo"] {
      #expect(alerts.contains("The tag of \(name)"), "\(alerts)")
    }
  }

  @Test func `the newest code counts, and one that cannot be used takes the earlier back`()
    async throws
  {
    let bench = try Self.bench(3)
    let (summary, ear) = try await bench.run(
      Self.scanJob, lines: try Self.printed("A1\\nA3\\nX9\\nA2\\nA3\\n"))
    #expect(ear.tags.map(\.row) == ["A3"])
    // The end of the input ends the run after the tag in hand.
    #expect(summary.reason == .usedUp)
    #expect(summary.rowsLeft == 2)
    #expect(
      Self.remarks(ear) == [
        "the code `A3` takes the place of `A1`, for which no tag came",
        "no row has the code `X9`: scan another one",
        "the code `A3` takes the place of `A2`, for which no tag came",
      ])
  }

  @Test func `a code that no row has touches no tag`() async throws {
    let bench = try Self.bench(1)
    let (summary, ear) = try await bench.run(Self.scanJob, lines: try Self.printed("A1\\nX9\\n"))
    #expect(ear.tags.isEmpty)
    #expect(bench.image(1) == Bench.fresh("NTAG213")[0])
    // A tag was expected.
    #expect(summary.exit == .someFailed)
  }

  @Test func `the code of a row that is done or void is said, and touches no tag`() async throws {
    let bench = try Self.bench(3)
    for (code, position) in [("A1", 1), ("A2", 2)] {
      _ = try await bench.run(
        Self.scanJob, positions: [position], lines: try Self.printed("\(code)\\n"))
    }
    do {
      let ledger = try bench.ledger()
      try ledger.void(series: "scans", key: "A2", reason: "lost")
    }
    let (_, ear) = try await bench.run(
      Self.scanJob, positions: [3], lines: try Self.printed("A1\\nA2\\n"))
    #expect(ear.tags.isEmpty)
    #expect(
      Self.remarks(ear) == [
        "row A1 is done, on tag 04515253540001: scan another code",
        "row A2 is void: scan another code",
      ])
  }

  @Test func `a code is kept for the next tag where its row is still free`() async throws {
    var tags = Bench.fresh("NTAG213", count: 2)
    tags[0] = ReadFileTests.tag("https://example.com/1")
    let bench = try Bench(tags)
    try bench.write("cards.csv", "code,name\nA1,Anna\n")
    let (_, ear) = try await bench.run(Self.scanJob, lines: try Self.printed("A1\\n"))
    #expect(ear.tags.map(\.outcome) == [.failed, .passed], "\(ear.tags)")
    #expect(ear.tags.map(\.row) == [nil, "A1"])
  }

  @Test func `a job that only reads holds each tag against the row of its code`() async throws {
    let bench = try Self.bench(2)
    for (code, position) in [("A1", 1), ("A2", 2)] {
      _ = try await bench.run(
        Self.scanJob, positions: [position], lines: try Self.printed("\(code)\\n"))
    }
    let scanner = try Scanner(bench)
    let check = """
      job: labels
      data: {csv: cards.csv, key: code, match: scan, scanner: left}
      stop: {afterTags: 2}
      steps:
        - expect: {records: [{text: "${row.name}"}]}
      """
    let ear = Ear { _ in scanner.scan("A1") }
    scanner.scan("A1")
    let (_, _) = try await bench.run(check, observer: ear, lines: scanner.feed)
    scanner.feed.close()
    #expect(ear.tags.map(\.outcome) == [.passed, .failed], "\(ear.tags)")
    #expect(ear.tags.map(\.row) == ["A1", "A1"])
    #expect(ear.tags.last?.cause == .notAsExpected)
  }

  @Test func `a scanner that fails ends the run with 69, after the tag in hand`() async throws {
    let bench = try Self.bench(2)
    let feed = try LineFeed(
      .program(["sh", "-c", "echo A1; exit 3"], folder: "/"), name: "the scanner left")
    let (summary, ear) = try await bench.run(Self.scanJob, lines: feed)
    #expect(ear.tags.map(\.row) == ["A1"])
    #expect(summary.exit == .noReader)
    #expect(summary.reason == .fault)
    #expect(summary.remarks == ["the program of the scanner left ended with status 3"])
  }

  @Test func `a run that is asked for so many tags waits for no further code`() async throws {
    let bench = try Self.bench(2)
    let scanner = try Scanner(bench)
    scanner.scan("A1")
    let (summary, ear) = try await bench.run(
      Self.scanJob, options: { $0.limit = 1 }, lines: scanner.feed)
    scanner.feed.close()
    #expect(ear.tags.map(\.row) == ["A1"])
    #expect(summary.reason == .afterTags)
  }

  // MARK: Lines

  static let lineJob = """
    job: lines
    data: {lines: left}
    steps:
      - write:
          - text: "${row.line}"
      - verify
    """

  @Test func `each line goes on one tag, in order`() async throws {
    let bench = try Self.bench(4)
    let (summary, ear) = try await bench.run(
      Self.lineJob, lines: try Self.printed("one\\r\\n\\ntwo\\nthree"))
    #expect(ear.tags.map(\.outcome) == [.passed, .passed, .passed], "\(ear.tags)")
    #expect(ear.tags.map(\.row) == ["one", "two", "three"])
    #expect((1...3).map { MatchTests.text(of: bench.image($0)) } == ["one", "two", "three"])
    #expect(bench.image(4) == Bench.fresh("NTAG213", count: 4)[3])
    #expect(summary.reason == .usedUp)
    #expect(summary.exit == .success)
    let row = try bench.ledger().row(series: "lines", key: "two")
    #expect(row.map { String(decoding: $0.record, as: UTF8.self) } == #"{"line":"two"}"#)
    #expect(row?.place == "the scanner left:3")
  }

  @Test func `a line that comes again is the same row, and passed over`() async throws {
    let bench = try Self.bench(3)
    let (summary, ear) = try await bench.run(Self.lineJob, lines: try Self.printed("a\\na\\nb\\n"))
    #expect(ear.tags.map(\.row) == ["a", "b"])
    #expect(
      Self.remarks(ear) == [
        "line 2 of the scanner left is passed over: row a is done, on tag 04515253540001"
      ])
    #expect(summary.exit == .success)
    // Nor does it go on a tag of another run.
    let (_, second) = try await bench.run(
      Self.lineJob, positions: [3], lines: try Self.printed("b\\n"))
    #expect(second.tags.isEmpty)
  }

  @Test func `with serial numbers every line is a row`() async throws {
    let bench = try Self.bench(3)
    let job = Self.lineJob.replacing("{lines: left}", with: "{lines: left, serial: {from: 5}}")
      .replacing("${row.line}", with: "${row.line} ${serial}")
    let (_, ear) = try await bench.run(
      job, positions: [1, 2], lines: try Self.printed("a\\na\\n"))
    #expect(ear.tags.map(\.row) == ["5", "6"])
    #expect((1...2).map { MatchTests.text(of: bench.image($0)) } == ["a 5", "a 6"])
    let (_, second) = try await bench.run(job, positions: [3], lines: try Self.printed("a\\n"))
    #expect(second.tags.map(\.row) == ["7"])
  }

  @Test
  func `a line waits for a tag that can take it, and is lost only where it cannot be written`()
    async throws
  {
    var tags = Bench.fresh("NTAG213", count: 3)
    tags[0] = ReadFileTests.tag("https://example.com/1")
    let bench = try Bench(tags)
    let job = """
      job: lines
      data: {lines: left}
      steps:
        - write:
            - uri: "${row.line}"
      """
    let (summary, ear) = try await bench.run(
      job, lines: try Self.printed("no uri\\nhttps://example.com/2\\n"))
    #expect(ear.tags.map(\.cause) == [.notEmpty, .data, nil], "\(ear.tags)")
    #expect(ear.tags.last?.row == "https://example.com/2")
    #expect(summary.exit == .someFailed)
  }

  @Test func `a line whose tag is torn goes on the next one`() async throws {
    let bench = try Self.bench(2)
    let writes = Locked(0)
    let (summary, ear) = try await bench.run(
      Self.lineJob + "\nstop: {whenIdleFor: 20s}",
      faults: { point in
        let isWrite = point.code == 0x40 && point.parameters.dropFirst().first == 0xA2
        guard isWrite else { return [] }
        return writes.withLock { count in
          count += 1
          return count == 2 ? [.liftBefore(comeBack: nil)] : []
        }
      }, lines: try Self.printed("one two three\\n"))
    #expect(ear.tags.map(\.outcome) == [.torn, .passed], "\(ear.tags)")
    #expect(ear.tags.map(\.row) == ["one two three", "one two three"])
    #expect(summary.reason == .usedUp)
  }

  @Test func `a line that cannot be taken makes the exit status 1`() async throws {
    let bench = try Self.bench(1)
    let (summary, ear) = try await bench.run(
      Self.lineJob, lines: try Self.printed("\\033[31m\\na\\n"))
    #expect(ear.tags.map(\.row) == ["a"])
    #expect(summary.exit == .someFailed)
    #expect(
      Self.remarks(ear) == [
        "line 1 of the scanner left cannot be used: it holds the control character U+001B"
      ])
  }

  @Test func `without a line no tag is touched, until nothing came for so long`() async throws {
    let bench = try Self.bench(1)
    let scanner = try Scanner(bench)
    let (summary, ear) = try await bench.run(
      Self.lineJob + "\nstop: {whenIdleFor: 300ms}", lines: scanner.feed)
    scanner.feed.close()
    #expect(ear.tags.isEmpty)
    #expect(summary.reason == .idle)
    let alerts = ear.news.compactMap { if case .alert(let text) = $0 { text } else { nil } }
    #expect(alerts == ["waiting for a line of the scanner left"])
    #expect(bench.image(1) == Bench.fresh("NTAG213")[0])
  }
}
