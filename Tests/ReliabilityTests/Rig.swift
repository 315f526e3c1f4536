import Foundation
import Testing

/// Where scripts and programs of these tests lie, and how they are run.
enum Rig {
  struct Result {
    var status: Int32
    var output: String
    var errors: String

    var lines: [String] { output.split(separator: "\n").map(String.init) }

    /// The figures that the last line has.
    var figures: [String: Any] {
      let data = Data((lines.last ?? "").utf8)
      return (try? JSONSerialization.jsonObject(with: data)) as? [String: Any] ?? [:]
    }
  }

  /// Whether the slow tests run at full length.
  static let isFull = ProcessInfo.processInfo.environment["TAGSTATION_FULL"] != nil

  /// The program as it was built beside the tests.
  static let program = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
    .deletingLastPathComponent().appending(path: "tagstation").path()

  static func fixture(_ name: String) throws -> String {
    try #require(Bundle.module.resourceURL).appending(path: "Fixtures/\(name)").path()
  }

  /// Runs a program to its end, with its outputs in files so that no pipe fills up.
  static func run(
    _ path: String, _ arguments: [String], in folder: URL, environment: [String: String] = [:]
  ) throws -> Result {
    let process = try start(path, arguments, in: folder, environment: environment)
    process.process.waitUntilExit()
    return try process.result()
  }

  /// A process that was started, with its outputs.
  struct Started {
    let process: Process
    let outputs: [URL]

    /// Waits for its end; one that takes longer than `limit` is ended with SIGKILL, and `false`.
    func ends(within limit: Duration) -> Bool {
      let end = ContinuousClock.now + limit
      while process.isRunning {
        if ContinuousClock.now > end {
          kill(process.processIdentifier, SIGKILL)
          process.waitUntilExit()
          return false
        }
        usleep(5000)
      }
      process.waitUntilExit()
      return true
    }

    func result() throws -> Result {
      defer { for url in outputs { try? FileManager.default.removeItem(at: url) } }
      return Result(
        status: process.terminationReason == .exit
          ? process.terminationStatus : -process.terminationStatus,
        output: String(decoding: try Data(contentsOf: outputs[0]), as: UTF8.self),
        errors: String(decoding: try Data(contentsOf: outputs[1]), as: UTF8.self))
    }
  }

  static func start(
    _ path: String, _ arguments: [String], in folder: URL, environment: [String: String] = [:]
  ) throws -> Started {
    let outputs = try ["out", "err"].map { name in
      let url = FileManager.default.temporaryDirectory.appending(
        path: "tagstation-\(UUID().uuidString).\(name)")
      try Data().write(to: url)
      return url
    }
    let process = Process()
    process.executableURL = URL(filePath: path)
    process.arguments = arguments
    process.currentDirectoryURL = folder
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = try FileHandle(forWritingTo: outputs[0])
    process.standardError = try FileHandle(forWritingTo: outputs[1])
    try process.run()
    return Started(process: process, outputs: outputs)
  }

  static func python(
    _ script: String, _ arguments: [String], in folder: URL
  ) throws -> Result {
    try run("/usr/bin/env", ["python3", "-B", fixture(script)] + arguments, in: folder)
  }

  /// Compiles a preload shim of the fixtures into `folder`; the path of the library.
  static func shim(_ name: String, in folder: URL) throws -> String {
    let library = folder.appending(path: "\(name).so").path()
    let source = try fixture("\(name).c")
    let result = try run(
      "/usr/bin/env",
      ["cc", "-shared", "-fPIC", "-O2", "-Wall", "-o", library, source, "-ldl"], in: folder)
    try #require(result.status == 0, "\(result.errors)")
    return library
  }

  /// Shows a test's figure.
  static func show(_ name: String, _ figure: String) { print("\(name): \(figure)") }
}

/// A folder that is removed when its value goes away.
final class RigFolder {
  let url: URL

  init() throws {
    url = FileManager.default.temporaryDirectory.appending(path: "tagstation-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  func write(_ name: String, _ text: String) throws {
    try Data(text.utf8).write(to: url.appending(path: name))
  }
}
