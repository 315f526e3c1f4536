import Foundation
import Platform

/// A virtual reader of another process, a station that connects to it, and runs as processes.
final class ReaderBench {
  let folder: ScratchFolder
  private let reader: Process
  private let runs = Locked<[Process]>([])

  /// Serves `tags`; `station` is what the station's `reader` says besides its connection.
  init(tags: [String] = ["NTAG213"], hold: String = "forever") throws {
    folder = try ScratchFolder()
    let link = folder.url.appending(path: "port").path()
    reader = try Self.start(
      ["virtual-reader", "--link", link, "--timing", "none", "--hold", hold, "--tags"] + tags,
      in: folder.url, as: "reader")
    for _ in 0..<500 where !FileManager.default.fileExists(atPath: link) { usleep(10_000) }
    try folder.write(
      "station.yaml",
      """
      station: bench
      declarations: {formats: [TAG], usageDescription: Test tags}
      readers: {only: "pn532_uart:\(link)"}
      ledger: ledger.sqlite
      log: log.jsonl
      """)
  }

  deinit {
    for run in runs.withLock({ $0 }) where run.isRunning { kill(run.processIdentifier, SIGKILL) }
    kill(reader.processIdentifier, SIGKILL)
    reader.waitUntilExit()
  }

  /// The port's device node.
  var port: String { folder.url.appending(path: "port").resolvingSymlinksInPath().path() }

  /// Starts a run of `job`, whose standard error goes to `<name>.err`.
  func run(_ name: String, _ job: String, _ options: String...) throws -> Process {
    try folder.write("\(name).yaml", "job: \(name)\n" + job)
    let process = try Self.start(["run", "\(name).yaml"] + options, in: folder.url, as: name)
    runs.withLock { $0.append(process) }
    return process
  }

  func errors(of name: String) throws -> String {
    try BuiltProgram.text(of: folder.url.appending(path: "\(name).err"))
  }

  /// The log's lines as objects.
  var log: [[String: Any]] {
    let text = try? BuiltProgram.text(of: folder.url.appending(path: "log.jsonl"))
    return (text ?? "").split(separator: "\n").compactMap {
      try? JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any]
    }
  }

  /// The jobs with this event, in the log's order.
  func jobs(with event: String) -> [String] {
    log.filter { $0["event"] as? String == event }.compactMap { $0["job"] as? String }
  }

  /// Waits until `job` has `event`, at most 20 s.
  func wait(for event: String, of job: String) -> Bool {
    for _ in 0..<1000 {
      if jobs(with: event).contains(job) { return true }
      usleep(20_000)
    }
    return false
  }

  private static func start(
    _ arguments: [String], in folder: URL, as name: String
  ) throws -> Process {
    let errors = folder.appending(path: "\(name).err")
    try Data().write(to: errors)
    let process = Process()
    process.executableURL = URL(filePath: BuiltProgram.path)
    process.arguments = arguments
    process.currentDirectoryURL = folder
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    process.standardError = try FileHandle(forWritingTo: errors)
    try process.run()
    return process
  }
}
