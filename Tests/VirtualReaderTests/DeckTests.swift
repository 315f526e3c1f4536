import Bytes
import Testing

@testable import VirtualReader

/// When tags of a deck come and go.
struct DeckTests {
  private static let list = "4A 01 00"
  private static let nothing = "00"

  private func images(_ count: Int) throws -> [ChipImage] {
    try (1...count).map { number in
      try #require(
        VirtualChips.make(name: "NTAG213", uid: [0x04, 0, 0, 0, 0, 0, UInt8(number)]))
    }
  }

  private func deck(
    _ count: Int, hold: DeckHold = .done, gap: Duration = .milliseconds(300)
  ) throws -> Host {
    var host = Host(try images(count), hold: hold, gap: gap)
    host.send("320500 01 02")
    return host
  }

  /// The last byte of the UID that a listing finds, 0 if none.
  private func found(_ host: inout Host) -> Int {
    let answer = [UInt8](hex: host.send(Self.list)) ?? []
    return answer.first == 1 ? Int(answer.last ?? 0) : 0
  }

  @Test func `two listings in a row take a tag away, two empty ones and the gap bring the next`()
    throws
  {
    var host = try deck(2)
    #expect(host.chip.field.deck.position == 1)
    #expect(found(&host) == 1)
    #expect(found(&host) == 1)
    #expect(host.chip.field.deck.position == 0)
    for _ in 0..<3 { #expect(found(&host) == 0) }
    host.chip.clock.sleep(.milliseconds(300), until: nil)
    #expect(found(&host) == 2)
    #expect(!host.chip.field.deck.isUsedUp)
    #expect(found(&host) == 2)
    #expect(host.chip.field.deck.isUsedUp)
    host.chip.clock.sleep(.seconds(10), until: nil)
    for _ in 0..<4 { #expect(found(&host) == 0) }
  }

  @Test func `the gap alone brings nothing`() throws {
    var host = try deck(2)
    for _ in 0..<2 { #expect(found(&host) == 1) }
    host.chip.clock.sleep(.seconds(10), until: nil)
    #expect(found(&host) == 0)
    #expect(found(&host) == 0)
    #expect(found(&host) == 2)
  }

  @Test(arguments: ["40 01 3004", "42 3004", "4A 01 00 88 04000000000001", "44 00"])
  func `another tag command starts the count again`(command: String) throws {
    var host = try deck(1)
    for _ in 0..<3 {
      #expect(found(&host) == 1)
      host.send(command)
      if command == "44 00" {
        // A halted tag hears no request until it has lost the field.
        host.send("32 01 00")
        host.send("32 01 01")
      }
    }
    #expect(host.chip.field.deck.position == 1)
    #expect(found(&host) == 1)
    #expect(found(&host) == 1)
    #expect(host.chip.field.deck.isUsedUp)
  }

  @Test func `listings of other technologies do not count`() throws {
    var host = try deck(1)
    for _ in 0..<2 {
      #expect(host.send("4A 01 03 00") == Self.nothing)
      #expect(found(&host) == 1)
    }
    #expect(host.chip.field.deck.isUsedUp)
  }

  @Test func `InAutoPoll is a listing too`() throws {
    var host = try deck(1)
    for _ in 0..<2 { #expect(host.send("60 01 01 20 10").hasPrefix("01100C01")) }
    #expect(host.chip.field.deck.isUsedUp)
  }

  @Test func `a tag may lie for a time, or for ever`() throws {
    var host = try deck(1, hold: .duration(.seconds(2)))
    host.chip.clock.sleep(.seconds(5), until: nil)
    for _ in 0..<5 { #expect(found(&host) == 1) }
    host.chip.clock.sleep(.seconds(2), until: nil)
    #expect(found(&host) == 0)
    #expect(host.chip.field.deck.isUsedUp)
    host = try deck(1, hold: .forever)
    for _ in 0..<9 { #expect(found(&host) == 1) }
  }

  @Test func `an empty deck is used up`() {
    #expect(Host().chip.field.deck.isUsedUp)
  }

  @Test func `a tag that cannot be made ends the deck and says why`() throws {
    let entry = DeckEntry(make: { () throws(DeckEntry.Failure) in throw .init("no such file") })
    var field = RadioField(deck: [entry, entry], hold: .done, gap: .zero)
    #expect(field.failure == nil)
    field.settle(at: .zero)
    #expect(field.deck.isUsedUp)
    #expect(field.failure == DeckEntry.Failure("no such file"))
  }

  @Test func `tags are made when their turn comes, and their owner hears of changes`() throws {
    let log = Log()
    let images = try images(2)
    let entries = images.map { image in
      DeckEntry(
        make: {
          log.add("make \(image.uid.hex)")
          return image
        },
        changed: { log.add("changed \($0.page(6).hex)") })
    }
    var host = Host()
    host.chip = PN532(
      clock: ModelClock(timing: .none), field: RadioField(deck: entries, hold: .done, gap: .zero))
    host.send("320500 01 00")
    #expect(log.lines == ["make 04000000000001"])
    host.send(Self.list)
    host.send("40 01 A206AABBCCDD")
    host.send("40 01 A206AABBCCDD")
    host.send("40 01 3006")
    #expect(log.lines.count == 2 && log.lines[1] == "changed AABBCCDD")
    for _ in 0..<4 { host.send(Self.list) }
    #expect(log.lines.last == "make 04000000000002")
  }
}
