import Foundation

/// The program as it was built beside the tests, run as a process of its own.
struct BuiltProgram {
  struct Result: Equatable {
    var status: Int32
    var output: String
    var errors: String

    /// What stands on standard output, a line each.
    var lines: [String] { output.split(separator: "\n").map(String.init) }
  }

  /// Where it lies: beside the running test bundle.
  static let path = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
    .deletingLastPathComponent().appending(path: "tagstation").path()

  /// The folder it is run in.
  var folder: URL

  /// Runs it to its end, with nothing on standard input.
  func run(_ arguments: String...) throws -> Result { try run(arguments) }

  /// Runs it to its end, with nothing on standard input.
  func run(_ arguments: [String]) throws -> Result {
    try Self.run(Self.path, arguments, in: folder)
  }

  /// Runs a shell's command line, in which `$0` is the program.
  func shell(_ line: String) throws -> Result {
    try Self.run("/bin/sh", ["-c", line, Self.path], in: folder)
  }

  /// What a file says; `Data(contentsOf:)` would leak its buffer where the file is empty.
  static func text(of url: URL) throws -> String {
    let bytes = try FileHandle(forReadingFrom: url).readToEnd() ?? Data()
    return String(decoding: bytes, as: UTF8.self)
  }

  /// A process with its outputs in files, so that none of its pipes fills up.
  static func run(_ path: String, _ arguments: [String], in folder: URL) throws -> Result {
    let outputs = try ["out", "err"].map { name in
      let url = FileManager.default.temporaryDirectory.appending(
        path: "tagstation-\(UUID().uuidString).\(name)")
      try Data().write(to: url)
      return url
    }
    defer { for url in outputs { try? FileManager.default.removeItem(at: url) } }
    let process = Process()
    process.executableURL = URL(filePath: path)
    process.arguments = arguments
    process.currentDirectoryURL = folder
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = try FileHandle(forWritingTo: outputs[0])
    process.standardError = try FileHandle(forWritingTo: outputs[1])
    try process.run()
    process.waitUntilExit()
    return Result(
      status: process.terminationReason == .exit
        ? process.terminationStatus : -process.terminationStatus,
      output: try text(of: outputs[0]),
      errors: try text(of: outputs[1]))
  }
}

/// A folder that is removed when its value goes away.
final class ScratchFolder {
  let url: URL

  init() throws {
    url = FileManager.default.temporaryDirectory.appending(path: "tagstation-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  /// Writes a file into it.
  func write(_ name: String, _ text: String) throws {
    try Data(text.utf8).write(to: url.appending(path: name))
  }

  /// The program, run in it.
  var program: BuiltProgram { BuiltProgram(folder: url) }
}
