import Foundation
import Ledger
import Platform
import Readers
import StationRunner
import Testing
import VirtualReader

/// What a run does between its sessions, and after each reason that ends one.
@Suite struct SessionTests {
  static let read = "steps: [read: {}]\n"

  /// One reason: how it is brought about, and what the run makes of it.
  struct Case: Sendable, CustomTestStringConvertible {
    let reason: String
    var session = "{}"
    var declarations = "{formats: [TAG], usageDescription: Test tags}"
    var radioDisabled = false
    let ends: [String]
    let exit: StationRunner.ExitStatus
    var testDescription: String {
      "\(reason): \(ends.isEmpty ? "no session" : ends.joined(separator: ", ")), exit \(exit.rawValue)"
    }
  }

  static let cases = [
    Case(
      reason: "1.2 no usage description", declarations: "{formats: [TAG]}", ends: [],
      exit: .notDeclared),
    Case(
      reason: "5.3 an empty usage description",
      declarations: "{formats: [TAG], usageDescription: \"  \"}", ends: [], exit: .notDeclared),
    Case(
      reason: "5.3 no format", declarations: "{formats: [NDEF], usageDescription: Test tags}",
      ends: [], exit: .notDeclared),
    Case(
      reason: "5.3 no format for an ndef session", session: "{kind: ndef}",
      declarations: "{formats: [NDEF], usageDescription: Test tags}", ends: [],
      exit: .notDeclared),
    Case(
      reason: "5.3 iso18092 without system codes", session: "{polling: [iso18092]}", ends: [],
      exit: .notDeclared),
    Case(
      reason: "1.4 every narrowed identifier is unknown",
      session: "{selectIdentifiers: [\"F001020304\"]}",
      declarations:
        "{formats: [TAG], usageDescription: Test, selectIdentifiers: [\"D2760000850101\"]}",
      ends: [], exit: .notDeclared),
    Case(
      reason: "1.2 the reader lacks a feature", session: "{polling: [iso14443, iso15693]}",
      ends: ["1 system"], exit: .noReader),
    Case(
      reason: "1.2 the station file switches the radio off", radioDisabled: true,
      ends: ["6 system"], exit: .noReader),
    Case(
      reason: "5.3 iso14443 without identifiers, a tag without applications", ends: ["200 runner"],
      exit: .success),
  ]

  @Test(arguments: cases) func `a run that may not or cannot read says so`(
    _ one: Case
  ) async throws {
    let bench = try Bench(Bench.fresh("NTAG213"))
    let (summary, ear) = try await bench.run(
      "job: one\nsession: \(one.session)\n" + Self.read, declarations: one.declarations,
      radioDisabled: one.radioDisabled)
    #expect(ear.ends == one.ends)
    #expect(summary.exit == one.exit, "\(summary)")
    #expect(summary.exit == .success || !summary.remarks.isEmpty)
  }

  @Test(arguments: [("soft", "1"), ("hard", "1"), ("soft", "0")])
  func `a radio that the kernel blocks ends the session with 6`(
    _ file: String, _ value: String
  ) async throws {
    let virtual = try VirtualReader(configuration: VirtualReaderConfiguration(timing: .none))
    defer { virtual.stop() }
    let bench = try Bench(Bench.fresh("NTAG213"))
    // The kernel's folders, with the radio on the device behind the reader's port.
    let port = (virtual.portPath as NSString).lastPathComponent
    for folder in ["devices/usb1", "class/tty/\(port)", "class/rfkill/rfkill0"] {
      try FileManager.default.createDirectory(
        atPath: "\(bench.folder)/sys/\(folder)", withIntermediateDirectories: true)
    }
    for link in ["class/tty/\(port)", "class/rfkill/rfkill0"] {
      try FileManager.default.createSymbolicLink(
        atPath: "\(bench.folder)/sys/\(link)/device",
        withDestinationPath: "\(bench.folder)/sys/devices/usb1")
    }
    try bench.write("sys/class/rfkill/rfkill0/type", "nfc\n")
    for name in ["soft", "hard"] {
      try bench.write("sys/class/rfkill/rfkill0/\(name)", name == file ? "\(value)\n" : "0\n")
    }
    let folder = bench.folder
    let (summary, ear) = try await bench.run(
      "job: radio\nexpectTags: any\nstop: {whenIdleFor: 1s}\n" + Self.read,
      options: { $0.radio = Radio(system: folder + "/sys") }, on: virtual)
    #expect(ear.ends == [value == "1" ? "6 system" : "200 runner"])
    #expect(summary.exit == (value == "1" ? .noReader : .success))
  }

