import Declarations
import Diagnostics
import Foundation
import TagFormats
import Templates
import Testing

@testable import DataSource
@testable import JobFile

/// Good files, with the values that they mean.
@Suite struct AcceptedTests {
  static let folder = Bundle.module.bundlePath + "/Fixtures/accepted"

  static func job(_ name: String) throws -> Job {
    let (job, findings) = JobFile.read("\(folder)/\(name).yaml")
    #expect(findings.all.filter { $0.severity == .error } == [])
    return try #require(job)
  }

  @Test func `faults, each with its moment`() throws {
    let (plan, findings) = FaultsFile.read(Self.folder + "/faults.yaml")
    #expect(findings.all == [])
    guard case .entries(let entries) = plan else { return #expect(plan != nil) }
    #expect(entries.map(\.tag) == [nil, 2, 3, 4, nil])
    #expect(
      entries.map(\.moment) == [
        .command(12), .command(5), .page(6), .command(1), .time(.seconds(10)),
      ])
    #expect(entries.map(\.word) == [.noAck, .unplug, .lift, .weak, .second])
    #expect(
      entries.map(\.duration) == [nil, .seconds(2), .milliseconds(500), nil, .seconds(1)])
    #expect(entries.map(\.place.line) == [1, 2, 3, 4, 5])
    #expect(FaultsFile.read(Self.folder + "/faults-seed.yaml").plan == .seed(4711))
  }

  @Test func `a station's reader has the faults of the file that it names`() throws {
    let text = """
      station: s
      declarations: {formats: [TAG], usageDescription: Tests}
      readers: {r: {virtual: {tags: [NTAG213], faults: faults-seed.yaml}}}
      """
    let read = StationFile.read(Array(text.utf8), path: Self.folder + "/station.yaml")
    #expect(read.findings.all == [])
    guard case .virtual(let spec)? = read.station?.readers.first?.device else {
      return #expect(read.station != nil)
    }
    #expect(spec.faults == .seed(4711))
  }

  @Test func `a job with every key`() throws {
    let job = try Self.job("cards")
    #expect(job.name == "loyalty-cards")
    #expect(job.series == "order-4711")
    #expect(job.description == "Cards of order 4711")
    #expect(job.station == Self.folder + "/station.yaml")
    #expect(job.reader == .named(["demo"]))
    #expect(job.stop == Stop(afterTags: 100, whenIdleFor: .seconds(120), afterFailures: 5))
    #expect(job.expectTags == 0)
    #expect(job.repetition == .never)
    #expect(
      job.retries == Retries(busy: 3, wait: .milliseconds(500), tag: 0, comeBack: .seconds(60)))
    #expect(job.queueFor == .seconds(7200))
    #expect(job.yields)
    #expect(!job.takesTurns)
    #expect(job.writes)
    #expect(job.hash.count == 32)
    let data = try #require(job.data)
    #expect(data.key == ["code"])
    guard case .csv(let path, let delimiter, let encoding, let header, _) = data.source else {
      Issue.record("no CSV source")
      return
    }
    #expect(path == Self.folder + "/../check/cards.csv")
    #expect(delimiter == UInt8(ascii: ";"))
    #expect(encoding == "utf-8")
    #expect(header == ["code", "name"])
  }

  @Test func `a batch with every key`() throws {
    let batch = try #require(try Self.job("cards").batches.first)
    #expect(batch.tags == 50)
    #expect(batch.prompt?.text == "Change the tray")
    #expect(
      batch.accept
        == Accept(chips: [.ntag213, .ntag215], content: .ours, uid: .random, alone: false))
    let session = batch.session
    #expect(session.kind == .tag)
    #expect(session.polling == [.iso14443, .iso18092])
    #expect(session.selectIdentifiers == [[0xD2, 0x76, 0, 0, 0x85, 1, 1]])
    #expect(session.systemCodes == [[0x12, 0xFC]])
    #expect(session.alertMessage?.text == "Card ${tag.position} of ${job.total}")
    #expect(session.timeout == .seconds(90))
    #expect(batch.steps.map(\.name) == ["write", "verify", "lock"])
    #expect(batch.steps.map(\.place.line) == [25, 42, 43])
  }

  @Test func `a minimal job has the defaults`() throws {
    let job = try Self.job("minimal")
    #expect(job.series == "nightly-read")
    #expect(job.reader == .only)
    #expect(job.expectTags == 1)
    #expect(job.repetition == .eachRun)
    #expect(job.retries == Retries(busy: 1, wait: .seconds(2), tag: 2, comeBack: .seconds(3)))
    #expect(job.queueFor == .seconds(600))
    #expect(!job.yields)
    #expect(job.stop == Stop())
    let batch = try #require(job.batches.first)
    #expect(batch.accept == Accept(chips: nil, content: .any, uid: .fixed, alone: true))
    #expect(batch.session.alertMessage?.text == "Present a tag")
    #expect(batch.session.timeout == .seconds(60))
    #expect(batch.session.polling == [.iso14443])
    #expect(batch.tags == nil)
  }

  @Test func `entries of batches lie over the job's own keys`() throws {
    let job = try Self.job("turns")
    #expect(job.takesTurns)
    #expect(job.repetition == .never)
    let (encode, check) = (job.batches[0], job.batches[1])
    #expect(encode.name == "encode")
    #expect(encode.tags == 10)
    #expect(encode.prompt?.text == "Put in tray ${job.name}")
    #expect(encode.session.timeout == .seconds(20))
    #expect(encode.session.alertMessage?.text == "Present")
    #expect(encode.accept == Accept(chips: [.ntag213], content: .empty))
    #expect(encode.steps.map(\.name) == ["write", "verify"])
    #expect(check.session.timeout == .seconds(10))
    #expect(check.session.invalidateAfterFirstRead)
    #expect(check.session.polling == [.iso18092])
    #expect(check.accept == Accept(chips: [.ntag213], content: .any))
    guard case .expect(let expectation) = check.steps[0].kind else {
      Issue.record("no expectation")
      return
    }
    #expect(expectation.checks.count == 9)
    guard case .uid(.oneOf(let uids)) = expectation.checks[1].subject else {
      Issue.record("no UIDs")
      return
    }
    #expect(uids.map(\.text) == ["04112233445566", "04112233445566"])
  }

  @Test func `a serial number is written as its format says`() throws {
    let data = try #require(try Self.job("serials").data)
    let serial = try #require(data.serial)
    #expect(data.strict)
    #expect((0..<6).map { serial.number(at: $0) } == [100, 110, 120, 130, 140, nil])
    #expect(serial.text(of: 110) == "SN-006E")
    var plain = SerialSpec()
    #expect(plain.text(of: 7) == "7")
    plain.format = "%03d."
    #expect(plain.text(of: 1234) == "1234.")
  }

  @Test func `a station with its readers`() throws {
    let (found, findings) = StationFile.read(Self.folder + "/station.yaml")
    #expect(findings.all == [])
    let station = try #require(found)
    let home = Self.folder
    #expect(station.name == "line-3")
    #expect(station.path == home + "/station.yaml")
    #expect(station.ledger == home + "/var/line-3.sqlite")
    #expect(station.log == home + "/var/line-3.jsonl")
    #expect(station.output == home + "/var")
    #expect(station.declarations.formats == ["TAG"])
    #expect(station.declarations.systemCodes == [[0x12, 0xFC]])
    #expect(station.readers.map(\.name) == ["left", "right", "demo"])
    guard case .connection(let left, 230_400) = station.readers[0].device,
      case .connection("pn532_uart:/dev/ttyUSB1", 921_600) = station.readers[1].device,
      case .virtual(let virtual) = station.readers[2].device
    else {
      Issue.record("other devices")
      return
    }
    #expect(left.hasSuffix(":230400"))
    #expect(station.readers.map(\.radioDisabled) == [false, true, false])
    #expect(virtual.keep == home + "/var/tags")
    #expect(virtual.timing == .none)
    #expect(virtual.hold == .duration(.milliseconds(1500)))
    #expect(virtual.firmware == .milliseconds(2))
    #expect(virtual.gap == .milliseconds(300))
    #expect(virtual.tags.map(\.count) == [100, 1, 1, 2, 1])
    #expect(
      virtual.tags.map(\.tag) == [
        .chip("NTAG215"), .chip("NTAG213"), .chip("UltralightEV1-48"),
        .file(home + "/content.bin"), .file(home + "/content.bin"),
      ])
    #expect(
      virtual.tags.map(\.uid) == [
        .derived, .derived, .fixed([0x04, 0x11, 0x22, 0x33, 0x44, 0x55, 0x66]), .random, .derived,
      ])
  }

  @Test(arguments: [
    ("/etc/tagstation/station.yaml", "/var/lib/tagstation/line"),
    ("/usr/share/tagstation/station.yaml", "/var/lib/tagstation/line"),
    ("/home/kim/line/station.yaml", "/home/kim/line/var/line"),
    ("/station.yaml", "/var/line"),
  ]) func `the ledger lies where the station file says`(path: String, base: String) {
    #expect(StationFile.defaultBase("line", at: path) == base)
  }

  @Test func `the digest of what is written keeps to what is written`() {
    func digest(_ text: String) -> [UInt8]? {
      JobFile.read(Array(text.utf8), path: "job.yaml").job?.writesDigest
    }
    let base = digest("job: a\naccept: {chips: [NTAG213]}\nsteps: [{write: [{text: x}]}, verify]")
    #expect(base != nil)
    // Layout, names and reading steps may change.
    #expect(
      base
        == digest(
          "job: b\nqueueFor: 5m\nsteps:\n - write: [{text: \"x\"}] # same\n"
            + "accept:\n  chips:\n    - NTAG213\n"))
    #expect(base != digest("job: a\naccept: {chips: [NTAG213]}\nsteps: [{write: [{text: y}]}]"))
    #expect(base != digest("job: a\naccept: {chips: [NTAG215]}\nsteps: [{write: [{text: x}]}]"))
    #expect(
      base != digest("job: a\naccept: {chips: [NTAG213]}\nsteps: [{write: [{text: x}]}, lock]"))
  }

  @Test(arguments: [
    ("steps: [read]", false), ("stop: {whenIdleFor: 1s}\nsteps: [read]", true),
    ("stop: {afterTags: 1}\nsteps: [read]", true), ("stop: never\nsteps: [read]", false),
    ("data: {serial: {}}\nsteps: [{write: []}]", false),
    ("data: {serial: {count: 5}}\nsteps: [{write: []}]", true),
    ("data: {rows: [{a: b}]}\nsteps: [{write: []}]", true),
    ("data: {rows: [{a: b}]}\nsteps: [read]", false),
  ]) func `a job ends by itself, or not`(keys: String, ends: Bool) throws {
    let job = try #require(JobFile.read(Array("job: a\n\(keys)".utf8), path: "job.yaml").job)
    #expect(job.endsByItself(on: nil) == ends)
  }

  @Test func `a file of faults is answered at once`() {
    let text = (0..<20_000).map { "key\($0): 1\n" }.joined()
    let findings = JobFile.read(Array(text.utf8), path: "job.yaml").findings
    #expect(findings.all.count < 300)
    let templates = (0..<10_000).map { "  - text: ${row.a\($0)}\n" }.joined()
    let job = "job: a\ndata: {rows: [{a: b}]}\nsteps:\n- write:\n" + templates
    #expect(JobFile.read(Array(job.utf8), path: "job.yaml").job?.references.count == 10_000)
  }

  @Test func `a job cut anywhere is answered`() throws {
    let bytes = [UInt8](try Data(contentsOf: URL(filePath: Self.folder + "/cards.yaml")))
    for length in 0..<bytes.count {
      _ = JobFile.read(Array(bytes[..<length]), path: Self.folder + "/cards.yaml")
    }
    let station = [UInt8](try Data(contentsOf: URL(filePath: Self.folder + "/station.yaml")))
    for length in 0..<station.count {
      _ = StationFile.read(Array(station[..<length]), path: Self.folder + "/station.yaml")
    }
  }

  @Test func `a job with any byte changed is answered`() throws {
    let bytes = [UInt8](try Data(contentsOf: URL(filePath: Self.folder + "/turns.yaml")))
    var generator = SystemRandomNumberGenerator()
    for index in bytes.indices {
      var changed = bytes
      changed[index] = UInt8.random(in: 0...255, using: &generator)
      let (job, findings) = JobFile.read(changed, path: Self.folder + "/turns.yaml")
      #expect(job != nil || findings.hasErrors)
    }
  }
}
