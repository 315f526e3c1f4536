import Bytes
import Ledger
import Platform
import StationRunner
import Testing
import VirtualReader

@Suite struct OrderTests {
  private static let job = """
    job: urls
    data: {csv: cards.csv, key: code, order: strict}
    session: {alertMessage: "Card ${row.code}"}
    retries: {comeBack: 50ms}
    steps:
      - write:
          - uri: "https://example.com/c/${row.code}"
      - verify
      - lock
    """

  /// Lifts the tag for good before its `count`-th WRITE of the run.
  private static func liftBefore(write count: Int) -> @Sendable (FaultPoint) -> [Fault] {
    let writes = Locked(0)
    return { point in
      let command = point.parameters.dropFirst(point.code == 0x40 ? 1 : 0)
      guard [0x40, 0x42].contains(point.code), command.first == 0xA2 else { return [] }
      let isIt = writes.withLock {
        $0 += 1
        return $0 == count
      }
      return isIt ? [.liftBefore(comeBack: nil)] : []
    }
  }

  @Test func `after a torn tag the next one gets the same row`() async throws {
    let bench = try Bench(Bench.fresh("NTAG213", count: 3))
    try bench.write("cards.csv", ProvisioningTests.cards(3))
    let (summary, ear) = try await bench.run(Self.job, faults: Self.liftBefore(write: 2))
    #expect(ear.tags.map(\.outcome) == [.torn, .passed, .passed])
    #expect(ear.tags.map(\.row) == ["A1", "A1", "A2"])
    #expect(summary.exit == .someFailed)
  }

  @Test func `while a row waits for its tag every other tag is left untouched`() async throws {
    let bench = try Bench(Bench.fresh("NTAG213", count: 3))
    try bench.write("cards.csv", ProvisioningTests.cards(3))
    // "https://example.com/c/A1" lies in pages 5 to 11 of an NTAG213: its eighth WRITE is the first lock.
    let (summary, ear) = try await bench.run(
      Self.job, positions: [1, 2, 3], faults: Self.liftBefore(write: 8))
    #expect(ear.tags.map(\.outcome) == [.unfinished, .skipped, .skipped])
    #expect(ear.tags.map(\.cause) == [.tagLost, .outOfTurn, .outOfTurn])
    #expect(ear.tags.last?.detail == "row A1 waits for tag 04515253540001 and goes first")
    #expect(bench.image(2) == Bench.fresh("NTAG213", count: 2)[1])
    #expect(summary.exit == .inDoubt)
    let (later, again) = try await bench.run(Self.job, positions: [2, 1, 3])
    #expect(again.tags.map(\.outcome) == [.skipped, .passed, .passed])
    #expect(again.tags.map(\.row) == [nil, "A1", "A2"])
    #expect(later.exit == .success)
    let (last, rest) = try await bench.run(Self.job, positions: [2])
    #expect(rest.tags.map(\.row) == ["A3"])
    #expect(last.exit == .success)
  }

  @Test func `a row that waits is said before others are refused, from the next run's start`()
    async throws
  {
    let bench = try Bench(Bench.fresh("NTAG213", count: 2))
    try bench.write("cards.csv", ProvisioningTests.cards(2))
    let (_, ear) = try await bench.run(
      Self.job, positions: [1], faults: Self.liftBefore(write: 8))
    #expect(Self.alerts(ear).first == "Card A1")
    let (summary, other) = try await bench.run(Self.job, positions: [2])
    #expect(
      Self.alerts(other).first == "Present tag 04515253540001 again: row A1 is not finished")
    #expect(other.tags.map(\.cause) == [.outOfTurn])
    #expect(summary.exit == .inDoubt)
  }

  private static func alerts(_ ear: Ear) -> [String] {
    ear.news.compactMap {
      if case .sessionBegan(_, let alert, _) = $0 { alert } else { nil }
    }
  }

  @Test(arguments: [true, false])
  func `another run on the series is waited for where either goes in order`(
    _ othersAlone: Bool
  ) async throws {
    let bench = try Bench(Bench.fresh("NTAG213"))
    try bench.write("cards.csv", ProvisioningTests.cards(1))
    let job =
      othersAlone ? Self.job.replacing("order: strict", with: "order: any") : Self.job
    let plain = job.replacing("${row.code}\"}", with: "${tag.position}\"}")
    do {
      let other = try bench.ledger()
      try other.begin(
        RunRecord(run: "0000000000000001", job: "other", station: "bench", virtual: true), [])
      #expect(try other.holdSeries("urls", alone: othersAlone))
      let (summary, ear) = try await bench.run(plain, options: { $0.noQueue = true })
      #expect(summary.exit == .tryAgain, "\(summary)")
      #expect(ear.tags.isEmpty)
      try other.end(exit: 0, [])
    }
    let (summary, _) = try await bench.run(plain)
    #expect(summary.exit == .success, "\(summary)")
  }

  @Test func `two jobs that share a series share its rows`() async throws {
    let bench = try Bench(Bench.fresh("NTAG213", count: 3))
    try bench.write("cards.csv", ProvisioningTests.cards(3))
    let first = Self.job.replacing("job: urls", with: "job: morning\nseries: cards")
    let second = Self.job.replacing("job: urls", with: "job: evening\nseries: cards")
    let (_, one) = try await bench.run(first, positions: [1, 2])
    let (summary, two) = try await bench.run(second)
    #expect(one.tags.map(\.row) == ["A1", "A2"])
    #expect(two.tags.map(\.outcome) == [.skipped, .skipped, .passed])
    #expect(two.tags.last?.row == "A3")
    #expect(summary.exit == .success)
  }
}
