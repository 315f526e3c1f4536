import Bytes
import Foundation
import Ledger
import Platform
import StationRunner
import Testing
import VirtualReader

/// Jobs that put a password on tags, or take it off.
///
/// NTAG213 data sheet (rev. 3.2), 8.5.7: pages 29h to 2Ch are CFG0 (AUTH0 last), CFG1 (ACCESS first), PWD, PACK.
@Suite struct PasswordTests {
  static let job = """
    job: guarded
    data: {rows: [{code: A1}, {code: A2}], key: code}
    stop: {whenIdleFor: 1s}
    steps:
      - write: [{uri: "https://example.com/c/${row.code}"}]
      - verify
      - protect: {password: {file: key}, pack: "BEEF", reading: true, tries: 3}
      - lock
    """

  static func bench(_ tags: [ChipImage], key: String = "0A1B2C3D") throws -> Bench {
    let bench = try Bench(tags)
    try bench.writeSecret("key", key)
    return bench
  }

  /// A tag that somebody guards with `password`.
  static func guarded(
    _ password: String, from page: UInt8 = 0, access: UInt8 = 0x83, at position: Int = 1
  ) throws -> ChipImage {
    var image = try #require(Bench.fresh("NTAG213", from: position).first)
    image.pages[0x29 * 4 + 3] = page
    image.pages[0x2A * 4] = access
    image.pages.replaceSubrange(0x2B * 4..<0x2C * 4, with: try #require([UInt8](hex: password)))
    return image
  }

  static func settings(_ image: ChipImage) -> String {
    (0x29...0x2C).map { image.page($0).hex }.joined(separator: " ")
  }

  @Test func `tags are guarded, locked and confirmed, and known when they return`() async throws {
    let bench = try Self.bench(Bench.fresh("NTAG213", count: 2))
    let (summary, ear) = try await bench.run(Self.job)
    #expect(summary.exit == .success, "\(ear.tags)")
    #expect(ear.tags.map(\.outcome) == [.passed, .passed])
    for position in 1...2 {
      let image = bench.image(position)
      #expect(Self.settings(image) == "04000000 83050000 0A1B2C3D BEEF0000")
      #expect(image.page(3).hex == "E110120F")
    }
    // With a third row the run stays, and both tags come again.
    let more = Self.job.replacingOccurrences(of: "{code: A2}]", with: "{code: A2}, {code: A3}]")
    let (again, secondEar) = try await bench.run(more)
    #expect(secondEar.tags.map(\.outcome) == [.skipped, .skipped], "\(again) \(secondEar.tags)")
    #expect(secondEar.tags.map(\.row) == ["A1", "A2"])
    #expect(bench.image(1).failedAuthentications == 0)
  }

  @Test func `a tag that was lost before its lock is finished when it returns`() async throws {
    let bench = try Self.bench(Bench.fresh("NTAG213"))
    let (first, ear) = try await bench.run(
      Self.job,
      faults: { point in
        // WRITE to page 3 is the lock's first, and 0A 1B … went on before.
        point.parameters.dropFirst().starts(with: [0xA2, 0x03]) ? [.liftBefore(comeBack: nil)] : []
      })
    #expect(first.exit == .inDoubt)
    #expect(ear.tags.map(\.outcome) == [.unfinished])
    #expect(Self.settings(bench.image(1)) == "04000000 83050000 0A1B2C3D BEEF0000")
    let (second, secondEar) = try await bench.run(Self.job)
    #expect(secondEar.tags.map(\.outcome) == [.passed], "\(second) \(secondEar.tags)")
    #expect(bench.image(1).page(3).hex == "E110120F")
    #expect(bench.image(1).failedAuthentications == 0)
  }

  /// With ACCESS as it guards reading or not, 3 tries each: of the second the job knows that they are counted.
  @Test(arguments: [("00000001", true), ("0A1B2C3D", false)], [UInt8(0x83), 0x03])
  func `a wrong password is sent once, a right one makes the tag free`(
    _ found: (onTag: String, isWrong: Bool), _ access: UInt8
  ) async throws {
    let (onTag, isWrong) = found
    let bench = try Self.bench([try Self.guarded(onTag, access: access)])
    let job = """
      job: freed
      data: {rows: [{code: A1}], key: code}
      accept: {content: any}
      stop: {whenIdleFor: 1s}
      retries: {tag: 6}
      steps:
        - unprotect: {password: {file: key}}
        - write: [{uri: "https://example.com/c/${row.code}"}]
        - verify
      """
    let sent = Locked(0)
    let (_, ear) = try await bench.run(
      job,
      faults: { point in
        if point.parameters.starts(with: [0x1B, 0x0A, 0x1B, 0x2C, 0x3D]) {
          sent.withLock { $0 += 1 }
        }
        return []
      })
    let image = bench.image(1)
    if isWrong {
      #expect(ear.tags.map(\.outcome) == [.failed])
      #expect(ear.tags.map(\.cause) == [.password])
      #expect(sent.withLock { $0 } == 1)
      #expect(image.failedAuthentications == 1)
      #expect(Self.settings(image) == "04000000 \([access].hex)050000 00000001 00000000")
      #expect(try bench.ledger().rows(series: "freed", state: nil).isEmpty)
    } else {
      #expect(ear.tags.map(\.outcome) == [.passed], "\(ear.tags)")
      #expect(Self.settings(image) == "040000FF 00050000 FFFFFFFF 00000000")
    }
  }

  @Test func `a job may change the password`() async throws {
    let bench = try Self.bench([try Self.guarded("11223344")])
    try bench.writeSecret("old", "11:22:33:44")
    let job = """
      job: changed
      data: {rows: [{code: A1}], key: code}
      accept: {content: any}
      stop: {whenIdleFor: 1s}
      steps:
        - unprotect: {password: {file: old}}
        - write: [{uri: "https://example.com/c/${row.code}"}]
        - protect: {password: {file: key}, from: 4}
        - verify
        - expect: {protected: true}
      """
    let (_, ear) = try await bench.run(job)
    #expect(ear.tags.map(\.outcome) == [.passed], "\(ear.tags)")
    #expect(Self.settings(bench.image(1)) == "04000004 00050000 0A1B2C3D 00000000")
  }

  @Test func `a tag without a password passes as it is`() async throws {
    let bench = try Self.bench(Bench.fresh("NTAG213"))
    let before = bench.image(1)
    let job = """
      job: freed
      stop: {whenIdleFor: 1s}
      steps: [unprotect: {password: {file: key}}]
      """
    let (summary, ear) = try await bench.run(job)
    #expect(summary.exit == .success)
    #expect(ear.tags.map(\.outcome) == [.passed])
    #expect(bench.image(1).pages == before.pages)
  }

  @Test(arguments: [(UInt8(0), UInt8(0x80)), (4, 0x00), (0x29, 0x00)])
  func `a tag that somebody else guards is left alone`(
    _ page: UInt8, _ access: UInt8
  ) async throws {
    let image = try Self.guarded("11223344", from: page, access: access)
    let bench = try Self.bench([image])
    let (_, ear) = try await bench.run(Self.job)
    #expect(ear.tags.map(\.outcome) == [.failed], "\(ear.tags)")
    #expect(ear.tags.map(\.cause) == [.password])
    #expect(bench.image(1).pages == image.pages)
    #expect(try bench.ledger().rows(series: "guarded", state: nil).isEmpty)
  }

  @Test func `a chip without passwords is refused before anything is written`() async throws {
    let bench = try Self.bench(Bench.fresh("Ultralight"))
    let before = bench.image(1)
    let (_, ear) = try await bench.run(Self.job)
    #expect(ear.tags.map(\.cause) == [.unsupported])
    #expect(ear.tags.first?.detail == "Ultralight has no password")
    #expect(bench.image(1).pages == before.pages)
  }

  @Test func `a dry run sends no password and says what it would do`() async throws {
    let bench = try Self.bench(Bench.fresh("NTAG213"))
    let before = bench.image(1)
    let sent = Locked(false)
    let (summary, ear) = try await bench.run(
      Self.job, options: { $0.isDryRun = true },
      faults: { point in
        if point.parameters.starts(with: [0x1B]) { sent.withLock { $0 = true } }
        return []
      })
    #expect(summary.exit == .success)
    #expect(ear.tags.first?.planned.map(\.action) == ["write", "verify", "protect", "lock"])
    #expect(
      ear.tags.first?.planned[2].detail == "reading and writing from page 0 on, 3 tries")
    #expect(bench.image(1) == before)
    #expect(!sent.withLock { $0 })
  }

