import Bytes
import Testing

@testable import VirtualReader

/// Scripts of faults as values: what happens at which command.
struct FaultScriptTests {
  /// Commands of a run over two tags: (code, parameters, place of the tag), `4A` found them.
  private static let commands: [(code: UInt8, parameters: String, position: Int)] = [
    (0x02, "", 1), (0x32, "0101", 1), (0x4A, "0100", 1), (0x40, "013003", 1),
    (0x40, "01A20601020304", 1), (0x40, "01A20705060708", 1), (0x4A, "0100", 2),
    (0x42, "3004", 2), (0x42, "A20601020304", 2), (0x40, "01A20609090909", 2),
  ]

  private func point(_ index: Int, now: Duration? = nil) -> FaultPoint {
    let (code, parameters, position) = Self.commands[index % Self.commands.count]
    return FaultPoint(
      number: index + 1, tagCommand: index, touchesTag: code != 0x02, code: code,
      parameters: [UInt8](hex: parameters) ?? [], position: position,
      now: now ?? .milliseconds(10 * index), elapsed: .milliseconds(index))
  }

  /// The numbers of the commands, from 0, that something goes wrong with.
  private func happenings(_ entries: [FaultScript.Entry]) -> [Int: [Fault]] {
    var script = FaultScript(entries)
    var found: [Int: [Fault]] = [:]
    for index in Self.commands.indices {
      let faults = script.faults(at: point(index))
      if !faults.isEmpty { found[index] = faults }
    }
    return found
  }

  @Test func `a command is counted over the run, or over its tag's stay`() {
    // The firmware's version touches no tag; the field does.
    #expect(happenings([.init(at: .command(2), .badSum)]) == [2: [.badSum]])
    #expect(happenings([.init(tag: 1, at: .command(3), .badSum)]) == [3: [.badSum]])
    #expect(happenings([.init(tag: 2, at: .command(3), .badSum)]) == [8: [.badSum]])
    #expect(happenings([.init(tag: 2, .badSum)]) == [6: [.badSum]])
    #expect(happenings([.init(tag: 3, .badSum)]) == [:])
  }

  @Test func `a page is that of the first WRITE to it`() {
    #expect(happenings([.init(at: .page(6), .nack)]) == [4: [.nack]])
    #expect(happenings([.init(tag: 2, at: .page(6), .nack)]) == [8: [.nack]])
    #expect(happenings([.init(at: .page(3), .nack)]) == [:])
  }

  @Test func `a time is that of the first command after it`() {
    #expect(happenings([.init(at: .time(.milliseconds(55)), .noAck)]) == [6: [.noAck]])
    #expect(happenings([.init(tag: 2, at: .time(.zero), .noAck)]) == [6: [.noAck]])
  }

