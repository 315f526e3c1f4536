import Foundation
import Platform
import Testing
import VirtualReader

/// Tags that are presented twice, two at once, or exchanged in the middle of the work.
@Suite(.serialized)
struct SwapTests {
  @Test func `R6: the same tag twice is skipped, with its row and the time of the first`() throws {
    let rig = try FrameRig(deck: [0, 0], rows: 2)
    var ending = try rig.run()
    let image = rig.shelf.withLock { $0[0] }
    let tags = ending.events("tag")
    #expect(tags.map(\.isPassed) == [true, false])
    let began = try #require(ending.events("run.began").first).time
    let told = "row ROW-0001 is on it already by run"
    #expect(tags.last?.contains(told) == true, "\(tags)")
    #expect(tags.last?.contains("began at \(began)") == true, "\(tags) \(began)")
    try rig.check(&ending, "after", killed: false)
    #expect(ending.findings == [])
    // Another run refuses it just the same, and changes nothing.
    let again = try rig.run()
    #expect(again.events("tag").allSatisfy { $0.contains("\"outcome\":\"skipped\"") })
    #expect(rig.shelf.withLock { $0[0] } == image)
    Rig.show("R6 same tag twice", "1 passed, \(again.events("tag").count + 1) skipped")
  }

  /// A run without a fault.
  private func count() throws -> FrameRig.Ending {
    let ending = try FrameRig().play(nil)
    #expect(ending.statuses == [0] && ending.findings.isEmpty, "\(ending)")
    return ending
  }

  @Test func `R6: a second tag that comes before any listing is never written`() throws {
    let listings = try count().listings
    #expect(listings.count >= 2)
    let arrival = listings[0]
    let faults = listings.flatMap { listing in
      [nil, Duration.milliseconds(100)].map { stay in
        FrameFault(command: listing, kind: .reader(.visit(stay)))
      }
    }
    let rounds = Rounds.play(faults, judge: { Self.twoTags($0, $1, arrival: arrival) })
    rounds.report("R6 two tags (\(listings.count) listings)")
  }

  private static func twoTags(
    _ fault: FrameFault, _ ending: FrameRig.Ending, arrival: Int
  ) -> [String] {
    var findings: [String] = []
    let fresh = ending.strangers.map { VirtualChips.make(name: $0.chip, uid: $0.uid)?.pages ?? [] }
    if ending.strangers.map(\.pages) != fresh { findings.append("the second tag was changed") }
    if ending.strangers.isEmpty { findings.append("no second tag came") }
    guard fault.command == arrival else { return findings }
    if ending.events("field.crowded").count != 1 { findings.append("not told: \(ending.lines)") }
    if case .reader(.visit(nil)) = fault.kind, !ending.events("tag").isEmpty {
      findings.append("a tag was taken beside another: \(ending.lines)")
    }
    return findings
  }

  /// Every command of a tag's work, or a spread of them.
  private func swaps(_ commands: Int, every step: Int) -> [FrameFault] {
    (1...commands).filter { Rig.isFull || $0 % step == 0 }
      .map { FrameFault(command: $0, kind: .reader(.swap)) }
  }

  @Test func `R6: a tag swapped for another at any command never gets the first one's outcome`()
    throws
  {
    let commands = try count().tagCommands
    // What passed has to have passed under its own UID: that is the checker's.
    let rounds = Rounds.play(
      swaps(commands, every: 3),
      rig: { try FrameRig([FrameRig.fresh(1), FrameRig.fresh(2)], rows: 2) },
      judge: { Self.twice($1) })
    rounds.report("R6 swapped tags (\(commands) commands)")
  }

  @Test func `R6: tags with random UIDs swapped at any command are not taken for each other`()
    throws
  {
    let commands = try count().tagCommands
    let rounds = Rounds.play(
      swaps(commands, every: 4),
      rig: {
        try FrameRig(
          [FrameRig.random(1), FrameRig.random(2)], rows: 2, accept: "{uid: random}",
          comeBack: "500ms")
      },
      judge: { Self.twice($1) })
    rounds.report("R6 swapped tags with random UIDs (\(commands) commands)")
  }

  @Test func `R6: a clone swapped in at any command never passes without the whole message`() throws
  {
    let commands = try count().tagCommands
    let rounds = Rounds.play(
      swaps(commands, every: 4),
      rig: {
        try FrameRig(
          [FrameRig.fresh(1), FrameRig.fresh(1)], unchecked: [0, 1], comeBack: "500ms")
      },
      judge: { Self.clones($1) })
    rounds.report("R6 swapped clones (\(commands) commands)")
  }

  private static func clones(_ ending: FrameRig.Ending) -> [String] {
    let holders = ending.images.filter { $0.holds("ROW-0001") }
    var findings = Self.twice(ending)
    if holders.count > 1 { findings.append("the row is on both") }
    if ending.inDoubt == 0, !holders.contains(where: \.isLocked) {
      findings.append("no tag holds the row and is locked: \(ending.lines)")
    }
    return findings
  }

  private static func twice(_ ending: FrameRig.Ending) -> [String] {
    let rows = ending.events("tag").filter(\.isPassed).compactMap { line in
      line.range(of: "\"row\":\"").map { line[$0.upperBound...].prefix { $0 != "\"" } }
    }
    return Set(rows).count == rows.count ? [] : ["a row passed twice: \(ending.lines)"]
  }
}

extension String {
  var isPassed: Bool { contains("\"outcome\":\"passed\"") }

  /// The event's `time`.
  var time: String {
    range(of: "\"time\":\"").map { String(self[$0.upperBound...].prefix { $0 != "\"" }) } ?? "?"
  }
}

extension ChipImage {
  /// The URI record behind the lock control TLV that NTAG213 has from the factory.
  func holds(_ key: String) -> Bool {
    // NFC Forum URI Record Type Definition 1.0: `04` is "https://".
    let text = Array("example.com/c/\(key)".utf8)
    let record = [0xD1, 0x01, UInt8(text.count + 1), 0x55, 0x04] + text
    return pages[16...].starts(
      with: [0x01, 0x03, 0xA0, 0x0C, 0x34, 0x03, UInt8(record.count)] + record)
  }

  /// The lock bits of NTAG213 (data sheet 8.5.2 and 8.5.3) and the capability container.
  var isLocked: Bool {
    page(2).suffix(2).elementsEqual([0xFF, 0xFF]) && page(3)[3] & 0x0F == 0x0F
      && page(0x28)[0] == 0xFF
  }
}
