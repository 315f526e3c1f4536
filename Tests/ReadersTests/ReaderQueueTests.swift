import Foundation
import Testing

@testable import Readers

@Suite struct ReaderQueueTests {
  private static let run = QueueEntry.Run(
    job: "cards", station: "line-3", since: "2026-01-02T03:04:05Z", until: "")

  private func queue(in folder: String) throws -> ReaderQueue {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    return try ReaderQueue(of: folder + "/reader", in: folder)
  }

  private var folder: String { NSTemporaryDirectory() + "queue-" + UUID().uuidString }

  @Test func `tickets are served in the order they were drawn`() throws {
    let folder = folder
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let queue = try queue(in: folder)
    var first: ReaderTicket? = try queue.draw(Self.run)
    var second: ReaderTicket? = try queue.draw(Self.run)
    let third = try queue.draw(Self.run)
    #expect(first?.isFirst == true)
    #expect(second?.isFirst == false)
    #expect(third.holder?.process == getpid())
    #expect(queue.entries().map(\.number) == [1, 2, 3])
    second = nil
    #expect(!third.isFirst)
    first = nil
    #expect(third.isFirst)
    #expect(queue.entries().map(\.run.job) == ["cards"])
    #expect(first == nil && second == nil)
  }

  @Test func `a number is never drawn twice`() throws {
    let folder = folder
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let queue = try queue(in: folder)
    for number in 1...5 {
      let ticket = try queue.draw(Self.run)
      #expect(queue.entries().map(\.number) == [number])
      withExtendedLifetime(ticket) {}
    }
  }

  @Test func `the ticket of a process that died stands in nobody's way`() throws {
    let folder = folder
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let queue = try queue(in: folder)
    let ticket = try queue.draw(Self.run)
    let name = try FileManager.default.contentsOfDirectory(atPath: folder)
      .filter { $0.hasSuffix(".000000000001") }
    let dead = name[0].replacingOccurrences(of: "000000000001", with: "000000000000")
    try "process 1\n".write(toFile: folder + "/" + dead, atomically: false, encoding: .utf8)
    #expect(ticket.isFirst)
    #expect(queue.entries().map(\.number) == [1])
  }

  @Test func `a hostile job name does not reach the ticket's lines`() throws {
    let folder = folder
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let queue = try queue(in: folder)
    let ticket = try queue.draw(
      QueueEntry.Run(job: "a\nprocess 1\u{1B}[31m", station: "s", since: "", until: ""))
    #expect(queue.entries().first?.process == getpid())
    #expect(queue.entries().first?.run.job == "aprocess 1[31m")
    withExtendedLifetime(ticket) {}
  }
}
