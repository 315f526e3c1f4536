import Bytes
import Testing

@testable import benchmark

/// Work on one tag against the least that would do; no time on the wall is asserted.
struct FloorTests {
  /// What the model gives for sequences that were recorded byte by byte over libnfc, with what it came to:
  /// a message of 45 bytes, and messages that fill NTAG215 and NTAG216, verified in the same selection, locked.
  @Test(arguments: [
    (writes: 12, pages: [13], count: 18, bytes: 643, radio: 86.0, milliseconds: 142.0),
    (124, [65, 59], 131, 4702, 679, 1087),
    (218, [65, 65, 65, 23], 227, 8148, 1178, 1886),
  ])
  func `the model gives the recorded bytes and milliseconds`(
    row: (
      writes: Int, pages: [Int], count: Int, bytes: Int, radio: Double, milliseconds: Double
    )
  ) {
    let writes = Array(repeating: CommandCost.Command.write, count: row.writes + 3)
    let floor = Floor(
      commands: [.select, .read] + writes + row.pages.map { .fastRead(pages: $0) })
    #expect(floor.commands.count == row.count)
    #expect(floor.bytes == row.bytes)
    #expect(abs(floor.radio - row.radio) < 1)
    #expect(abs(floor.milliseconds - row.milliseconds) < 1)
  }

  /// The figures of NXP's data sheet NTAG213F/216F, revision 3.1, pages 34 to 44, and sums of frames.
  @Test(arguments: [
    (CommandCost.Command.read, 2.09), (.fastRead(pages: 1), 1.16), (.fastRead(pages: 65), 22.91),
    (.write, 4.95), (.version, 1.33),
  ])
  func `a command is on the air as long as its frames`(
    command: CommandCost.Command, milliseconds: Double
  ) {
    #expect(abs(CommandCost(command).radio - milliseconds) < 0.006)
  }

  @Test(arguments: [false, true])
  func `an NTAG213 gets its URL, verified and locked, within a tenth of the floor`(
    alone: Bool
  ) async throws {
    let job = TagJob(
      name: "URL, verify, lock", chip: .ntag213, message: TagJob.url("1"), alone: alone)
    let measured = try await Measurement(job)
    let floor = measured.floor
    #expect(job.message.count == 45)
    #expect(Double(measured.commands) <= Double(floor.commands.count) * 1.1)
    #expect(measured.milliseconds <= floor.milliseconds * 1.1)
    // No faster than can be.
    #expect(measured.commands >= floor.commands.count)
    #expect(measured.milliseconds >= floor.milliseconds)
  }

  @Test func `a rewrite of one page writes the length twice and that page`() async throws {
    let job = try #require(TagJob.usual.first { $0.isRewrite })
    let writes = try await Measurement(job).trace.filter { $0.hasPrefix("4001A2") }
    // Page 5 holds the TLV's length; the last character lies in page 10h.
    #expect(writes.map { $0.dropFirst(6).prefix(2) } == ["05", "10", "05"])
  }

  @Test(arguments: TagJob.usual.filter { !$0.alone })
  func `no job does with less than its floor`(job: TagJob) async throws {
    let measured = try await Measurement(job)
    #expect(measured.commands >= measured.floor.commands.count)
    #expect(measured.milliseconds >= measured.floor.milliseconds)
  }

  @Test func `a measurement repeats exactly`() async throws {
    let job = TagJob(name: "URL", chip: .ntag213, message: TagJob.url("1"))
    let (first, second) = (try await Measurement(job), try await Measurement(job))
    #expect(first.commands == second.commands)
    #expect(first.milliseconds == second.milliseconds)
    // From the first listing on: a busy machine may ask the chip twice whether it is there.
    let works = [first, second].map { $0.trace.drop { !$0.hasPrefix("4A") } }
    #expect(works[0] == works[1])
  }
}
