import Bytes
import Platform
import Testing

@testable import Readers

struct DeviceLinkTests {
  private static let ntag = Target(
    .typeA(atqa: 0x0044, sak: 0, ats: []), uid: [0x04, 1, 2, 3, 4, 5, 6])
  private static let desfire = Target(
    .typeA(atqa: 0x0344, sak: 0x20, ats: [0x75]), uid: [0x04, 9, 9, 9, 9, 9, 9])
  private static let lite = Target(
    .feliCa(pmm: [0, 0xF1, 0, 0, 0, 1, 0x43, 0], systemCode: 0x12FC),
    uid: [1, 0x2E, 0x3D, 0x4C, 0x5B, 0x6A, 0x79, 0x88])

  @Test func `dropping the field selects by technology, not by UID`() throws {
    let device = ListedDevice([Self.ntag])
    try DeviceLink(device, Self.ntag).dropField()
    #expect(device.calls == ["field off", "field on", "select typeA"])
  }

  @Test func `a FeliCa tag is polled by its system code`() throws {
    let device = ListedDevice([Self.lite, Self.lite])
    let link = DeviceLink(device, Self.lite)
    try link.dropField()
    try link.reselect()
    #expect(device.calls.suffix(2) == ["select 12FC", "select 12FC"])
  }

  @Test func `a tag is selected again by its UID`() throws {
    let device = ListedDevice([Self.ntag])
    try DeviceLink(device, Self.ntag).reselect()
    #expect(device.calls == ["select 04010203040506"])
  }

  @Test func `a tag in its protocol is deselected first`() throws {
    let device = ListedDevice([Self.desfire])
    try DeviceLink(device, Self.desfire).reselect()
    #expect(device.calls == ["deselect", "select 04090909090909"])
  }

  @Test func `no tag is gone, another one is told`() throws {
    let link = DeviceLink(ListedDevice([nil, Self.desfire]), Self.ntag)
    #expect(throws: ReaderError.tagGone) { try link.dropField() }
    #expect(throws: ReaderError.otherTag(Self.desfire.uid)) { try link.dropField() }
  }

  @Test func `a random UID may be another after the field was off`() throws {
    let first = Target(.typeA(atqa: 0x0344, sak: 0x20, ats: [0x75]), uid: [0x08, 1, 2, 3])
    let second = Target(first.technology, uid: [0x08, 4, 5, 6])
    let link = DeviceLink(ListedDevice([second]), first)
    try link.dropField()
    #expect(link.target == second)
    let fixed = Target(first.technology, uid: [0x04, 1, 2, 3])
    let other = DeviceLink(ListedDevice([second]), fixed)
    #expect(throws: ReaderError.otherTag(second.uid)) { try other.dropField() }
  }
}

/// A device that finds the listed tags, one for each selection.
private final class ListedDevice: ReaderDevice {
  private var tags: [Target?]
  private(set) var calls: [String] = []

  init(_ tags: [Target?]) { self.tags = tags }

  let isVirtual = true
  let clock: any StationClock = WallClock()
  let work = ReaderWork()
  let deckIsUsedUp = false
  let longestCommand = 262

  func select(_ poll: Poll) -> Target? {
    switch poll {
    case .typeAUID(let uid): calls.append("select \(uid.hex)")
    case .feliCa(let code): calls.append("select \(String(code, radix: 16, uppercase: true))")
    default: calls.append("select \(poll)")
    }
    return tags.removeFirst()
  }

  func deselect() { calls.append("deselect") }
  func exchange(_ command: [UInt8], framing: Framing, timeout: Duration) -> [UInt8] { [] }
  func setField(on: Bool) { calls.append("field \(on ? "on" : "off")") }
}
