import Foundation
import Platform
import Testing

@testable import Readers

extension OnAPort {
  @Suite(.serialized) struct LibNFCDeviceTests {
    @Test func `a tag is found, read, written and let go`() throws {
      let bench = try Bench()
      let device = bench.device
      try device.open()
      #expect(device.isVirtual)
      let target = try #require(try device.select(.typeA))
      #expect(target.uid == [0x04, 0xA1, 0xB2, 0xC3, 0xD4, 0xE5, 0xF6])
      #expect(target.technology == .typeA(atqa: 0x0044, sak: 0, ats: []))
      let written = try device.exchange(
        [0xA2, 5, 1, 2, 3, 4], framing: .managed, timeout: .seconds(1))
      #expect(written.isEmpty)
      let read = try device.exchange([0x30, 4], framing: .managed, timeout: .seconds(1))
      #expect(read == [0, 0, 0, 0, 1, 2, 3, 4] + [UInt8](repeating: 0, count: 8))
      let version = try device.exchange([0x60], framing: .raw, timeout: .seconds(1))
      #expect(version == [0x00, 0x04, 0x04, 0x02, 0x01, 0x00, 0x0F, 0x03])
      try device.deselect()
      #expect(device.work.commands == 5)
      device.close()
      // The field is off and the chip asleep.
      #expect(bench.chip.codes.suffix(3) == [0x52, 0x32, 0x16])
      bench.chip.unplug()
    }

