import Bytes
import Platform
import Testing

@testable import VirtualReader

struct FrameReceiverTests {
  private static let listing = "0000FF04FCD44A0100E100"

  @Test(arguments: 1..<11)
  func `a frame may be split at any byte`(position: Int) throws {
    let bytes = try #require([UInt8](hex: Self.listing))
    var receiver = FrameReceiver()
    #expect(receiver.receive(Array(bytes[..<position])) == (position < 10 ? [] : [listing]))
    #expect(receiver.receive(Array(bytes[position...])) == (position < 10 ? [listing] : []))
  }

  private var listing: FrameReceiver.Event { .command([0x4A, 0x01, 0x00]) }

  @Test func `wake-up bytes and any number of zeros come before a frame`() throws {
    var receiver = FrameReceiver()
    let sleepy = "5555" + String(repeating: "00", count: 14) + Self.listing
    #expect(receiver.receive(try #require([UInt8](hex: sleepy))) == [listing])
    #expect(receiver.receive(try #require([UInt8](hex: "00FF04FCD44A0100E1"))) == [listing])
  }

  @Test(arguments: [
    "0000FF04FDD44A0100E100", "0000FF04FCD44A0100E200", "0000FF04FCD54A0100E000",
    "0000FFFFFF0004FBD44A0100E100", "0000FF01FFD42C00", "0000FF00000000",
  ])
  func `a damaged or foreign frame is dropped and the next one heard`(frame: String) throws {
    var receiver = FrameReceiver()
    #expect(receiver.receive(try #require([UInt8](hex: frame))) == [])
    #expect(receiver.receive(try #require([UInt8](hex: Self.listing))) == [listing])
  }

  @Test func `ACK and NACK are told from frames`() throws {
    var receiver = FrameReceiver()
    let bytes = try #require([UInt8](hex: "0000FF00FF00 0000FFFF0000" + Self.listing))
    #expect(receiver.receive(bytes) == [.acknowledge, .notAcknowledge, listing])
  }

  @Test(arguments: [2, 3, 254, 255, 256, 265])
  func `a frame of any length comes through`(count: Int) {
    var receiver = FrameReceiver()
    let content = [0xD4] + (1..<count).map { UInt8(truncatingIfNeeded: $0) }
    let frame = Frame.encode(content)
    #expect(frame.starts(with: [0x00, 0x00, 0xFF, 0xFF, 0xFF]) == (count > 255))
    #expect(receiver.receive(frame) == [.command(Array(content.dropFirst()))])
  }

  @Test func `an extended frame may be short`() throws {
    var receiver = FrameReceiver()
    let bytes = try #require([UInt8](hex: "0000FFFFFF0004FCD44A0100E100"))
    #expect(receiver.receive(bytes) == [listing])
  }

  @Test func `more than the firmware takes is dropped`() {
    var receiver = FrameReceiver()
    #expect(receiver.receive(Frame.encode([0xD4] + [UInt8](repeating: 1, count: 265))) == [])
  }

  @Test func `noise of any kind is survived`() throws {
    var random = SeededGenerator(seed: 7)
    var receiver = FrameReceiver()
    for _ in 0..<2000 {
      let noise = (0..<Int.random(in: 0..<40, using: &random)).map { _ in
        [0x00, 0xFF, 0xD4, UInt8.random(in: 0...255, using: &random)]
          .randomElement(using: &random) ?? 0
      }
      _ = receiver.receive(noise)
    }
    // At most one frame of the greatest length is still being waited for.
    _ = receiver.receive([UInt8](repeating: 0x00, count: 300))
    #expect(receiver.receive(try #require([UInt8](hex: Self.listing))) == [listing])
  }
}
