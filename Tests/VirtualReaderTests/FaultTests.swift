import Bytes
import Testing

@testable import VirtualReader

struct FaultTests {
  private static let acknowledge = "0000FF00FF00"
  private static let version = "0000FF02FED4022A00"
  private static let answer = "0000FF06FAD50332010607E800"

  /// A host whose `number`th command fails with `faults`.
  private func host(_ faults: [Fault], at number: Int = 1) throws -> Host {
    let image = try #require(VirtualChips.make(name: "NTAG213", uid: Host.uid))
    return Host([image], faults: { $0.number == number ? faults : [] })
  }

  struct Row: CustomTestStringConvertible {
    let fault: Fault
    let pieces: [String]
    var testDescription: String { "\(fault)" }
  }

  @Test(arguments: [
    Row(fault: .noAck, pieces: []),
    Row(fault: .nack, pieces: ["0000FFFF0000"]),
    Row(fault: .noReply, pieces: [acknowledge]),
    Row(fault: .garbage([1, 2]), pieces: [acknowledge, "0102"]),
    Row(fault: .badLength, pieces: [acknowledge, "0000FF06FBD50332010607E800"]),
    Row(fault: .badEnd, pieces: [acknowledge, "0000FF06FAD50332010607E801"]),
    Row(fault: .joined, pieces: [acknowledge + answer]),
    Row(fault: .speed(921_600), pieces: []),
    Row(fault: .badSum, pieces: [acknowledge, "0000FF06FAD50332010607E900"]),
    Row(fault: .truncated(5), pieces: [acknowledge, "0000FF06FA"]),
    Row(fault: .errorFrame, pieces: [acknowledge, "0000FF01FF7F8100"]),
    Row(fault: .status(0x27), pieces: [acknowledge, "0000FF03FDD50327" + "0100"]),
    Row(fault: .unplug(), pieces: []),
    Row(fault: .reset, pieces: []),
  ])
  func `a fault does what it says, once`(row: Row) throws {
    var host = try host([row.fault])
    #expect(host.sendRaw(Self.version) == row.pieces)
    #expect(host.chip.isUnplugged == (row.fault == .unplug()))
    if row.fault != .unplug() && row.fault != .speed(921_600) {
      // The wake-up that a chip in LowVbat needs changes nothing for others.
      _ = host.sendRaw("5555000000")
      #expect(host.sendRaw(Self.version) == [Self.acknowledge, Self.answer])
    }
  }

  @Test func `a late reply is held back on the wall and on the model's clock`() throws {
    var host = try host([.delay(.milliseconds(30))])
    #expect(host.sendRaw(Self.version) == [Self.acknowledge])
    #expect(host.chip.clock.now > .milliseconds(30))
    let end = ContinuousClock.now + .seconds(5)
    var late: [[UInt8]] = []
    while late.isEmpty && ContinuousClock.now < end { late = host.chip.takeDue() }
    #expect(late.map(\.hex) == [Self.answer])
  }

  @Test func `a new command drops a late reply`() throws {
    var host = try host([.delay(.milliseconds(30))])
    _ = host.sendRaw(Self.version)
    #expect(host.send("12 14") == "")
    #expect(host.chip.takeDue().isEmpty)
  }

  @Test func `a forced status keeps the tag from the command`() throws {
    var host = try host([.status(0x13)], at: 2)
    host.send("4A 01 00")
    #expect(host.send("40 01 A20601020304") == "13")
    #expect(host.memory[24..<28].hex == "00000000")
    #expect(host.send("40 01 A20601020304") == "00")
  }

  @Test func `a tag lifted before a write keeps its memory, one lifted after has the bytes`() throws
  {
    for (fault, page) in [
      (Fault.liftBefore(comeBack: .milliseconds(100)), "00000000"),
      (.liftAfter(comeBack: .milliseconds(100)), "01020304"),
    ] {
      var host = try host([fault], at: 3)
      host.send("32 05 00 01 02")
      host.send("4A 01 00")
      #expect(host.send("40 01 A20601020304") == "01")
      #expect(host.send("4A 01 00") == "00")
      host.chip.clock.sleep(.milliseconds(100), until: nil)
      #expect(host.send("4A 01 00").hasPrefix("01"))
      #expect(host.memory[24..<28].hex == page)
    }
  }

  @Test func `a torn write leaves what the fault says in its page, and no answer`() throws {
    var host = try host([.tear([0x01, 0x02, 0xFF, 0x00], comeBack: .zero)], at: 2)
    host.send("4A 01 00")
    #expect(host.send("40 01 A20601020304") == "01")
    #expect(host.memory[24..<28].hex == "0102FF00")
    host.send("4A 01 00")
    #expect(host.send("40 01 A20601020304") == "00")
    #expect(host.memory[24..<28].hex == "01020304")
  }

  @Test func `a reset forgets speed, field, targets and settings`() throws {
    var host = try host([.reset], at: 3)
    host.send("12 00")
    host.send("4A 01 00")
    #expect(host.send("40 01 3004") == "none")
    #expect(host.chip.settings.flags == 0x14 && !host.chip.field.isOn)
    // What wakes it from LowVbat is lost.
    #expect(host.send("40 01 3004") == "none")
    #expect(host.send("40 01 3004") == "27")
  }

  @Test func `the point of a fault counts commands and names the tag`() throws {
    let log = Log()
    let image = try #require(VirtualChips.make(name: "NTAG213", uid: Host.uid))
    var host = Host(
      [image],
      faults: { point in
        log.add(
          "\(point.number) \(point.tagCommand) \([point.code].hex) \(point.parameters.hex) \(point.position)"
        )
        return []
      })
    for command in ["02", "4A 01 00", "40 01 3004"] { host.send(command) }
    #expect(log.lines == ["1 0 02  1", "2 1 4A 0100 1", "3 2 40 013004 1"])
  }
}
