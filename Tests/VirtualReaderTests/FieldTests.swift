import Bytes
import Testing

@testable import VirtualReader

/// Several tags in the field, and tags that lose it.
struct FieldTests {
  /// Two tags; bits go out lowest first, so that the one whose UID ends in 02 loses to 01.
  private func crowded() throws -> Host {
    var host = Host.with("NTAG213", uid: [0x04, 0, 0, 0, 0, 0, 0x01])
    let other = try #require(
      VirtualChips.make(name: "NTAG216", uid: [0x04, 0, 0, 0, 0, 0, 0x02]))
    _ = host.chip.field.place(try #require(Type2Chip(other)), changed: { _ in })
    host.send("320500 01 02")
    return host
  }

  private static let first = "01004400070400000000" + "0001"
  private static let second = "01004400070400000000" + "0002"

  @Test func `after InDeselect a listing finds the second tag, and UIDs reach either`() throws {
    var host = try crowded()
    #expect(host.send("4A 01 00") == "01" + Self.first)
    #expect(host.send("44 00") == "00")
    #expect(host.send("4A 01 00") == "01" + Self.second)
    #expect(host.send("44 00") == "00")
    #expect(host.send("4A 01 00") == "00")
    #expect(host.send("4A 01 00 88 04000000000001") == "01" + Self.first)
    #expect(host.send("42 60") == "000004040201000F03")
    #expect(host.send("4A 01 00 88 04000000000002") == "01" + Self.second)
    #expect(host.send("42 60") == "000004040201001303")
    #expect(host.send("4A 01 00 88 04000000000003") == "00")
  }

  @Test func `only the tag that was selected answers`() throws {
    var host = try crowded()
    host.send("4A 01 00")
    host.send("4A 01 00 88 04000000000002")
    #expect(host.send("42 60") == "000004040201001303", "the first fell back at the new request")
  }

  @Test func `InListPassiveTarget gives two targets, and InDataExchange speaks to either`() throws {
    var host = try crowded()
    #expect(host.send("4A 02 00") == "02" + Self.first + "02" + Self.second.dropFirst(2))
    #expect(host.send("04") == "00010201000000" + "02000000" + "80")
    #expect(host.send("40 02 3003").hasPrefix("00E1106D00"))
    #expect(host.send("40 01 3003").hasPrefix("00E1101200"))
    #expect(host.send("54 02") == "00")
    #expect(host.send("42 60") == "000004040201001303")
    #expect(host.send("40 03 3003") == "27")
    #expect(host.send("52 02") == "00")
    #expect(host.send("40 02 3003") == "27")
  }

  @Test func `asking for two targets where one lies leaves that one active`() {
    var host = Host.with("NTAG213")
    host.send("320500 01 02")
    #expect(host.send("4A 02 00") == "010100440007" + Host.uid.hex)
    #expect(host.send("42 60") == "000004040201000F03")
  }

  @Test func `answers that differ collide`() throws {
    var host = try crowded()
    host.send("320101")
    host.send("08 6302 00 6303 00 633D 07")
    #expect(host.send("42 26") == "004400")
    host.send("08 633D 00")
    // The first cascade level is the same, the second is not.
    #expect(host.send("42 9320") == "00880400008C")
    host.send("08 6302 80 6303 80")
    #expect(host.send("42 9370880400008C") == "0004")
    host.send("08 6302 00 6303 00")
    #expect(host.send("42 9520") == "06")
  }

  @Test func `a tag without field forgets that it was halted`() {
    var host = Host.with("NTAG213")
    host.send("320500 01 02")
    host.send("4A 01 00")
    host.send("44 00")
    #expect(host.send("4A 01 00") == "00")
    host.send("320100")
    #expect(host.send("40 01 3004") == "27", "targets are forgotten with the field")
    host.send("320101")
    #expect(host.send("4A 01 00").hasPrefix("01"))
  }

  @Test func `a lifted tag is silent and comes back after its time`() {
    var host = Host.with("NTAG213")
    host.send("320500 01 02")
    host.send("4A 01 00")
    host.chip.field.lift(at: host.chip.clock.now, until: host.chip.clock.now + .seconds(1))
    #expect(host.send("40 01 3004") == "01")
    #expect(host.send("4A 01 00") == "00")
    host.chip.clock.sleep(.seconds(1), until: nil)
    #expect(host.send("40 01 3004") == "27")
    #expect(host.send("4A 01 00").hasPrefix("01"))
    #expect(host.chip.field.deck.position == 1)
  }

  @Test func `with real timing, ending a search leaves nothing to wait for`() throws {
    var host = Host(timing: .real)
    // InAutoPoll without end, 15 × 150 ms a try.
    #expect(host.sendRaw("0000FF05FBD460FF0F20") == [])
    host.chip.receive([UInt8](hex: "9E00") ?? [])
    #expect(host.chip.search != nil)
    #expect(host.sendRaw("0000FF00FF00") == [])
    #expect(host.chip.search == nil)
    _ = host.sendRaw("0000FF02FED4022A00")
    #expect(try #require(host.chip.nextDue) < .milliseconds(100))
  }

  @Test func `an endless search ends when a tag comes or the host says so`() throws {
    var host = Host()
    #expect(host.sendRaw("0000FF04FCD44A0100E100") == ["0000FF00FF00"])
    host.chip.resume()
    #expect(host.chip.takeDue().isEmpty)
    #expect(host.sendRaw("0000FF00FF00").isEmpty)
    let image = try #require(VirtualChips.make(name: "Ultralight", uid: Host.uid))
    _ = host.chip.field.place(try #require(Type2Chip(image)), changed: { _ in })
    host.chip.resume()
    #expect(host.chip.takeDue().isEmpty, "the ACK ended it")
    host.chip.field.remove(id: 1, at: .zero)
    #expect(host.sendRaw("0000FF04FCD44A0100E100") == ["0000FF00FF00"])
    _ = host.chip.field.place(try #require(Type2Chip(image)), changed: { _ in })
    host.chip.resume()
    #expect(host.chip.takeDue().map(\.hex) == ["0000FF0FF1D54B010100440007" + "04A1B2C3D4E5F6CA00"])
  }
}