  @Test func `a tag lifted at a page leaves it torn, at a command as it was`() {
    let second = Duration.seconds(1)
    #expect(
      happenings([.init(at: .page(7), .lift, for: second)]) == [5: [.tearInHalf(comeBack: second)]])
    #expect(happenings([.init(at: .command(5), .lift)]) == [5: [.liftBefore(comeBack: nil)]])
  }

  @Test func `a refusal waits for a command to a tag`() {
    #expect(happenings([.init(at: .command(2), .nak)]) == [3: [.nak]])
  }

  @Test func `several entries for one moment all happen, in their order`() {
    #expect(
      happenings([.init(at: .command(2), .split), .init(at: .command(2), .badEnd)])
        == [2: [.split(.milliseconds(20)), .badEnd]])
  }

  @Test func `a reader that is stuck hears nothing until its time is over, on either clock`() {
    var script = FaultScript([.init(at: .command(2), .stuck, for: .milliseconds(35))])
    let heard = Self.commands.indices.map { script.faults(at: point($0)).isEmpty }
    // From 20 ms to 55 ms.
    #expect(heard == [true, true, false, false, false, false, true, true, true, true])

    var still = FaultScript([.init(at: .command(2), .stuck, for: .milliseconds(3))])
    let byWall = Self.commands.indices.map { still.faults(at: point($0, now: .zero)).isEmpty }
    #expect(byWall == [true, true, false, false, false, true, true, true, true, true])

    var forGood = FaultScript([.init(at: .command(2), .stuck)])
    #expect(Self.commands.indices.count { forGood.faults(at: point($0)).isEmpty } == 2)
  }

  @Test func `a tag that lies badly loses about a quarter, for its stay`() {
    var script = FaultScript([.init(tag: 1, at: .command(1), .weak)])
    var lost = 0
    for index in 0..<4000 {
      var point = point(3)
      point.number = index
      let faults = script.faults(at: point)
      #expect(faults.isEmpty || faults == [.unreached] || faults == [.unanswered])
      lost += faults.count
    }
    #expect((800...1200).contains(lost))
    var next = point(7)
    next.position = 2
    #expect((0..<100).allSatisfy { _ in script.faults(at: next).isEmpty })
  }

  @Test func `a seed draws the same faults, another one others`() {
    func drawn(_ seed: UInt64) -> [String] {
      var script = FaultScript(seed: seed)
      var all: [String] = []
      for tag in 1...200 {
        for command in 1...40 {
          var point = point(4)
          point.number = tag * 40 + command
          point.position = tag
          for fault in script.faults(at: point) { all.append("\(tag) \(command) \(fault)") }
        }
      }
      return all
    }
    #expect(drawn(1) == drawn(1))
    #expect(drawn(1) != drawn(2))
    // About every second tag meets one; those that lie badly meet several.
    #expect(Set(drawn(1).map { $0.prefix { $0 != " " } }).count > 70)
    #expect(Set(drawn(1).map { $0.prefix { $0 != " " } }).count < 130)
  }

  @Test func `one seed gives the same frames at the same times, byte for byte`() throws {
    func frames(_ seed: UInt64) throws -> [String] {
      let log = Log()
      let deck = try (1...6).map { number in
        try #require(VirtualChips.make(name: "NTAG213", uid: [4, 1, 2, 3, 4, 5, number]))
      }
      var chip = PN532(
        clock: ModelClock(timing: .none),
        field: RadioField(deck: deck.map { image in DeckEntry(make: { image }) }, hold: .done),
        onFrame: { log.add("\($0.time) \($0.isFromChip ? "<" : ">") \($0.bytes.hex)") },
        faults: FaultScript(seed: seed).player())
      for round in 0..<60 {
        for command in ["32050001 02", "4A0100", "40013004", "4001A206010203\(round % 10)0"] {
          let content = [UInt8](hex: command.filter { $0 != " " }) ?? []
          chip.receive(Frame.encode([0xD4] + content))
          _ = chip.takeDue()
          if chip.isUnplugged { chip.plugIn() }
        }
        for _ in 0..<(round % 5 == 4 ? 4 : 0) {
          chip.receive(Frame.encode([0xD4, 0x4A, 0x01, 0x00]))
          _ = chip.takeDue()
        }
      }
      return log.lines
    }
    let first = try frames(7)
    #expect(first.count > 500)
    #expect(try frames(7) == first)
    #expect(try frames(8) != first)
  }

  @Test func `a frame takes the same time however its bytes arrive`() throws {
    let frame = Frame.encode([0xD4, 0x02])
    let whole = [UInt8](repeating: 0x55, count: 7) + frame
    func end(_ pieces: [[UInt8]]) -> Duration {
      var host = Host()
      for piece in pieces { host.chip.receive(piece) }
      return host.chip.clock.workEnd
    }
    for cut in whole.indices {
      #expect(end([Array(whole[..<cut]), Array(whole[cut...])]) == end([whole]), "\(cut)")
    }
    #expect(end(whole.map { [$0] }) == end([whole]))
  }
}
