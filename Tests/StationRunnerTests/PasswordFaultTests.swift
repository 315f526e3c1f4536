import Bytes
import Ledger
import Platform
import StationRunner
import Testing
import VirtualReader

/// Faults at every command of a job that guards its tags: none is ever guarded by a password that the job does
/// not know, none passes that is not as the job says, and all are finished in the end.
@Suite struct PasswordFaultTests {
  private static let chip = "NTAG213"

  /// How many commands come until the tag is done.
  private func commands() async throws -> Int {
    let bench = try PasswordTests.bench(Bench.fresh(Self.chip))
    let last = Locked(0)
    _ = try await bench.run(
      PasswordTests.job,
      faults: { point in
        if point.position == 1 { last.withLock { $0 = point.tagCommand } }
        return []
      })
    return last.withLock { $0 }
  }

  @Test(arguments: FaultTests.kinds)
  func `no fault at any command loses a guarded tag`(_ kind: FaultTests.Kind) async throws {
    for command in 1...(try await commands()) {
      let bench = try PasswordTests.bench(Bench.fresh(Self.chip))
      let isDue = Locked(true)
      let cancellation = bench.cancellation
      let isUnplug = kind.faults == [.unplug()]
      let (summary, ear) = try await bench.run(
        PasswordTests.job,
        faults: { point in
          let isNow = kind.stays ? point.tagCommand >= command : point.tagCommand == command
          guard isNow,
            kind.stays && (point.code == 0x40 || point.code == 0x42)
              || !kind.stays
                && isDue.withLock({ due in
                  defer { due = false }
                  return due
                })
          else { return [] }
          if isUnplug { cancellation.raise(signal: 15) }
          return kind.faults
        })
      let story = "command \(command): \(summary) \(ear.tags)"
      // A deck of one is over where its tag is taken away before it was worked on.
      if kind.isPassing, !ear.tags.isEmpty {
        #expect(ear.tags.contains { $0.outcome == .passed }, "\(story)")
      }
      try check(bench, ear, story)
      guard !isUnplug, ear.tags.map(\.outcome) != [.passed] else { continue }
      let (again, secondEar) = try await bench.run(PasswordTests.job)
      let whole = "\(story) then \(again) \(secondEar.tags)"
      try check(bench, secondEar, whole)
      #expect(try bench.ledger().rows(series: "guarded", state: .done).count == 1, "\(whole)")
    }
  }

  /// The settings' pages, and what a torn write may leave in them; none of it sets CFGLCK.
  @Test(arguments: ["00000000", "83050000", "0A1B0000", "04000029", "A5A5A5A5", "FFFFFFFF"])
  func `no tear of a setting loses a guarded tag`(_ left: String) async throws {
    let bytes = try #require([UInt8](hex: left))
    for page in UInt8(0x29)...0x2C {
      for comeBack in [Duration.milliseconds(500), nil] {
        // CFGLCK torn into ACCESS would keep the chip from ever being guarded.
        if page == 0x2A, bytes[0] & 0x40 != 0 { continue }
        let bench = try PasswordTests.bench(Bench.fresh(Self.chip))
        let isDue = Locked(true)
        let (summary, ear) = try await bench.run(
          PasswordTests.job,
          faults: { point in
            guard point.parameters.dropFirst().starts(with: [0xA2, page]),
              isDue.withLock({ due in
                defer { due = false }
                return due
              })
            else { return [] }
            return [.tear(bytes, comeBack: comeBack)]
          })
        let story = "page \(page), back \(comeBack, default: "never"): \(summary) \(ear.tags)"
        #expect(!isDue.withLock { $0 }, "\(story)")
        try check(bench, ear, story)
        if ear.tags.map(\.outcome) == [.passed] {
          if comeBack != nil {
            let settings = PasswordTests.settings(bench.image(1))
            #expect(settings == "04000000 83050000 0A1B2C3D BEEF0000", "\(story)")
          }
          continue
        }
        #expect(comeBack == nil, "\(story)")
        // Mirrors torn into CFG0 change what is read: such a tag is told, and never as good.
        if page == 0x29, bytes[0] & 0xC0 != 0 { continue }
        let (again, secondEar) = try await bench.run(PasswordTests.job)
        let whole = "\(story) then \(again) \(secondEar.tags)"
        try check(bench, secondEar, whole)
        #expect(secondEar.tags.map(\.outcome) == [.passed], "\(whole)")
      }
    }
  }

  @Test func `an accident that locks the settings leaves the tag free, and is told`() async throws {
    let bench = try PasswordTests.bench(Bench.fresh(Self.chip))
    let isDue = Locked(true)
    let (summary, ear) = try await bench.run(
      PasswordTests.job,
      faults: { point in
        guard point.parameters.dropFirst().starts(with: [0xA2, 0x2A]),
          isDue.withLock({ due in
            defer { due = false }
            return due
          })
        else { return [] }
        return [.tear([0xFF, 0xFF, 0xFF, 0xFF], comeBack: .milliseconds(500))]
      })
    #expect(ear.tags.map(\.outcome) == [.unfinished], "\(summary)")
    #expect(ear.tags.map(\.cause) == [.locked])
    #expect(bench.image(1).page(0x29).hex == "040000FF")
  }

  private func check(_ bench: Bench, _ ear: Ear, _ story: String) throws {
    let image = bench.image(1)
    let rows = try bench.ledger().rows(series: "guarded", state: nil)
    if Int(image.page(0x29)[3]) < 45 {
      #expect(image.page(0x2B).hex == "0A1B2C3D", "\(story)")
    }
    #expect(image.failedAuthentications == 0, "\(story)")
    let row = rows.first { $0.uid == image.uid }
    switch ear.tags.last?.outcome {
    case .passed:
      #expect(row?.state == .done, "\(story)")
      // What a tear left in the other bytes of CFG0 and CFG1 is known in the same hand only.
      #expect(image.page(0x29)[3] == 0 && image.page(0x2A)[0] & 0x87 == 0x83, "\(story)")
      #expect(PasswordTests.settings(image).hasSuffix("0A1B2C3D BEEF0000"), "\(story)")
      #expect(image.page(3).hex == "E110120F", "\(story)")
    case .unfinished: #expect(row?.state == .onTag, "\(story)")
    case .inDoubt: #expect(row?.state == .inDoubt, "\(story)")
    case .torn, .failed, nil: #expect(row?.state != .done, "\(story)")
    case .skipped: break
    }
  }
}
