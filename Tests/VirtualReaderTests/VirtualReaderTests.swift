import Bytes
import Foundation
import Glibc
import Platform
import Testing

@testable import VirtualReader

/// The reader on its pseudo-terminal.
struct VirtualReaderTests {
  private static let acknowledge = "0000FF00FF00"
  private static let getVersion = "0000FF02FED4022A00"
  private static let version = "0000FF06FAD50332010607E800"
  private static let list = "0000FF04FCD44A0100E100"
  private static let found = "0000FF0FF1D54B01010044000704A1B2C3D4E5F6CA00"

  private func image(_ name: String = "NTAG213") throws -> ChipImage {
    try #require(VirtualChips.make(name: name, uid: Host.uid))
  }

  private func reader(
    _ timing: ModelClock.Timing = .none, link: String? = nil,
    faults: (@Sendable (FaultPoint) -> [Fault])? = nil
  ) throws -> VirtualReader {
    let image = try image()
    return try VirtualReader(
      configuration: VirtualReaderConfiguration(
        timing: timing, hold: .forever, link: link, faults: faults),
      deck: [DeckEntry(make: { image })])
  }

  @Test func `the port is raw and answers`() throws {
    let reader = try reader()
    let port = try Port(reader.portPath)
    try port.write(Self.getVersion)
    #expect(port.read(19) == Self.acknowledge + Self.version)
    #expect(reader.connectionString == "pn532_uart:\(reader.portPath):115200")
    #expect(reader.work.hostCommands == 1)
    #expect(reader.work.modelled == reader.clock.now)
  }

  @Test func `without timing nothing is waited for, and sleeping moves the clock`() throws {
    let reader = try reader()
    let began = ContinuousClock.now
    #expect(reader.clock.sleep(.seconds(3600), until: nil))
    #expect(ContinuousClock.now - began < .seconds(10))
    #expect(reader.clock.now == .seconds(3600))
  }

  @Test func `with real timing an answer comes no sooner than the model says`() throws {
    let reader = try reader(.real)
    let port = try Port(reader.portPath)
    try port.write(Self.list)
    #expect(port.read(28) == Self.acknowledge + Self.found)
    let work = reader.work.modelled
    let began = ContinuousClock.now
    // READ of page 4: 12 bytes, the ACK, 26 bytes and 2.09 ms on the air.
    try port.write("0000FF05FBD440013004B700")
    let answer = port.read(32)
    let spent = ContinuousClock.now - began
    #expect(answer.hasPrefix(Self.acknowledge + "0000FF13EDD54100" + "0103A00C340300FE"))
    #expect(reader.work.modelled - work > .microseconds(5900))
    #expect(spent >= reader.work.modelled - work)
  }

  @Test func `with real timing a sleep ends early when a person cancels`() throws {
    let reader = try reader(.real)
    let cancellation = Cancellation()
    #expect(reader.clock.sleep(.milliseconds(30), until: cancellation))
    #expect(reader.clock.now >= .milliseconds(30))
    cancellation.raise(signal: SIGINT)
    let began = ContinuousClock.now
    #expect(!reader.clock.sleep(.seconds(600), until: cancellation))
    #expect(ContinuousClock.now - began < .seconds(10))
    #expect(!ModelClock(timing: .none).sleep(.seconds(1), until: cancellation))
  }

  @Test func `bytes at a wrong speed are garbage`() throws {
    let reader = try reader()
    let port = try Port(reader.portPath, speed: speed_t(B921600))
    try port.write(Self.getVersion)
    #expect(port.read(1, limit: .milliseconds(100)) == "")
    try port.set(speed: speed_t(B115200))
    // 921600 baud, ACK, and on at that speed.
    try port.write("0000FF03FDD410071500")
    #expect(port.read(15) == Self.acknowledge + "0000FF02FED5111A00")
    try port.write(Self.acknowledge)
    try port.set(speed: speed_t(B921600))
    try port.write(Self.getVersion)
    #expect(port.read(19) == Self.acknowledge + Self.version)
  }

  @Test func `stop unplugs the port and removes its link`() throws {
    let link = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
      .path
    let reader = try reader(link: link)
    #expect(reader.portPath == link)
    let port = try Port(link)
    #expect(port.isPlugged)
    reader.stop()
    #expect(!port.isPlugged)
    #expect(!Files.exists(link))
    reader.stop()
  }