  @Test func `a job far longer than any session runs through`() async throws {
    let bench = try Bench(Bench.fresh("NTAG213", count: 30))
    let (summary, ear) = try await bench.run(
      "job: long\nsession: {timeout: 1s}\n" + Self.read)
    #expect(ear.tags.count == 30)
    #expect(ear.tags.allSatisfy { $0.outcome == .passed })
    #expect(ear.ends.count { $0 == "201 system" } >= 5, "\(ear.ends)")
    #expect(ear.ends.last == "200 runner")
    #expect(summary.exit == .success)
    // Each session has one end, in the log too.
    let log = try bench.log()
    let begun = log.filter { $0["event"] as? String == "session.began" }
    let ended = log.filter { $0["event"] as? String == "session.ended" }
    #expect(begun.compactMap { $0["session"] as? Int } == Array(1...begun.count))
    #expect(ended.compactMap { $0["session"] as? Int } == Array(1...begun.count))
  }

  @Test func `a first NDEF tag read opens the next session, and the mistake is named at the end`()
    async throws
  {
    let bench = try Bench(Bench.fresh("NTAG213", count: 3))
    let (summary, ear) = try await bench.run(
      "job: mistake\nsession: {kind: ndef, invalidateAfterFirstRead: true}\n" + Self.read)
    #expect(ear.ends.prefix(3) == ["204 system", "204 system", "204 system"])
    #expect(ear.tags.count == 3)
    #expect(summary.remarks.contains { $0.contains("invalidateAfterFirstRead") })
    let (good, _) = try await bench.run("job: good\nsession: {kind: ndef}\n" + Self.read)
    #expect(!good.remarks.contains { $0.contains("invalidateAfterFirstRead") })
  }

  @Test func `an ndef session that writes does not end by itself`() async throws {
    let bench = try Bench(Bench.fresh("NTAG213", count: 3))
    let (_, ear) = try await bench.run(
      """
      job: write
      session: {kind: ndef}
      steps:
        - write:
            - uri: "https://example.com/"
      """)
    #expect(ear.tags.map(\.outcome) == [.passed, .passed, .passed])
    #expect(ear.tags.map(\.session) == [1, 1, 1])
    #expect(ear.ends == ["200 runner"])
  }

  @Test func `an ndef session is given no tag without NDEF format`() async throws {
    var tags = Bench.fresh("NTAG213", count: 3)
    tags[1].pages.replaceSubrange(12..<16, with: [0, 0, 0, 0])
    let bench = try Bench(tags)
    let (summary, ear) = try await bench.run("job: ndef\nsession: {kind: ndef}\n" + Self.read)
    #expect(ear.tags.map { $0.uid.last ?? 0 } == [1, 3])
    #expect(summary.reason == .usedUp)
  }

  @Test func `a tag that is not delivered holds up no deck`() async throws {
    var tags = Bench.fresh("NTAG213", count: 2)
    tags.insert(contentsOf: Bench.fresh("ISO7816", from: 9), at: 1)
    let bench = try Bench(tags)
    let (summary, ear) = try await bench.run(
      "job: mixed\n" + Self.read,
      declarations:
        "{formats: [TAG], usageDescription: Test, selectIdentifiers: [\"F001020304\"]}")
    #expect(ear.tags.map { $0.uid.last ?? 0 } == [1, 2])
    #expect(summary.reason == .usedUp)
  }