    @Test func `a UID is asked for with its cascade tag`() throws {
      let bench = try Bench()
      try bench.device.open()
      #expect(
        try bench.device.select(.typeAUID([0x04, 0xA1, 0xB2, 0xC3, 0xD4, 0xE5, 0xF6])) != nil)
      #expect(
        try bench.device.select(.typeAUID([0x04, 0xA1, 0xB2, 0xC3, 0xD4, 0xE5, 0xF7])) == nil)
      #expect(try bench.device.select(.feliCa(systemCode: 0x12FC)) == nil)
      let poll = bench.chip.state.withLock { $0.log.last }
      #expect(poll == [0x4A, 1, 1, 0x00, 0x12, 0xFC, 0x01, 0x00])
      bench.device.close()
      bench.chip.unplug()
    }

    @Test func `a command that libnfc would die of is refused`() throws {
      let bench = try Bench()
      try bench.device.open()
      _ = try bench.device.select(.typeA)
      #expect(throws: ReaderError.tooLong(bytes: 263, limit: 262)) {
        try bench.device.exchange(
          [UInt8](repeating: 0, count: 263), framing: .managed, timeout: .seconds(1))
      }
      for framing in [Framing.managed, .raw] {
        #expect(throws: ReaderError.noAnswer) {
          try bench.device.exchange(
            [UInt8](repeating: 0, count: 262), framing: framing, timeout: .seconds(1))
        }
      }
      bench.device.close()
      bench.chip.unplug()
    }

    static let faults: [(ScriptedChip.Fault, ReaderError)] = [
      (.noAcknowledgement, .timeout(operation: "exchange")),
      (.noReply, .timeout(operation: "exchange")),
      (.late(.milliseconds(400)), .timeout(operation: "exchange")),
      (.badChecksum, .fault(operation: "exchange", detail: LibNFCStatus.io.reason)),
      (.garbage, .fault(operation: "exchange", detail: LibNFCStatus.io.reason)),
      (.errorFrame, .fault(operation: "exchange", detail: LibNFCStatus.io.reason)),
      (.status(0x01), .noAnswer),
      (.status(0x13), .noAnswer),
      (.status(0x14), .noAnswer),
      (.status(0x27), .noAnswer),
      (.status(0x29), .noAnswer),
      (.status(0x0D), .fault(operation: "exchange", detail: LibNFCStatus.chip.reason)),
    ]

    @Test(arguments: faults) func `a fault has a name, and the next call works`(
      _ fault: ScriptedChip.Fault, _ expected: ReaderError
    ) throws {
      let bench = try Bench()
      try bench.device.open()
      _ = try bench.device.select(.typeA)
      bench.chip.script(0x40, fault)
      #expect(throws: expected) {
        try bench.device.exchange([0x30, 4], framing: .managed, timeout: .milliseconds(200))
      }
      #expect(try bench.device.select(.typeA) != nil)
      let read = try bench.device.exchange([0x30, 4], framing: .managed, timeout: .seconds(1))
      #expect(read == [UInt8](repeating: 0, count: 16))
      bench.device.close()
      bench.chip.unplug()
    }

    @Test func `after a lost answer the selection is gone too`() throws {
      let bench = try Bench()
      try bench.device.open()
      _ = try bench.device.select(.typeA)
      bench.chip.script(0x40, .noReply)
      #expect(throws: ReaderError.timeout(operation: "exchange")) {
        try bench.device.exchange([0x30, 4], framing: .managed, timeout: .milliseconds(200))
      }
      #expect(throws: ReaderError.noAnswer) {
        try bench.device.exchange([0x30, 4], framing: .managed, timeout: .milliseconds(200))
      }
      bench.device.close()
      bench.chip.unplug()
    }

    @Test func `a reader unplugged in the middle of a call is lost`() throws {
      let bench = try Bench()
      try bench.device.open()
      _ = try bench.device.select(.typeA)
      bench.chip.script(0x40, .unplug)
      let start = ContinuousClock.now
      #expect(throws: ReaderError.lost(detail: "the reader went away during exchange")) {
        try bench.device.exchange([0x30, 4], framing: .managed, timeout: .seconds(5))
      }
      #expect(ContinuousClock.now - start < .seconds(2))
      #expect(!bench.device.isOpen)
      #expect(throws: ReaderError.lost(detail: "the reader is not open")) {
        try bench.device.select(.typeA)
      }
    }

    @Test func `a reader that loses its power is lost, its adapter still there`() throws {
      let bench = try Bench()
      try bench.device.open()
      bench.chip.state.withLock { $0.isPowered = false }
      #expect(throws: ReaderError.timeout(operation: "select")) {
        try bench.device.select(.typeA)
      }
      let failure = #expect(throws: ReaderError.self) { try bench.device.select(.typeA) }
      guard case .lost = failure else {
        Issue.record("\(String(describing: failure)) is not a loss")
        return
      }
      bench.chip.state.withLock { $0.isPowered = true }
      try bench.device.open()
      #expect(try bench.device.select(.typeA) != nil)
      bench.device.close()
      bench.chip.unplug()
    }

    @Test func `a wait is cut short from another thread`() throws {
      let bench = try Bench()
      try bench.device.open()
      _ = try bench.device.select(.typeA)
      bench.chip.script(0x40, .noReply)
      let limit = bench.device.limit
      #expect(!limit.cancel())
      let start = ContinuousClock.now
      Thread.detachNewThread {
        usleep(100_000)
        limit.cancel()
      }
      #expect(throws: ReaderError.canceled) {
        try bench.device.exchange([0x30, 4], framing: .managed, timeout: .seconds(30))
      }
      #expect(ContinuousClock.now - start < .seconds(1))
      #expect(try bench.device.select(.typeA) != nil)
      bench.device.close()
      bench.chip.unplug()
    }

    @Test func `a periodic signal does not keep a call waiting`() throws {
      let bench = try Bench()
      try bench.device.open()
      _ = try bench.device.select(.typeA)
      bench.chip.script(0x40, .noReply)
      signal(SIGALRM, { _ in })
      var timer = itimerval(
        it_interval: timeval(tv_sec: 0, tv_usec: 50_000),
        it_value: timeval(tv_sec: 0, tv_usec: 50_000))
      unsafe setitimer(Int32(ITIMER_REAL.rawValue), &timer, nil)
      let start = ContinuousClock.now
      #expect(throws: ReaderError.timeout(operation: "exchange")) {
        try bench.device.exchange([0x30, 4], framing: .managed, timeout: .milliseconds(300))
      }
      #expect(ContinuousClock.now - start < .seconds(2))
      timer = itimerval()
      unsafe setitimer(Int32(ITIMER_REAL.rawValue), &timer, nil)
      bench.device.close()
      bench.chip.unplug()
    }

    @Test func `the field goes off and on, each counted once`() throws {
      let bench = try Bench()
      try bench.device.open()
      let before = bench.chip.state.withLock { $0.log.count }
      let start = ContinuousClock.now
      try bench.device.setField(on: false)
      try bench.device.setField(on: true)
      #expect(ContinuousClock.now - start >= .milliseconds(10))
      #expect(bench.device.work == ReaderWork(commands: 2))
      let sent = bench.chip.state.withLock { Array($0.log[before...]) }
      #expect(sent.filter { $0.first == 0x32 } == [[0x32, 0x01, 0x00], [0x32, 0x01, 0x01]])
      bench.device.close()
      bench.chip.unplug()
    }
  }
}
