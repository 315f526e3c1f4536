import Bytes
import Foundation
import Ledger
import Platform
import StationRunner
import Testing
import VirtualReader

/// Which row a tag gets, and what becomes of rows between runs.
@Suite struct RowTests {
  static func job(_ data: String, more: String = "") -> String {
    """
    job: rows
    data: \(data)
    \(more)
    steps:
      - write:
          - text: "${row.code}"
      - verify
    """
  }

  @Test func `a record changed on a tag is refused, and accepted with a reason`() async throws {
    let bench = try Bench(Bench.fresh("NTAG213", count: 2))
    func job(_ code: String) -> String {
      """
      job: rows
      data: {rows: [{id: "1", code: \(code)}, {id: "2", code: B}], key: id}
      steps:
        - write:
            - text: "${row.code}"
      """
    }
    _ = try await bench.run(job("A"), positions: [1])
    let (refused, ear) = try await bench.run(job("X"), positions: [2])
    #expect(refused.exit == .wrongFile)
    #expect(refused.remarks.first?.contains("row 1 was changed") == true, "\(refused)")
    #expect(ear.tags.isEmpty)
    let (accepted, _) = try await bench.run(job("X"), positions: [2]) {
      $0.acceptChange = "spelling"
    }
    #expect(accepted.exit == .success, "\(accepted)")
    let row = try bench.ledger().row(series: "rows", key: "1")
    #expect(row.map { String(decoding: $0.record, as: UTF8.self) } == #"{"code":"X"}"#)
    #expect(row?.uid == bench.image(1).uid)
    let changes = try bench.log().filter { $0["event"] as? String == "ledger.changed" }
    #expect(changes.compactMap { $0["reason"] as? String } == ["spelling"])
    // Accepted once, it needs no reason any more.
    let (after, _) = try await bench.run(job("X"), positions: [2])
    #expect(after.exit == .success, "\(after)")
  }

  @Test func `of many rows, those in use are counted and compared`() async throws {
    let bench = try Bench(Bench.fresh("NTAG213", count: 3))
    func job(_ code: String) -> String {
      let rows = (1...20).map { "{id: \"\($0)\", code: \($0 == 2 ? code : "C\($0)")}" }
      return """
        job: rows
        data: {rows: [\(rows.joined(separator: ", "))], key: id}
        steps:
          - write:
              - text: "${row.code}"
        """
    }
    let (first, _) = try await bench.run(job("A"), positions: [1, 2])
    #expect(first.rowsLeft == 18)
    let (refused, _) = try await bench.run(job("B"), positions: [3])
    #expect(refused.exit == .wrongFile)
    #expect(refused.remarks.first?.contains("row 2 was changed") == true, "\(refused)")
    let (second, ear) = try await bench.run(job("A"), positions: [3])
    #expect(ear.tags.map(\.row) == ["3"])
    #expect(second.rowsLeft == 17)
    // Rows that the data does not have any more are no rows to do.
    let (third, _) = try await bench.run(
      job("A").replacing("{id: \"1\", code: C1}, ", with: ""), positions: [])
    #expect(third.rowsLeft == 17)
  }

  @Test func `a changed writing step is refused, and accepted with a reason`() async throws {
    let bench = try Bench(Bench.fresh("NTAG213", count: 2))
    let data = "{rows: [{code: A}, {code: B}], key: code}"
    _ = try await bench.run(Self.job(data), positions: [1])
    let other = Self.job(data).replacing("${row.code}", with: "no. ${row.code}")
    let (refused, _) = try await bench.run(other, positions: [2])
    #expect(refused.exit == .wrongFile, "\(refused)")
    let (accepted, _) = try await bench.run(other, positions: [2]) { $0.acceptChange = "new text" }
    #expect(accepted.exit == .success, "\(accepted)")
  }

