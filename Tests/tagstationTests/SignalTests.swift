import Foundation
import Testing

/// How runs end by signals.
struct SignalTests {
  private let folder: ScratchFolder

  init() throws {
    folder = try ScratchFolder()
    try folder.write(
      "station.yaml",
      """
      station: test
      declarations: {formats: [TAG], usageDescription: Try signals}
      readers:
        left:
          virtual: {tags: [NTAG213], hold: forever}

      """)
    try folder.write("job.yaml", "job: service\nstop: never\nsteps:\n  - read\n")
  }

  private func log() -> String {
    (try? String(contentsOf: folder.url.appending(path: "var/test.jsonl"), encoding: .utf8)) ?? ""
  }

  /// Starts a service, waits until it has read its tag, sends `signal` and gives back the exit status.
  private func status(after signal: Int32) throws -> Int32 {
    let process = Process()
    process.executableURL = URL(filePath: BuiltProgram.path)
    process.arguments = ["run", "job.yaml", "--quiet"]
    process.currentDirectoryURL = folder.url
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    for _ in 0..<600 where !log().contains(#""event":"tag""#) { usleep(50_000) }
    kill(process.processIdentifier, signal)
    process.waitUntilExit()
    return process.terminationReason == .exit ? process.terminationStatus : -1
  }

  @Test(
    arguments: [(SIGINT, 130), (SIGQUIT, 130), (SIGTERM, 143), (SIGHUP, 143)] as [(Int32, Int32)])
  func `a signal ends a service with the ledger in order`(_ signal: Int32, _ wanted: Int32) throws {
    #expect(try status(after: signal) == wanted)
    #expect(log().contains(#""event":"run.ended""#))
    #expect(log().contains(#""reason":"canceled""#))
    #expect(try folder.program.run("ledger", "verify").status == 0)
  }

  @Test func `SIGUSR1 without a prompt does nothing`() throws {
    let process = Process()
    process.executableURL = URL(filePath: BuiltProgram.path)
    process.arguments = ["run", "job.yaml", "--quiet"]
    process.currentDirectoryURL = folder.url
    process.standardInput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    for _ in 0..<600 where !log().contains(#""event":"tag""#) { usleep(50_000) }
    kill(process.processIdentifier, SIGUSR1)
    usleep(200_000)
    #expect(process.isRunning)
    process.terminate()
    process.waitUntilExit()
    #expect(process.terminationStatus == 143)
  }
}