  @Test func `a card with two applications is seen by the one that the session names`()
    async throws
  {
    for (name, identifiers) in [
      ("D2760000850101", "[]"), ("A0000002471001", "[\"A0000002471001\"]"),
    ] {
      let bench = try Bench(Bench.fresh("ISO7816"))
      _ = try await bench.run(
        "job: two\nsession: {selectIdentifiers: \(identifiers)}\nrepeat: always\n" + Self.read,
        declarations:
          "{formats: [TAG], usageDescription: Test, "
          + "selectIdentifiers: [\"D2760000850101\", \"A0000002471001\"]}")
      let log = try bench.log().filter { $0["event"] as? String == "tag" }
      #expect(log.map { $0["initialSelectedAID"] as? String } == [name])
      #expect(log.map { $0["kind"] as? String } == ["iso7816"])
    }
  }

  @Test func `dropped identifiers are said when the session begins`() async throws {
    let bench = try Bench(Bench.fresh("NTAG213"))
    _ = try await bench.run(
      """
      job: dropped
      session: {selectIdentifiers: ["F001020304", "D2760000850101", "D2760000850101"]}
      steps: [read: {}]
      """,
      declarations:
        "{formats: [TAG], usageDescription: Test, selectIdentifiers: [\"D2760000850101\"]}")
    let began = try bench.log().first { $0["event"] as? String == "session.began" }
    #expect(began?["dropped"] as? [String] == ["F001020304", "D2760000850101"])
    #expect(began?["selectIdentifiers"] as? [String] == ["D2760000850101"])
  }

  @Test func `the usage description and the alert message are two texts`() async throws {
    let bench = try Bench(Bench.fresh("NTAG213", count: 3))
    let (_, ear) = try await bench.run(
      """
      job: texts
      session: {alertMessage: "Card ${tag.position}"}
      steps: [read: {}]
      """)
    let log = try bench.log()
    let began = log.first { $0["event"] as? String == "run.began" }
    #expect(began?["usageDescription"] as? String == "Test tags")
    var alerts: [String] = []
    for case .sessionBegan(_, let alert, _) in ear.news { alerts.append(alert) }
    for case .alert(let alert) in ear.news { alerts.append(alert) }
    // Filled anew for each tag, in one session.
    #expect(alerts == ["Card 1", "Card 2", "Card 3", "Card 4"])
    for case .began(let opening) in ear.news {
      #expect(opening.usageDescription == "Test tags")
    }
  }

  /// A reader to be unplugged: the number of its pseudo-terminal may be another's at once, its link not.
  private static func unplugged() throws -> VirtualReader {
    let link = NSTemporaryDirectory() + "tagstation-away-\(UUID().uuidString)"
    return try VirtualReader(
      configuration: VirtualReaderConfiguration(timing: .none, link: link))
  }

  @Test func `a reader that comes back goes on in a new session`() async throws {
    let link = NSTemporaryDirectory() + "tagstation-back-\(UUID().uuidString)"
    let first = try VirtualReader(
      configuration: VirtualReaderConfiguration(timing: .none, link: link))
    first.place(Bench.fresh("NTAG213")[0])
    let second = Locked<VirtualReader?>(nil)
    defer { second.withLock { $0 }?.stop() }
    let bench = try Bench([])
    let observer = Ear { report in
      guard report.uid.last == 1 else { return }
      // Unplugged; plugged in again with another tag on it.
      first.stop()
      let again = try? VirtualReader(
        configuration: VirtualReaderConfiguration(timing: .none, link: link))
      again?.place(Bench.fresh("NTAG213", from: 2)[0])
      second.withLock { $0 = again }
    }
    let (summary, ear) = try await bench.run(
      "job: back\nstop: {afterTags: 2}\n" + Self.read, observer: observer, on: first,
      at: "pn532_uart:\(link)")
    #expect(ear.tags.map { $0.uid.last ?? 0 } == [1, 2])
    #expect(ear.ends == ["202 system", "200 runner"])
    #expect(summary.exit == .success)
    let events = try bench.log().compactMap { $0["event"] as? String }
    #expect(events.filter { $0.hasPrefix("reader.") } == ["reader.lost", "reader.back"])
  }

  @Test func `a reader that stays away ends the run after 30 s with 69`() async throws {
    let virtual = try Self.unplugged()
    virtual.place(Bench.fresh("NTAG213")[0])
    let bench = try Bench([])
    let began = ContinuousClock.now
    let (summary, ear) = try await bench.run(
      "job: away\nstop: {afterTags: 2}\n" + Self.read, observer: Ear { _ in virtual.stop() },
      on: virtual, at: virtual.connectionString)
    #expect(ear.ends == ["202 system"])
    #expect(summary.exit == .noReader)
    #expect(began.duration(to: .now) >= .seconds(30))
  }

