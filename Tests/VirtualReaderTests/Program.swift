import Foundation

/// Another program, run to its end as a judge of the virtual reader.
struct Program {
  struct Result {
    var status: Int32
    var output: String
  }

  struct Missing: Error, CustomStringConvertible {
    let name: String
    var description: String {
      "\(name) is not installed; the README names the packages that the tests need"
    }
  }

  let path: String

  /// Finds `name` in `PATH`.
  init(_ name: String) throws {
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
    guard
      let found = folders.map({ "\($0)/\(name)" }).first(where: {
        FileManager.default.isExecutableFile(atPath: $0)
      })
    else { throw Missing(name: name) }
    path = found
  }

  init(path: String) { self.path = path }

  /// Runs it with these arguments and returns both outputs together; ends it after `limit` seconds.
  func run(
    _ arguments: [String], environment: [String: String] = [:], limit: Double = 60
  ) async throws -> Result {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: path)
    process.arguments = arguments
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    process.standardInput = FileHandle.nullDevice
    let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try Data().write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    let output = try FileHandle(forWritingTo: file)
    process.standardOutput = output
    process.standardError = output
    try process.run()
    let end = ContinuousClock.now + .seconds(limit)
    while process.isRunning {
      if ContinuousClock.now > end { process.terminate() }
      try await Task.sleep(for: .milliseconds(5))
    }
    let text = try String(decoding: Data(contentsOf: file), as: UTF8.self)
    return Result(status: process.terminationStatus, output: text)
  }
}
