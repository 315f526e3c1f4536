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

/// Faults between the chip and its tags, and those that come with a deck.
struct TagFaultTests {
  /// A host with these tags, whose `number`th command meets `fault`.
  private func host(_ fault: Fault, at number: Int, tags: Int = 1) throws -> Host {
    let images = try (0..<tags).map { tag in
      var uid = Host.uid
      uid[6] += UInt8(tag)
      return try #require(VirtualChips.make(name: "NTAG213", uid: uid))
    }
    return Host(images, faults: { $0.number == number ? [fault] : [] })
  }

  @Test func `a split reply comes in two pieces with a pause between them`() throws {
    var host = try host(.split(.milliseconds(20)), at: 1)
    #expect(host.sendRaw("0000FF02FED4022A00") == ["0000FF00FF00", "0000FF06FAD5"])
    let end = ContinuousClock.now + .seconds(5)
    var rest: [[UInt8]] = []
    while rest.isEmpty && ContinuousClock.now < end { rest = host.chip.takeDue() }
    #expect(rest.map(\.hex) == ["0332010607E800"])
  }

  @Test func `a refusal leaves the page alone and the tag unselected`() throws {
    var host = try host(.nak, at: 2)
    host.send("4A 01 00")
    // 13h is what the firmware makes of a NAK; the tag is back in IDLE (NTAG213 data sheet 8.4).
    #expect(host.send("40 01 A20601020304") == "13")
    #expect(host.memory[24..<28].hex == "00000000")
    #expect(host.send("40 01 3004") == "01")
    host.send("4A 01 00")
    #expect(host.send("40 01 A20601020304") == "00")
  }

  @Test func `a command that is lost does nothing, an answer that is lost has done its work`()
    throws
  {
    for (fault, page) in [(Fault.unreached, "00000000"), (.unanswered, "01020304")] {
      var host = try host(fault, at: 2)
      host.send("4A 01 00")
      #expect(host.send("40 01 A20601020304") == "01")
      #expect(host.memory[24..<28].hex == page)
      #expect(host.send("40 01 3006").hasPrefix("00" + page))
    }
  }

  @Test(arguments: [Fault.unreached, .unanswered])
  func `a listing that is lost finds nothing, and the next one the tag`(fault: Fault) throws {
    var host = try host(fault, at: 2)
    host.send("32 05 00 01 02")
    #expect(host.send("4A 01 00") == "00")
    #expect(host.send("40 01 3004") == "27")
    #expect(host.send("4A 01 00").hasPrefix("0101"))
  }

  @Test func `a field that fails for a moment leaves the tag unselected`() throws {
    var host = try host(.fieldDrop, at: 2)
    host.send("4A 01 00")
    #expect(host.send("40 01 3004") == "01")
    #expect(host.send("4A 01 00").hasPrefix("01"))
    #expect(host.send("40 01 3004").hasPrefix("00"))
  }

  @Test func `a tag swapped in does not answer before it is selected`() throws {
    var host = try host(.swap, at: 3, tags: 2)
    host.send("32 05 00 01 02")
    #expect(host.send("4A 01 00").hasSuffix("04A1B2C3D4E5F6"))
    #expect(host.send("40 01 A20601020304") == "01")
    #expect(host.send("40 01 3004") == "01")
    #expect(host.send("42 30 04") == "01")
    // By the first one's UID nobody is found, by its own the second.
    #expect(host.send("4A 01 00 88 04A1B2C3D4E5F6") == "00")
    #expect(host.send("4A 01 00").hasSuffix("04A1B2C3D4E5F7"))
    #expect(host.memory[24..<28].hex == "00000000")
    #expect(host.chip.field.deck.position == 2)
  }

  @Test func `after the last tag a swap leaves an empty field`() throws {
    var host = try host(.swap, at: 3)
    host.send("32 05 00 01 02")
    host.send("4A 01 00")
    #expect(host.send("40 01 3004") == "01")
    #expect(host.send("4A 01 00") == "00")
    #expect(host.chip.field.deck.isUsedUp)
  }

  @Test func `a second tag is found beside the first, stays for its time, and is kept track of`()
    throws
  {
    var host = try host(.visit(.milliseconds(50)), at: 2)
    host.send("32 05 00 01 02")
    // MaxTg 2: both, each with its number.
    #expect(host.send("4A 02 00").hasPrefix("02"))
    #expect(host.chip.field.strangers.map(\.uid.hex) == ["04A1B2C32B1A09"])
    host.chip.clock.sleep(.milliseconds(60), until: nil)
    host.send("32 01 00")
    host.send("32 01 01")
    #expect(host.send("4A 02 00").hasPrefix("01"))
    #expect(host.chip.field.strangers.count == 1)
  }

  @Test func `a write cut in half leaves two bytes new and two old`() throws {
    var host = try host(.tearInHalf(comeBack: .zero), at: 3)
    host.send("4A 01 00")
    #expect(host.send("40 01 A20601020304") == "00")
    #expect(host.send("40 01 A206A1A2A3A4") == "01")
    #expect(host.memory[24..<28].hex == "A1A20304")
  }

  @Test func `a chip left at another speed hears nothing at the usual one`() throws {
    var host = try host(.speed(921_600), at: 1)
    #expect(host.send("02") == "none")
    #expect(host.send("02") == "none")
    host.chip.receive(Frame.encode([0xD4, 0x02]), speed: 921_600)
    #expect(host.chip.takeDue().count == 2)
  }
}
