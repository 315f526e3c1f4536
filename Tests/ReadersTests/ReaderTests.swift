import Foundation
import Platform
import Testing

@testable import Readers

extension OnAPort {
  @Suite(.serialized) struct ReaderTests {
    @Test func `work on a reader runs on its own thread`() async throws {
      let bench = try Bench()
      let reader = Reader(bench.source)
      try await reader.open()
      let uid = try await reader.run { device throws(ReaderError) in
        reader.executor.checkIsolated()
        return try device.select(.typeA)?.uid
      }
      #expect(uid == [0x04, 0xA1, 0xB2, 0xC3, 0xD4, 0xE5, 0xF6])
      #expect(await reader.isVirtual)
      await reader.close()
      #expect(await !reader.isOpen)
      bench.chip.unplug()
    }

    @Test func `another actor can share the reader's thread`() async throws {
      let bench = try Bench()
      let reader = Reader(bench.source)
      let session = Session(reader)
      try await reader.open()
      #expect(try await session.look() != nil)
      await reader.close()
      bench.chip.unplug()
    }

    @Test func `a reader that is not open is lost`() async throws {
      let bench = try Bench()
      let reader = Reader(bench.source)
      await #expect(throws: ReaderError.lost(detail: "the reader is not open")) {
        try await reader.run { device throws(ReaderError) in try device.select(.typeA) }
      }
      bench.chip.unplug()
    }

    @Test func `readers wait side by side`() async throws {
      let benches = try (0..<3).map { _ in try Bench() }
      let readers = benches.map { Reader($0.source) }
      for reader in readers { try await reader.open() }
      for bench in benches { bench.chip.script(0x4A, .late(.milliseconds(250))) }
      let start = ContinuousClock.now
      let found = try await withThrowingTaskGroup(of: Bool.self) { group in
        for reader in readers {
          group.addTask {
            try await reader.run { device throws(ReaderError) in try device.select(.typeA) != nil }
          }
        }
        return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
      }
      #expect(found == 3)
      #expect(ContinuousClock.now - start < .milliseconds(600))
      for reader in readers { await reader.close() }
      for bench in benches { bench.chip.unplug() }
    }

    @Test func `a canceled call ends, and the reader goes on`() async throws {
      let bench = try Bench()
      let reader = Reader(bench.source)
      try await reader.open()
      bench.chip.script(0x42, .noReply)
      let start = ContinuousClock.now
      async let canceled: Void = {
        while !reader.cancel() { try await Task.sleep(for: .milliseconds(10)) }
      }()
      await #expect(throws: ReaderError.canceled) {
        try await reader.run { device throws(ReaderError) in
          try device.exchange([0x60], framing: .raw, timeout: .seconds(9))
        }
      }
      try await canceled
      #expect(ContinuousClock.now - start < .seconds(1))
      #expect(
        try await reader.run { device throws(ReaderError) in try device.select(.typeA) != nil })
      await reader.close()
      bench.chip.unplug()
    }
  }
}

/// An actor that runs where its reader runs.
private actor Session {
  let reader: Reader
  nonisolated var unownedExecutor: UnownedSerialExecutor {
    unsafe reader.executor.asUnownedSerialExecutor()
  }

  init(_ reader: Reader) { self.reader = reader }

  func look() throws -> Target? {
    try reader.assumeIsolated { reader in
      try reader.run { device throws(ReaderError) in try device.select(.typeA) }
    }
  }
}