  @Test func `serial numbers alone are given lowest first and never twice`() async throws {
    let bench = try Bench(Bench.fresh("NTAG213", count: 3))
    let job = """
      job: rows
      data: {serial: {from: 7, step: 2, count: 3, format: "%04d"}}
      steps:
        - write:
            - text: "${serial}"
      """
    let (first, ear) = try await bench.run(job, positions: [1, 2])
    #expect(ear.tags.map(\.row) == ["7", "9"])
    #expect(first.rowsLeft == 1)
    let (second, rest) = try await bench.run(job, positions: [3, 1])
    #expect(rest.tags.map(\.row) == ["11"])
    #expect(second.reason == .usedUp)
    #expect(second.exit == .success)
    let texts = (1...3).map { bench.image($0).pages[20..<44].hex }
    #expect(
      texts.enumerated().allSatisfy {
        $1.contains(Array("000\([7, 9, 1][$0])".utf8).hex) || $0 == 2
      })
  }

  @Test func `a row keeps its serial number through free again`() async throws {
    let bench = try Bench(Bench.fresh("NTAG213", count: 2))
    let job = """
      job: rows
      data: {rows: [{code: A}, {code: B}], key: code, serial: {from: 1}}
      stop: {whenIdleFor: 5s}
      steps:
        - write:
            - text: "${row.code} ${serial}"
      """
    let isDue = Locked(true)
    let (_, ear) = try await bench.run(
      job,
      faults: { point in
        // The second WRITE of the first tag never comes.
        let isWrite = point.code == 0x40 && point.parameters.dropFirst().first == 0xA2
        guard isWrite, point.parameters.dropFirst(2).first == 6 else { return [] }
        return isDue.withLock { due in
          defer { due = false }
          return due ? [.liftBefore(comeBack: nil)] : []
        }
      })
    #expect(ear.tags.map(\.outcome) == [.torn, .passed], "\(ear.tags)")
    #expect(ear.tags.map(\.row) == ["A", "A"])
    #expect(try bench.ledger().row(series: "rows", key: "A")?.serial == 1)
    let (_, second) = try await bench.run(job, positions: [1])
    #expect(second.tags.map(\.row) == ["B"])
    #expect(try bench.ledger().row(series: "rows", key: "B")?.serial == 2)
  }

  @Test func `rows of a dead run are settled when the next one starts`() async throws {
    let bench = try Bench(Bench.fresh("NTAG213", count: 2))
    let data = "{rows: [{code: A}, {code: B}], key: code}"
    do {
      let ledger = try bench.ledger()
      try ledger.begin(
        RunRecord(run: "0000000000000001", job: "rows", station: "bench", virtual: true), [])
      let result = try ledger.startWriting(
        RowClaim(
          series: "rows", key: "A", serial: nil, record: Array(#"{"code":"A"}"#.utf8),
          place: "", uid: bench.image(1).uid, fixed: true, message: [0xD0, 0, 0]))
      #expect(result == .claimed)
    }
    let (summary, ear) = try await bench.run(Self.job(data))
    #expect(ear.tags.map(\.row) == ["A", "B"])
    #expect(summary.exit == .success)
    let died = try bench.log().filter { $0["reason"] as? String == "died" }
    #expect(died.compactMap { $0["run"] as? String } == ["0000000000000001"])
  }

  @Test func `a second tag with a UID that has a row is not taken for the first`() async throws {
    var tags = Bench.fresh("NTAG213")
    tags += Bench.fresh("NTAG213")
    let bench = try Bench(tags)
    let (_, ear) = try await bench.run(Self.job("{rows: [{code: A}, {code: B}], key: code}"))
    #expect(ear.tags.map(\.outcome) == [.passed, .failed], "\(ear.tags)")
    #expect(ear.tags.last?.cause == .uidSeenBefore)
    #expect(bench.image(2) == tags[1])
  }

  @Test func `a job without data has one row a tag`() async throws {
    let bench = try Bench(Bench.fresh("NTAG213", count: 2))
    let job = """
      job: plain
      steps:
        - write:
            - uri: "https://example.com/${tag.uid | hex}"
      """
    let (summary, ear) = try await bench.run(job)
    #expect(ear.tags.map(\.row) == ["04515253540001", "04515253540002"])
    #expect(summary.exit == .success)
    let (second, rest) = try await bench.run(job)
    #expect(rest.tags.map(\.outcome) == [.skipped, .skipped])
    // Two tags came, both done: nothing is wrong.
    #expect(second.exit == .success)
  }

  @Test(
    .timeLimit(.minutes(1)),
    arguments: ["write: [{text: a}]", "unprotect: {password: {file: key}}"])
  func `a tag whose own row is void is refused`(_ step: String) async throws {
    let bench = try Bench(Bench.fresh("NTAG213", count: 2))
    try bench.writeSecret("key", "0A1B2C3D")
    let job = """
      job: plain
      accept: {content: any}
      stop: {whenIdleFor: 1s}
      steps: [\(step)]
      """
    #expect(try await bench.run(job).summary.exit == .success)
    let ledger = try bench.ledger()
    try ledger.void(series: "plain", key: "04515253540001", reason: "burnt")
    try ledger.close()
    let (_, ear) = try await bench.run(job)
    #expect(ear.tags.map(\.outcome) == [.failed, .skipped])
    #expect(ear.tags.first?.cause == .data)
    #expect(ear.tags.first?.detail == "the row of this tag cannot be used")
  }

  @Test func `rows that wait for their tag make the run end with 3`() async throws {
    let bench = try Bench(Bench.fresh("NTAG213"))
    let job = """
      job: rows
      data: {rows: [{code: A}], key: code}
      stop: {whenIdleFor: 5s}
      steps:
        - write:
            - text: "${row.code}"
        - lock
      """
    let (first, ear) = try await bench.run(
      job,
      faults: { point in
        let isLock =
          point.code == 0x40 && Array(point.parameters.dropFirst().prefix(2)) == [0xA2, 3]
        return isLock ? [.liftBefore(comeBack: nil)] : []
      })
    #expect(ear.tags.map(\.outcome) == [.unfinished], "\(ear.tags)")
    #expect(first.exit == .inDoubt)
    // Nobody brings the tag: the row still waits.
    let (second, _) = try await bench.run(job, positions: []) { $0.noInput = true }
    #expect(second.exit == .inDoubt, "\(second)")
    let (third, last) = try await bench.run(job)
    #expect(last.tags.map(\.outcome) == [.passed])
    #expect(third.exit == .success)
  }
}