  @Test(arguments: ["lock", "protect: {password: {file: key}}"])
  func `a job that writes no message knows its tags by the one they have`(
    _ step: String
  ) async throws {
    let bench = try Self.bench(Bench.fresh("NTAG213", count: 2))
    let job = """
      job: finished
      accept: {content: any}
      stop: {whenIdleFor: 1s}
      steps: [\(step)]
      """
    let (dry, dryEar) = try await bench.run(job, options: { $0.isDryRun = true })
    #expect(dry.exit == .success, "\(dryEar.tags)")
    let (summary, ear) = try await bench.run(job)
    #expect(summary.exit == .success, "\(summary) \(ear.tags)")
    #expect(ear.tags.map(\.outcome) == [.passed, .passed])
    #expect(try bench.ledger().rows(series: "finished", state: .done).count == 2)
    let (_, again) = try await bench.run(job)
    #expect(again.tags.map(\.outcome) == [.skipped, .skipped])
  }

  @Test func `without its lock step such a job takes no row`() async throws {
    let bench = try Self.bench(Bench.fresh("NTAG213"))
    let job = "job: finished\nstop: {whenIdleFor: 1s}\nsteps: [lock]"
    let (summary, ear) = try await bench.run(job, options: { $0.noLock = true })
    #expect(summary.exit == .success, "\(summary)")
    #expect(ear.tags.map(\.outcome) == [.passed])
    #expect(try bench.ledger().rows(series: "finished", state: nil).isEmpty)
  }
}

extension Bench {
  /// Writes a file that its owner alone may read.
  func writeSecret(_ name: String, _ text: String) throws {
    try write(name, text)
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o600], ofItemAtPath: folder + "/" + name)
  }
}