  @Test func `a person may end the wait for a reader`() async throws {
    let virtual = try Self.unplugged()
    virtual.place(Bench.fresh("NTAG213")[0])
    let bench = try Bench([])
    let cancellation = bench.cancellation
    let (summary, _) = try await bench.run(
      "job: away\nstop: {afterTags: 2}\n" + Self.read,
      observer: Ear { _ in
        virtual.stop()
        Thread.detachNewThread {
          Thread.sleep(forTimeInterval: 1)
          cancellation.raise(signal: 2)
        }
      }, on: virtual, at: virtual.connectionString)
    #expect(summary.exit == .interrupted)
  }

  @Test func `two tags in the field are told once and a tag left lying is not read twice`()
    async throws
  {
    let virtual = try VirtualReader(configuration: VirtualReaderConfiguration(timing: .none))
    defer { virtual.stop() }
    let tags = Bench.fresh("NTAG213", count: 2)
    virtual.place(tags[0])
    let bench = try Bench([])
    let (_, ear) = try await bench.run(
      "job: lying\nrepeat: always\nstop: {whenIdleFor: 3m}\n" + Self.read, on: virtual)
    // Three sessions, and the tag lay there through all of them.
    #expect(ear.tags.count == 1)
    #expect(ear.ends.count >= 3)
    virtual.place(tags[1])
    let (_, crowded) = try await bench.run(
      "job: crowd\nexpectTags: any\nstop: {whenIdleFor: 30s}\n" + Self.read, on: virtual)
    #expect(crowded.tags.isEmpty)
    var told: [[[UInt8]]] = []
    for case .crowded(_, let uids) in crowded.news { told.append(uids) }
    #expect(told == [tags.map(\.uid)])
  }

  @Test(arguments: [true, false])
  func `a busy reader is tried again, and people are told only if it stays busy`(
    _ isLetGo: Bool
  ) async throws {
    let virtual = try VirtualReader(configuration: VirtualReaderConfiguration(timing: .none))
    defer { virtual.stop() }
    virtual.place(Bench.fresh("NTAG213")[0])
    let bench = try Bench([])
    let other = Process()
    let said = Pipe()
    other.executableURL = URL(filePath: "/bin/sh")
    other.arguments = ["-c", "exec 3<>\(virtual.portPath); echo; exec sleep 60"]
    other.standardOutput = said
    try other.run()
    defer { other.terminate() }
    _ = try said.fileHandleForReading.read(upToCount: 1)
    let process = other.processIdentifier
    let log = bench.logPath
    if isLetGo {
      Thread.detachNewThread {
        for _ in 0..<2000 {
          let text = (try? String(contentsOfFile: log, encoding: .utf8)) ?? ""
          if text.contains("203") { break }
          Thread.sleep(forTimeInterval: 0.01)
        }
        kill(process, SIGKILL)
      }
    }
    let (summary, ear) = try await bench.run(
      "job: busy\nretries: {busy: 1, wait: 2s}\nstop: {afterTags: 1}\n" + Self.read,
      on: virtual, at: virtual.connectionString)
    let refusals = try bench.log().filter { $0["code"] as? Int == 203 }
    #expect(refusals.count == (isLetGo ? 1 : 2))
    #expect(summary.exit == (isLetGo ? .success : .tryAgain))
    #expect(ear.ends == (isLetGo ? ["200 runner"] : []))
    #expect(summary.remarks.contains { $0.contains("process \(process)") } == !isLetGo)
  }

  @Test func `a person's cancel stops the run without a word`() async throws {
    let bench = try Bench(Bench.fresh("NTAG213", count: 2))
    let cancellation = bench.cancellation
    let (summary, ear) = try await bench.run(
      "job: cancel\n" + Self.read, observer: Ear { _ in cancellation.raise(signal: 2) })
    #expect(ear.tags.count == 1)
    #expect(ear.ends == ["200 person"])
    #expect(summary.remarks.isEmpty)
    #expect(summary.exit == .interrupted)
  }
}
