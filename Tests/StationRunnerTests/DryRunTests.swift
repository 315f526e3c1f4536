import Bytes
import Foundation
import Ledger
import Platform
import StationRunner
import Testing
import VirtualReader

@Suite struct DryRunTests {
  private static let job = ProvisioningTests.job

  /// What lies in the bench's folder, with the bytes of each file.
  private static func files(of bench: Bench) throws -> [String: Data] {
    var files: [String: Data] = [:]
    for name in try FileManager.default.subpathsOfDirectory(atPath: bench.folder) {
      files[name] = FileManager.default.contents(atPath: bench.folder + "/" + name)
    }
    // Locks are empty and say nothing.
    return files.filter { !$0.key.contains("lock") && $0.key != "job.yaml" }
  }

  /// The first bytes of commands to the tag that change it: WRITE and COMPATIBILITY_WRITE (NTAG213 data
  /// sheet 10, table 22).
  private static let writes: Set<UInt8> = [0xA2, 0xA0]

  @Test func `tag by tag it says what would be written, and leaves all as it is`() async throws {
    let bench = try Bench(Bench.fresh("NTAG213", count: 2))
    try bench.write("cards.csv", ProvisioningTests.cards(2))
    let before = bench.shelf.withLock { $0 }
    let sent = Locked<Set<UInt8>>([])
    let (summary, ear) = try await bench.run(
      Self.job, options: { $0.isDryRun = true },
      faults: { point in
        if [0x40, 0x42].contains(point.code) {
          let command = point.parameters.dropFirst(point.code == 0x40 ? 1 : 0)
          if let first = command.first { sent.withLock { _ = $0.insert(first) } }
        }
        return []
      })
    #expect(summary.exit == .success)
    #expect(summary.isDryRun)
    #expect(ear.tags.map(\.row) == ["A1", "A2"])
    #expect(ear.tags.first?.planned.map(\.action) == ["write", "verify", "lock"])
    // URI record (NFC Forum URI 1.0): D1 01 11 55, prefix 04 (https://), text.
    let text = Array("example.com/c/A2".utf8).hex
    #expect(ear.tags.last?.planned.first?.message?.hex == "D101115504\(text)")
    #expect(bench.shelf.withLock { $0 } == before)
    #expect(sent.withLock { $0.contains(0x30) && $0.isDisjoint(with: Self.writes) })
    let left = try Self.files(of: bench).keys.sorted()
    #expect(
      left == ["cards.csv", "port", "station.yaml"] || left == ["cards.csv", "station.yaml"])
  }

  @Test func `rows that are done stay done, and the ledger keeps its bytes`() async throws {
    let bench = try Bench(Bench.fresh("NTAG213", count: 3))
    try bench.write("cards.csv", ProvisioningTests.cards(3))
    _ = try await bench.run(Self.job, positions: [1])
    let before = try Self.files(of: bench)
    let (summary, ear) = try await bench.run(Self.job, options: { $0.isDryRun = true })
    #expect(summary.exit == .success)
    #expect(ear.tags.map(\.outcome) == [.skipped, .passed, .passed])
    #expect(ear.tags.map(\.row) == ["A1", "A2", "A3"])
    #expect(ear.tags.map(\.planned.count) == [0, 3, 3])
    #expect(try Self.files(of: bench) == before)
    // The same rows are there for the run itself.
    let (_, real) = try await bench.run(Self.job)
    #expect(real.tags.map(\.outcome) == [.skipped, .passed, .passed])
  }

  @Test func `a tag that would be refused fails as it would`() async throws {
    let bench = try Bench(Bench.fresh("NTAG213", count: 1) + Bench.fresh("Ultralight", from: 2))
    try bench.write(
      "cards.csv", "code\n" + String(repeating: "A", count: 80) + "\nB\nC\n")
    let (summary, ear) = try await bench.run(Self.job, options: { $0.isDryRun = true })
    #expect(ear.tags.map(\.outcome) == [.passed, .passed])
    let (refused, other) = try await bench.run(
      Self.job, positions: [2, 1], options: { $0.isDryRun = true })
    #expect(summary.exit == .success)
    // 48 bytes hold no URI of 94.
    #expect(other.tags.map(\.cause) == [.tooSmall, nil])
    #expect(refused.exit == .someFailed)
  }

  @Test func `a lock that is missing is planned and not set`() async throws {
    let bench = try Bench(Bench.fresh("NTAG213"))
    try bench.write("cards.csv", ProvisioningTests.cards(1))
    // Lifted before the third WRITE after the message was read back: its row waits on this tag.
    let (first, _) = try await bench.run(
      Self.job,
      faults: { point in
        let command = point.parameters.dropFirst(point.code == 0x40 ? 1 : 0)
        let isLock = command.first == 0xA2 && command.dropFirst().first == 2
        return isLock ? [.liftBefore(comeBack: nil)] : []
      })
    #expect(first.exit == .inDoubt)
    let (_, ear) = try await bench.run(Self.job, options: { $0.isDryRun = true })
    #expect(ear.tags.first?.planned.map(\.action) == ["lock"])
    #expect(bench.image(1).page(2)[2...3] == [0, 0])
    let (last, _) = try await bench.run(Self.job)
    #expect(last.exit == .success)
    #expect(bench.image(1).page(2)[2...3] == [0xFF, 0xFF])
  }

  @Test func `a job that reads keeps no line, and names the file`() async throws {
    let bench = try Bench(Bench.fresh("NTAG213"))
    let (summary, ear) = try await bench.run(
      "job: reads\nsteps: [{read: {into: reads.csv, fields: [uid]}}]",
      options: { $0.isDryRun = true })
    #expect(summary.exit == .success)
    #expect(ear.tags.first?.planned.first?.detail == "a line for reads.csv")
    #expect(!FileManager.default.fileExists(atPath: bench.folder + "/reads.csv"))
  }

  /// The committing write is the seventh: "https://example.com/c/A1" lies in pages 5 to 11 of an NTAG213.
  @Test func `no fault at any command makes it write, also on a tag in doubt`() async throws {
    let writes = Locked(0)
    let doubtful = try Bench(Bench.fresh("NTAG213"))
    try doubtful.write("cards.csv", ProvisioningTests.cards(1))
    let job = Self.job + "\nretries: {comeBack: 50ms}"
    let (first, _) = try await doubtful.run(
      job,
      faults: { point in
        let command = point.parameters.dropFirst(point.code == 0x40 ? 1 : 0)
        guard command.first == 0xA2 else { return [] }
        return writes.withLock {
          $0 += 1
          return $0 == 7
        } ? [.liftBefore(comeBack: nil)] : []
      })
    #expect(first.rows[.inDoubt] == 1, "\(first)")
    let before = doubtful.shelf.withLock { $0 }
    for start in 1...24 {
      let sent = Locked<Set<UInt8>>([])
      _ = try await doubtful.run(
        job, options: { $0.isDryRun = true },
        faults: { point in
          let command = point.parameters.dropFirst(point.code == 0x40 ? 1 : 0)
          if [0x40, 0x42].contains(point.code), let byte = command.first {
            sent.withLock { _ = $0.insert(byte) }
            // More often than a step is repeated.
            if (start..<start + 6).contains(point.tagCommand) { return [.status(0x01)] }
          }
          return []
        })
      #expect(sent.withLock { $0.isDisjoint(with: Self.writes) }, "from command \(start)")
      #expect(doubtful.shelf.withLock { $0 } == before, "from command \(start)")
    }
  }
}
