import Bytes
import Testing

@testable import TagFormats

/// Data areas from NXP's data sheets (user memory; 8 times the capability container's third byte), less
/// what TLVs before the message and its own type and length take.
@Suite struct CapacityTests {
  @Test(arguments: [
    (Chip.ntag210, 48 - 2), (.ntag212, 128 - 5 - 2), (.ntag213, 144 - 5 - 2), (.ntag215, 496 - 4),
    (.ntag216, 872 - 4), (.ultralight, 48 - 2), (.ultralightEV1Small, 48 - 2),
    (.ultralightEV1Large, 128 - 2),
  ])
  func `a chip holds as much as its data sheet says`(_ chip: Chip, _ capacity: Int) {
    #expect(chip.factoryCapacity == capacity)
  }

  @Test(arguments: [
    (0, 0), (1, 0), (2, 0), (3, 1), (256, 254), (257, 254), (258, 254), (259, 255), (260, 256),
  ])
  func `the long length takes two more bytes`(_ space: Int, _ largest: Int) {
    #expect(Type2Layout.largestMessage(in: space) == largest)
  }

  /// Boundaries of arduino-ntag issue 5.
  @Test(arguments: [(0, "0300FE"), (254, "03FE"), (255, "03FF00FF"), (300, "03FF012C")])
  func `lengths up to 254 take one byte, others three`(_ count: Int, _ start: String) throws {
    let link = MemoryTag(135, container: [0xE1, 0x10, 0x3E, 0], data: [3, 0, 0xFE])
    let tag = Type2Tag(link, chip: .ntag215)
    _ = try tag.survey()
    let message = [UInt8](repeating: 0xA5, count: count)
    let plan = try tag.plan(message)
    try tag.perform(plan.body + [plan.commit].compactMap { $0 })
    #expect(link.pages[4...].flatMap { $0 }.hex.hasPrefix(start))
    tag.forget()
    #expect(try tag.survey().content == (count == 0 ? .empty : .message(message)))
  }

  @Test func `a message of the largest size fits, without a terminator, and one more does not`()
    throws
  {
    let link = MemoryTag(
      45, container: [0xE1, 0x10, 0x12, 0], data: [1, 3, 0xA0, 0x0C, 0x34, 3, 0, 0xFE])
    let tag = Type2Tag(link, chip: .ntag213)
    _ = try tag.survey()
    let message = [UInt8](repeating: 0xA5, count: 137)
    #expect(throws: TagError.tooSmall(needed: 138, capacity: 137)) {
      _ = try tag.plan(message + [0])
    }
    let plan = try tag.plan(message)
    try tag.perform(plan.body + [plan.commit].compactMap { $0 })
    #expect(link.pages[39] == [0xA5, 0xA5, 0xA5, 0xA5])
    #expect(link.pages[40] == [0, 0, 0, 0])
    #expect(link.pages[4] == [1, 3, 0xA0, 0x0C])
  }
}
