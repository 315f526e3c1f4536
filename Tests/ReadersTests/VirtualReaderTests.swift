import Foundation
import Platform
import Testing
import VirtualReader

@testable import Readers

extension OnAPort {
  /// The whole way: real libnfc on a simulated PN532 with simulated chips.
  @Suite(.serialized) struct VirtualReaderTests {
    private static let uid: [UInt8] = [0x04, 0x51, 0x22, 0x33, 0x44, 0x55, 0x66]

    @Test func `a tag is written and read back after the field was off`() throws {
      let station = try Station()
      let device = station.device
      try device.open()
      let before = station.reader.work
      let target = try #require(try device.select(.typeA))
      #expect(target == Target(.typeA(atqa: 0x0044, sak: 0, ats: []), uid: Self.uid))
      let link = DeviceLink(device, target)
      #expect(try link.exchange([0x60], framing: .raw) == [0, 4, 4, 2, 1, 0, 0x0F, 3])
      _ = try link.exchange([0xA2, 6, 0xDE, 0xAD, 0xBE, 0xEF], framing: .managed)
      try link.dropField()
      let read = try link.exchange([0x30, 6], framing: .managed)
      #expect(read.prefix(4) == [0xDE, 0xAD, 0xBE, 0xEF])
      let whole = try link.exchange([0x3A, 0, 0x2C], framing: .raw)
      #expect(whole.count == 45 * 4)
      #expect(throws: ReaderError.noAnswer) {
        try link.exchange([0x30, 0xF0], framing: .managed)
      }
      try link.reselect()
      #expect(device.work.commands == 10)
      #expect(station.reader.work.tagCommands - before.tagCommands == 10)
      let modelled = station.reader.work.modelled - before.modelled
      #expect(device.work.modelled == modelled + .milliseconds(10))
      device.close()
    }

    @Test func `a tag that is taken away is gone, another one is told`() throws {
      let station = try Station()
      try station.device.open()
      let link = DeviceLink(station.device, try #require(try station.device.select(.typeA)))
      station.reader.lift()
      #expect(throws: ReaderError.noAnswer) { try link.exchange([0x30, 4], framing: .managed) }
      #expect(throws: ReaderError.tagGone) { try link.dropField() }
      let other: [UInt8] = [0x04, 1, 1, 1, 1, 1, 1]
      station.reader.place(try #require(VirtualChips.make(name: "NTAG213", uid: other)))
      #expect(throws: ReaderError.otherTag(other)) { try link.dropField() }
      #expect(throws: ReaderError.tagGone) { try link.reselect() }
      station.device.close()
    }

    @Test(arguments: [
      (Fault.noAck, ReaderError.timeout(operation: "exchange")),
      (.noReply, .timeout(operation: "exchange")),
      (.delay(.milliseconds(400)), .timeout(operation: "exchange")),
      (.truncated(9), .timeout(operation: "exchange")),
      (.nack, .fault(operation: "exchange", detail: LibNFCStatus.io.reason)),
      (
        .garbage([1, 2, 3, 4, 5, 6, 7, 8]),
        .fault(operation: "exchange", detail: LibNFCStatus.io.reason)
      ),
      (.badSum, .fault(operation: "exchange", detail: LibNFCStatus.io.reason)),
      (.errorFrame, .fault(operation: "exchange", detail: LibNFCStatus.io.reason)),
      (.status(0x05), .noAnswer),
      (.reset, .timeout(operation: "exchange")),
    ]) func `a fault on the line has a name, and the next call works`(
      _ fault: Fault, _ expected: ReaderError
    ) throws {
      let armed = Locked(true)
      let station = try Station { point in
        guard point.code == 0x40, armed.withLock({ $0.take() }) else { return [] }
        return [fault]
      }
      try station.device.open()
      _ = try station.device.select(.typeA)
      #expect(throws: expected) {
        try station.device.exchange([0x30, 4], framing: .managed, timeout: .milliseconds(200))
      }
      let link = DeviceLink(
        station.device, Target(.typeA(atqa: 0x44, sak: 0, ats: []), uid: Self.uid))
      try link.reselect()
      #expect(try link.exchange([0x30, 4], framing: .managed).count == 16)
      station.device.close()
    }

    @Test func `a reader unplugged in the middle of a call is lost`() throws {
      let station = try Station { $0.code == 0x42 ? [.unplug()] : [] }
      try station.device.open()
      _ = try station.device.select(.typeA)
      let start = ContinuousClock.now
      #expect(throws: ReaderError.lost(detail: "the reader went away during exchange")) {
        try station.device.exchange([0x60], framing: .raw, timeout: .seconds(5))
      }
      #expect(ContinuousClock.now - start < .seconds(2))
      #expect(!station.device.isOpen)
    }

