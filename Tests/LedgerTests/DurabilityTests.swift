import Bytes
import Foundation
import Testing

@testable import Ledger

/// What the system is asked to do, and what follows when it fails, seen and made by strace.
@Suite(.enabled(if: Tracer.isAllowed), .serialized)
struct DurabilityTests {
  private let scratch = Scratch()

  @Test func `each transaction is synced before it returns`() throws {
    let ledger = try scratch.begin("R1")
    let calls = try Tracer.trace(["-e", "trace=fdatasync"], scratch) {
      _ = try ledger.startWriting(.sample("A", uid: 1))
      try ledger.startCommitting(series: "cards", key: "A")
      try ledger.settle(.sample("A", uid: 1, .passed), ledger.change("A", .done), [])
      try ledger.append("reader.lost", [])
    }
    #expect(calls.filter { $0.hasPrefix("fdatasync(") && $0.hasSuffix("= 0") }.count >= 4)
  }

  @Test func `a line goes into the log by one write`() throws {
    let ledger = try scratch.begin("R1")
    let calls = try Tracer.trace(["-e", "trace=write", "-s", "32"], scratch) {
      try ledger.append("reader.lost", [("text", .string(String(repeating: "x", count: 9000)))])
    }
    #expect(calls.filter { $0.contains(#"{\"v\":1,"#) }.count == 1)
  }

  @Test func `after a failed sync nothing is believed any more`() throws {
    let ledger = try scratch.begin("R1")
    _ = try Tracer.trace(
      ["-e", "trace=fdatasync", "-e", "inject=fdatasync:error=EIO:when=1"], scratch
    ) {
      expectIO { _ = try ledger.startWriting(.sample("A", uid: 1)) }
    }
    expectIO { _ = try ledger.startWriting(.sample("B", uid: 2)) }
    expectIO { _ = try ledger.state("A") }
    expectIO { try ledger.end(exit: 74, []) }
    let next = try scratch.begin("R2")
    _ = try next.verify()
    try next.end(exit: 0, [])
    _ = try scratch.judge()
  }

  @Test func `a full disk undoes the transaction and no more`() throws {
    let ledger = try scratch.begin("R1")
    _ = try Tracer.trace(
      ["-e", "trace=pwrite64", "-e", "inject=pwrite64:error=ENOSPC:when=1"], scratch
    ) {
      expectIO {
        try ledger.settle(.sample("A", uid: 1, .failed), nil, [])
      }
    }
    #expect(try ledger.head == 1)
    try ledger.settle(.sample("A", uid: 1, .failed), nil, [])
    try ledger.end(exit: 1, [])
    #expect(try scratch.judge().hasPrefix("3 "))
  }

  @Test func `a line that the log had no room for is written with the next`() throws {
    let ledger = try scratch.begin("R1")
    _ = try Tracer.trace(["-e", "trace=write", "-e", "inject=write:error=ENOSPC:when=1"], scratch) {
      expectIO { try ledger.append("reader.lost", []) }
    }
    #expect(try scratch.lines().count == 1)
    try ledger.append("reader.back", [])
    #expect(try scratch.judge().hasPrefix("3 "))
  }

  private func expectIO(_ body: () throws -> Void) {
    do {
      try body()
      Issue.record("nothing was thrown")
    } catch LedgerError.io {
    } catch {
      Issue.record(error)
    }
  }
}

/// Runs strace on the current thread.
enum Tracer {
  /// Whether a child may trace this process (ptrace(2), ptrace_scope).
  static var isAllowed: Bool {
    if geteuid() == 0 { return true }
    let scope = try? String(contentsOfFile: "/proc/sys/kernel/yama/ptrace_scope", encoding: .utf8)
    return scope.map { $0.hasPrefix("0") } ?? true
  }

  /// The system calls that `body` makes, as strace prints them.
  static func trace(
    _ arguments: [String], _ scratch: Scratch, _ body: () throws -> Void
  ) throws -> [String] {
    let thread = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/thread-self")
    let id = try #require(thread.split(separator: "/").last).description
    let output = "\(scratch.folder)/trace"
    let process = Process()
    let pipe = Pipe()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["strace", "-p", id, "-o", output] + arguments
    process.standardError = pipe
    try process.run()
    var said = ""
    while !said.contains("attached") {
      let more = pipe.fileHandleForReading.availableData
      if more.isEmpty { throw Failure(output: said) }
      said += String(decoding: more, as: UTF8.self)
    }
    let result = Result { try body() }
    // Of the signals strace ends at, the one that is not blocked in children of the test runner.
    kill(process.processIdentifier, SIGPIPE)
    process.waitUntilExit()
    try result.get()
    return try scratch.lines(of: output)
  }
}
