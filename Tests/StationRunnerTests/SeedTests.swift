import Bytes
import Platform
import StationRunner
import Testing
import VirtualReader

/// A run on a reader whose faults are drawn from a seed.
@Suite struct SeedTests {
  private static let job = """
    job: seeds
    data: {rows: [{code: A1}, {code: A2}, {code: A3}, {code: A4}, {code: A5}, {code: A6}], key: code}
    stop: {whenIdleFor: 1s}
    steps:
      - write:
          - uri: "https://example.com/c/${row.code}"
      - verify
      - lock
    """

  /// Every host command with its modelled time, and what became of each tag.
  private func play(_ seed: UInt64) async throws -> (commands: [String], tags: [String]) {
    let bench = try Bench(Bench.fresh("NTAG213", count: 6))
    let heard = Locked<[String]>([])
    let script = FaultScript(seed: seed).player()
    let (_, ear) = try await bench.run(
      Self.job,
      faults: { point in
        let faults = script(point)
        heard.withLock {
          $0.append("\(point.now) \([point.code].hex) \(point.parameters.hex) \(faults)")
        }
        return faults
      })
    return (heard.withLock { $0 }, ear.tags.map { "\($0.uid.hex) \($0.outcome) \($0.row ?? "")" })
  }

  /// Of what these seeds draw, nothing makes the host wait on the wall, so that a busy machine changes nothing.
  @Test(arguments: [58, 59] as [UInt64])
  func `the same seed and deck give the same commands at the same times`(_ seed: UInt64)
    async throws
  {
    let first = try await play(seed)
    let second = try await play(seed)
    #expect(first.commands.count > 100)
    let difference = zip(first.commands, second.commands).first { $0 != $1 }
    #expect(difference == nil)
    #expect(first.commands.count == second.commands.count)
    #expect(first.tags == second.tags)
    // Some of the commands met a fault.
    #expect(first.commands.count { !$0.hasSuffix("[]") } >= 4)
  }
}