    @Test func `a fast line takes less time for the same work`() throws {
      var times: [Duration] = []
      for speed in [115_200, 921_600] {
        let station = try Station(speed: speed)
        try station.device.open()
        _ = try station.device.select(.typeA)
        let before = station.device.work
        #expect(
          try station.device.exchange([0x3A, 0, 0x2C], framing: .raw, timeout: .seconds(1)).count
            == 180)
        let work = station.device.work - before
        #expect(work.commands == 1)
        times.append(try #require(work.modelled))
        station.device.close()
      }
      // 207 bytes in all at 10 bits: 17.97 ms against 2.25 ms.
      let saved = times[0] - times[1]
      #expect(saved > .milliseconds(15) && saved < .milliseconds(17))
    }

    @Test func `the reader says what only a virtual one knows`() throws {
      let station = try Station()
      #expect(station.device.isVirtual)
      #expect(station.device.clock === station.reader.clock)
      #expect(!station.device.deckIsUsedUp)
      let status = ReaderInventory.status(of: station.source)
      #expect(status.isVirtual)
      #expect(status.availability == .available(answers: true))
    }

    @Test func `the station's lock stands for the virtual reader`() throws {
      let lock = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        .path
      let first = try Station(lockPath: lock)
      let second = try Station(lockPath: lock)
      try first.device.open()
      let failure = #expect(throws: ReaderError.self) { try second.device.open() }
      guard case .busy(let detail, _) = failure else {
        Issue.record("\(String(describing: failure)) is not busy")
        return
      }
      #expect(detail.contains(lock) && detail.contains("\(getpid())"))
      first.device.close()
      try second.device.open()
      second.device.close()
    }
  }
}

extension Bool {
  /// The value, which is false from now on.
  fileprivate mutating func take() -> Bool {
    defer { self = false }
    return self
  }
}

/// A virtual reader with one NTAG213 on it, and the device that opens it.
private struct Station {
  let reader: VirtualReader
  let source: ReaderSource
  let device: LibNFCDevice

  init(
    speed: Int = 115_200, lockPath: String? = nil,
    faults: (@Sendable (FaultPoint) -> [Fault])? = nil
  ) throws {
    reader = try VirtualReader(
      configuration: VirtualReaderConfiguration(
        speed: speed, timing: .none, hold: .forever, faults: faults),
      deck: [
        DeckEntry { () throws(DeckEntry.Failure) in
          guard
            let image = VirtualChips.make(
              name: "NTAG213", uid: [0x04, 0x51, 0x22, 0x33, 0x44, 0x55, 0x66])
          else { throw DeckEntry.Failure("no such chip") }
          return image
        }
      ])
    source = ReaderSource(name: "demo", .virtual(Backing(reader: reader, lockPath: lockPath)))
    device = LibNFCDevice(source)
  }
}

private final class Backing: VirtualDevice {
  let reader: VirtualReader
  let lockPath: String?

  init(reader: VirtualReader, lockPath: String?) {
    self.reader = reader
    self.lockPath = lockPath
  }

  var connectionString: String { reader.connectionString }
  var clock: any StationClock { reader.clock }
  var modelled: Duration { reader.work.modelled }
  var deckIsUsedUp: Bool { reader.deckIsUsedUp }
}
