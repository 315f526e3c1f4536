import Bytes
import Ledger
import Platform
import StationRunner
import Testing
import VirtualReader

/// One fault at every command of a job of two tags, held against the design's third promise.
@Suite struct FaultTests {
  struct Kind: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let faults: [Fault]
    /// In every exchange with the first tag from its command on, not just once.
    var stays = false
    /// Whether the run gets over it by itself.
    var isPassing: Bool {
      !stays && ["in time", "once"].contains { testDescription.hasSuffix($0) }
    }
  }

  static let kinds = [
    Kind(testDescription: "lifted before it for good", faults: [.liftBefore(comeBack: nil)]),
    Kind(testDescription: "lifted after it for good", faults: [.liftAfter(comeBack: nil)]),
    Kind(
      testDescription: "lifted before it, and back in time",
      faults: [.liftBefore(comeBack: .milliseconds(500))]),
    Kind(
      testDescription: "lifted after it, and back in time",
      faults: [.liftAfter(comeBack: .milliseconds(500))]),
    Kind(testDescription: "a framing error once", faults: [.status(0x13)]),
    Kind(
      testDescription: "a framing error in every exchange", faults: [.status(0x13)], stays: true),
    Kind(testDescription: "not heard once", faults: [.noAck]),
    Kind(testDescription: "a wrong checksum once", faults: [.badSum]),
    Kind(testDescription: "unplugged", faults: [.unplug()]),
  ]

  static let job = """
    job: faults
    data: {rows: [{code: A1}, {code: A2}], key: code}
    stop: {whenIdleFor: 1s}
    steps:
      - write:
          - uri: "https://example.com/c/${row.code}"
      - verify
      - lock
    """

  @Test(arguments: kinds)
  func `no fault at any command breaks a promise`(_ kind: Kind) async throws {
    let last = try await commandsOfFirstTag()
    for command in 1...last {
      let bench = try Bench(Bench.fresh("NTAG213", count: 2))
      let isDue = Locked(true)
      let cancellation = bench.cancellation
      let isUnplug = kind.faults == [.unplug()]
      let (summary, ear) = try await bench.run(
        Self.job,
        faults: { point in
          let isNow = kind.stays ? point.tagCommand >= command : point.tagCommand == command
          guard isNow,
            kind.stays && point.position == 1 && (point.code == 0x40 || point.code == 0x42)
              || !kind.stays
                && isDue.withLock({ due in
                  defer { due = false }
                  return due
                })
          else { return [] }
          // Nobody plugs it in again.
          if isUnplug { cancellation.raise(signal: 15) }
          return kind.faults
        })
      if kind.isPassing {
        // Passing faults, and tags that come back in time, cost nothing but time.
        #expect(summary.exit == .success, "command \(command): \(summary) \(ear.tags)")
      }
      try check(bench, ear, "command \(command), first run: \(summary) \(ear.tags)")
      guard !isUnplug, ear.tags.map(\.outcome) != [.passed, .passed] else { continue }
      let (again, secondEar) = try await bench.run(Self.job)
      let story = "command \(command): \(ear.tags) then \(again) \(secondEar.tags)"
      try check(bench, secondEar, story)
      let rows = try bench.ledger().rows(series: "faults", state: .done)
      #expect(rows.count == 2, "\(story)")
      #expect(again.exit == .success, "\(story)")
    }
  }

  /// How many commands come until the first tag is done.
  private func commandsOfFirstTag() async throws -> Int {
    let bench = try Bench(Bench.fresh("NTAG213", count: 2))
    let last = Locked(0)
    _ = try await bench.run(
      Self.job,
      faults: { point in
        if point.position == 1 { last.withLock { $0 = point.tagCommand } }
        return []
      })
    return last.withLock { $0 }
  }

  // MARK: The promise, from memory and ledger alone

  private func check(_ bench: Bench, _ ear: Ear, _ story: String) throws {
    let rows = try bench.ledger().rows(series: "faults", state: nil)
    let images = bench.shelf.withLock { $0 }
    for row in rows {
      #expect(row.state != .writing && row.state != .committing, "\(story)")
      let holders = images.filter { Self.holds($0, row.key) }
      #expect(holders.count <= 1, "row \(row.key) on \(holders.count) tags: \(story)")
      switch row.state {
      case .free:
        #expect(holders.isEmpty, "\(story)")
      case .done:
        let own = images.first { $0.uid == row.uid }
        #expect(own.map { Self.holds($0, row.key) && Self.isLocked($0) } == true, "\(story)")
      case .onTag:
        let own = images.first { $0.uid == row.uid }
        #expect(own.map { Self.holds($0, row.key) } == true, "\(story)")
      case .inDoubt, .writing, .committing, .void: break
      }
    }
    for image in images {
      let isWhole = ["A1", "A2"].contains { Self.holds(image, $0) }
      #expect(isWhole || Self.isEmpty(image), "\(image.pages[16..<48].hex): \(story)")
      let last = ear.tags.last { $0.uid == image.uid }
      let state = rows.first { $0.uid == image.uid }?.state
      switch last?.outcome {
      case .passed: #expect(state == .done, "\(story)")
      case .unfinished: #expect(state == .onTag, "\(story)")
      case .inDoubt: #expect(state == .inDoubt, "\(story)")
      case .torn, .failed: #expect(state == nil || state == .free, "\(story)")
      case .skipped, nil: break
      }
    }
  }

  /// `D1 01 11 55 04` and the rest of the URI (NFC Forum URI 1.0) behind the factory's lock control TLV.
  private static func holds(_ image: ChipImage, _ code: String) -> Bool {
    let message = "D101115504" + Array("example.com/c/\(code)".utf8).hex
    return image.pages[16...].hex.hasPrefix("0103A00C340315" + message)
  }

  private static func isEmpty(_ image: ChipImage) -> Bool {
    image.pages[16...].hex.hasPrefix("0103A00C340300")
  }

  /// All lock bits of NTAG213.
  ///
  /// Data sheet (rev. 3.2, 8.5.2 and 8.5.3).
  private static func isLocked(_ image: ChipImage) -> Bool {
    image.page(3).hex == "E110120F" && image.page(2).suffix(2).elementsEqual([0xFF, 0xFF])
      && image.page(0x28).hex.hasPrefix("FF0F00")
  }
}
