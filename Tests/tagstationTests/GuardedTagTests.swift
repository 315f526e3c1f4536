import Foundation
import Testing

/// What a job guards, read by a program that shares no code with it.
struct GuardedTagTests {
  private static let station = """
    station: guard
    declarations: {formats: [TAG], usageDescription: Guard tags}
    readers:
      bench: {virtual: {tags: [NTAG213], keep: tags, timing: none}}
    """

  @Test(
    .enabled(if: getuid() == 0, "nfcpy takes ports in /dev only"), arguments: [true, false])
  func `nfcpy opens the tag with the password and PACK alone`(_ isReading: Bool) throws {
    let folder = try ScratchFolder()
    try folder.write("station.yaml", Self.station)
    try folder.write(
      "job.yaml",
      """
      job: guarded
      station: station.yaml
      stop: {whenIdleFor: 1s}
      steps:
        - write: [{uri: "https://example.com/c/1"}]
        - verify
        - protect: {password: {file: key}, pack: "BEEF", reading: \(isReading)}
      """)
    try folder.write("key", "C0FFEE42\n")
    try folder.makePrivate("key")
    let run = try folder.program.run("run", "--quiet", "job.yaml")
    #expect(run.status == 0, "\(run.errors)")
    let python = try #require(
      ProcessInfo.processInfo.environment["NFCPY_PYTHON"],
      "NFCPY_PYTHON names a Python with nfcpy: ./build.sh test sets it")
    let script = try #require(
      Bundle.module.path(forResource: "read_guarded", ofType: "py", inDirectory: "Fixtures"))
    let port = "ttyVGUARD\(ProcessInfo.processInfo.processIdentifier)\(isReading)"
    let reader = Process()
    reader.executableURL = URL(filePath: BuiltProgram.path)
    reader.arguments = [
      "virtual-reader", "--tags", "tags/bench-1.nfc", "--timing", "none", "--hold", "forever",
      "--link", "/dev/\(port)",
    ]
    reader.currentDirectoryURL = folder.url
    reader.standardOutput = FileHandle.nullDevice
    try reader.run()
    defer {
      reader.terminate()
      reader.waitUntilExit()
    }
    for _ in 0..<500 where !FileManager.default.fileExists(atPath: "/dev/\(port)") {
      usleep(10_000)
    }
    let read = try BuiltProgram.run(
      python, [script, "tty:\(port):pn532", "C0FFEE42BEEF"], in: folder.url)
    #expect(read.status == 0, "\(read.errors)")
    let uri = "https://example.com/c/1"
    #expect(
      read.lines == [
        "NXP NTAG213", "without: \(isReading ? "None" : uri)", "wrong: False", "wrong pack: False",
        "right: True", "with: \(uri)",
      ])
  }

  @Test func `the kept memory of a guarded tag is its owner's alone`() throws {
    let folder = try ScratchFolder()
    try folder.write("station.yaml", Self.station)
    let steps = ["write: [{text: a}]", "protect: {password: {file: key}}"]
    try folder.write("key", "C0FFEE42")
    try folder.makePrivate("key")
    var modes: [Int] = []
    for count in 1...2 {
      try folder.write(
        "job.yaml",
        "job: guarded-\(count)\nstation: station.yaml\naccept: {content: any}\n"
          + "stop: {whenIdleFor: 1s}\nsteps: [\(steps.prefix(count).joined(separator: ", "))]\n")
      #expect(try folder.program.run("run", "--quiet", "job.yaml").status == 0)
      let path = folder.url.appending(path: "tags/bench-1.nfc").path()
      let attributes = try FileManager.default.attributesOfItem(atPath: path)
      modes.append((attributes[.posixPermissions] as? Int ?? 0) & 0o077)
    }
    #expect(modes[0] != 0)
    #expect(modes[1] == 0)
  }
}

extension ScratchFolder {
  /// Lets nobody but the owner use a file in it.
  func makePrivate(_ name: String, mode: Int = 0o600) throws {
    try FileManager.default.setAttributes(
      [.posixPermissions: mode], ofItemAtPath: url.appending(path: name).path())
  }
}
