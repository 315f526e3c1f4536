import Bytes
import Ledger
import Platform
import StationRunner
import Testing
import VirtualReader

/// Tags that make their UID anew each time the field comes on: the bytes alone say which row they hold.
@Suite struct RandomUIDTests {
  static let job = """
    job: random
    accept: {uid: random}
    data: {rows: [{code: A1}, {code: A2}, {code: A3}], key: code}
    steps:
      - write: [{uri: "https://example.com/${row.code}"}]
    """

  /// A single-size random UID begins with 08 (ISO/IEC 14443-3, section 6.5.4); ATQA 0004 says it has four bytes.
  private static func tag(_ last: UInt8) throws -> ChipImage {
    var image = try #require(Bench.fresh("NTAG213").first)
    image.uid = [0x08, 0x11, 0x22, last]
    image.atqa = 0x0004
    return image
  }

  @Test func `a job for fixed UIDs refuses them and says what to write`() async throws {
    let bench = try Bench([try Self.tag(1)])
    let job = Self.job.replacing("uid: random", with: "uid: fixed")
    let (_, ear) = try await bench.run(job)
    #expect(ear.tags.map(\.cause) == [.unsupported])
    #expect(ear.tags.first?.detail?.contains("accept: {uid: random}") == true)
  }

  @Test func `a tag that holds its row is known by its bytes under another UID`() async throws {
    let bench = try Bench([try Self.tag(1), try Self.tag(2)])
    let first = try await bench.run(Self.job, positions: [1])
    #expect(first.ear.tags.map(\.row) == ["A1"])
    bench.shelf.withLock { $0[0].uid = [0x08, 0x99, 0x98, 0x97] }
    let second = try await bench.run(Self.job, positions: [1, 2])
    #expect(second.ear.tags.map(\.outcome) == [.skipped, .passed])
    #expect(second.ear.tags.map(\.row) == ["A1", "A2"])
  }
}