  @Test func `a link replaces a link, and nothing else`() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let link = folder.appendingPathComponent("port").path
    let first = try reader(link: link)
    let second = try reader(link: link)
    let port = try Port(link)
    try port.write(Self.getVersion)
    #expect(port.read(19) == Self.acknowledge + Self.version)
    #expect(second.work.hostCommands == 1)
    first.stop()
    #expect(Files.exists(link), "it leads to the second reader")
    let file = folder.appendingPathComponent("file").path
    try Data().write(to: URL(fileURLWithPath: file))
    #expect(throws: SystemError.self) { try reader(link: file) }
    #expect(throws: SystemError.self) { try reader(link: folder.path + "/a:b") }
  }

  @Test func `a reader that is let go unplugs its port`() throws {
    var reader: VirtualReader? = try reader()
    let port = try Port(try #require(reader).portPath)
    #expect(port.isPlugged)
    reader = nil
    #expect(!port.isPlugged)
  }

  @Test func `a fault may unplug it`() throws {
    let reader = try reader(faults: { $0.code == 0x4A ? [.unplug()] : [] })
    let port = try Port(reader.portPath)
    try port.write(Self.list)
    let end = ContinuousClock.now + .seconds(5)
    while port.isPlugged && ContinuousClock.now < end { usleep(200) }
    #expect(!port.isPlugged)
  }

  /// Unplugged at its first listing, for `time` on its clock.
  private func unplugged(for time: Duration, link: String? = nil) throws -> VirtualReader {
    let isDue = Locked(true)
    let reader = try VirtualReader(
      configuration: VirtualReaderConfiguration(
        timing: .none, link: link,
        faults: { point in
          guard point.code == 0x4A, isDue.withLock({ $0 }) else { return [] }
          isDue.withLock { $0 = false }
          return [.unplug(comeBack: time)]
        }))
    let port = try Port(reader.portPath)
    try port.write(Self.list)
    let end = ContinuousClock.now + .seconds(5)
    while port.isPlugged && ContinuousClock.now < end { usleep(200) }
    try #require(!port.isPlugged)
    return reader
  }

  @Test func `it comes back when its time has passed on its clock, at a new port behind its link`()
    throws
  {
    let link = NSTemporaryDirectory() + "tagstation-link-" + UUID().uuidString
    let reader = try unplugged(for: .seconds(3600), link: link)
    #expect((try? FileManager.default.destinationOfSymbolicLink(atPath: link)) == nil)
    // Nobody else can be met at the number that it had.
    let others = try (0..<4).map { _ in try VirtualReader() }
    reader.clock.sleep(.seconds(3600), until: nil)
    #expect(reader.portPath == link)
    let target = try FileManager.default.destinationOfSymbolicLink(atPath: link)
    #expect(!others.map(\.portPath).contains(target))
    let port = try Port(link)
    try port.write("555500000000000000FF02FED4022A00")
    #expect(port.read(19) == Self.acknowledge + "0000FF06FAD50332010607E800")
    reader.stop()
    #expect((try? FileManager.default.destinationOfSymbolicLink(atPath: link)) == nil)
  }

  @Test func `it comes back by the wall where nothing moves its clock`() throws {
    let reader = try unplugged(for: .milliseconds(50))
    let before = reader.clock.now
    let end = ContinuousClock.now + .seconds(10)
    while ContinuousClock.now < end, !FileManager.default.fileExists(atPath: reader.portPath) {
      usleep(1000)
    }
    #expect(FileManager.default.fileExists(atPath: reader.portPath))
    #expect(reader.clock.now == before)
  }

  @Test func `an endless search finds a tag that is placed later`() throws {
    let reader = try VirtualReader(
      configuration: VirtualReaderConfiguration(timing: .none))
    let port = try Port(reader.portPath)
    try port.write(Self.list)
    #expect(port.read(6) == Self.acknowledge)
    #expect(port.read(1, limit: .milliseconds(30)) == "")
    let log = Log()
    let tag = try #require(
      reader.place(try image(), changed: { log.add($0.page(6).hex) }))
    #expect(port.read(22) == Self.found)
    try port.write("0000FF09F7D44001A206010203043900")
    #expect(port.read(16) == Self.acknowledge + "0000FF03FDD54100EA00")
    #expect(log.lines == ["01020304"])
    #expect(reader.images.first?.page(6).hex == "01020304")
    reader.remove(tag)
    #expect(reader.images.isEmpty)
  }

  @Test func `many readers at once keep apart`() async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 1...16 {
        group.addTask {
          let uid: [UInt8] = [0x04, 0, 0, 0, 0, 0, UInt8(number)]
          let image = try #require(VirtualChips.make(name: "NTAG215", uid: uid))
          let reader = try VirtualReader(
            configuration: VirtualReaderConfiguration(timing: .none, hold: .forever),
            deck: [DeckEntry(make: { image })])
          let port = try Port(reader.portPath)
          for _ in 0..<50 {
            try port.write(Self.list)
            #expect(port.read(28).contains("4400070400000000" + "00" + [UInt8(number)].hex))
          }
        }
      }
      try await group.waitForAll()
    }
  }
}
