import Foundation
import Testing

/// What the provisioning job leaves behind, read by programs that share no code with it.
struct KeptTagTests {
  private let folder: ScratchFolder
  /// Code by UID, from the log.
  private let rows: [String: String]

  /// Runs the ready-made job on copies of its files.
  init() throws {
    folder = try ScratchFolder()
    for name in ["jobs", "examples"] {
      try FileManager.default.copyItem(
        atPath: ExampleFiles.path(name), toPath: folder.url.appending(path: name).path())
    }
    try? FileManager.default.removeItem(at: folder.url.appending(path: "examples/var"))
    let run = try folder.program.run("run", "--quiet", "jobs/provision-urls.yaml")
    #expect(run.status == 0, "\(run.errors)")
    let log = try String(
      contentsOf: folder.url.appending(path: "examples/var/virtual.jsonl"), encoding: .utf8)
    var rows: [String: String] = [:]
    for line in log.split(separator: "\n") {
      let event = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
      guard event?["event"] as? String == "tag", event?["outcome"] as? String == "passed",
        let uid = event?["uid"] as? String, let row = event?["row"] as? String
      else { continue }
      rows[uid] = row
    }
    self.rows = rows
  }

  @Test(.enabled(if: getuid() == 0, "nfcpy takes ports in /dev only"))
  func `nfcpy reads the URL of each of the 100 rows, and that the tags are locked`() throws {
    #expect(rows.count == 100)
    let python = try #require(
      ProcessInfo.processInfo.environment["NFCPY_PYTHON"],
      "NFCPY_PYTHON names a Python with nfcpy: ./build.sh test sets it")
    let script = try #require(
      Bundle.module.path(forResource: "read_deck", ofType: "py", inDirectory: "Fixtures"))
    let port = "ttyVKEPT\(ProcessInfo.processInfo.processIdentifier)"
    let read = try folder.withReader("examples/var/encoder", link: "/dev/\(port)") { _ in
      try BuiltProgram.run(python, [script, "tty:\(port):pn532", "100"], in: folder.url)
    }
    #expect(read.status == 0, "\(read.errors)")
    let expected = rows.map { "\($0.key) https://example.com/c/\($0.value) read-only" }
    #expect(read.lines.sorted() == expected.sorted())
  }

  @Test func `nfc-mfultralight dumps the pages that were kept`() throws {
    for position in [1, 57, 100] {
      let file = "examples/var/encoder/encoder-\(position).nfc"
      let link = folder.url.appending(path: "port").path()
      let dump = try folder.withReader(file, link: link) { connection in
        let command = "nfc-mfultralight r dump.mfd"
        return try BuiltProgram.run(
          "/usr/bin/env",
          ["LIBNFC_DEVICE=\(connection)", "LIBNFC_AUTO_SCAN=false", "sh", "-c", command],
          in: folder.url)
      }
      #expect(dump.status == 0, "\(dump.errors)")
      let text = try String(contentsOf: folder.url.appending(path: file), encoding: .utf8)
      let pages = text.split(separator: "\n").filter { $0.hasPrefix("Page ") }
        .flatMap { $0.split(separator: ":")[1].split(separator: " ") }
        .compactMap { UInt8($0, radix: 16) }
      let dumped = [UInt8](try Data(contentsOf: folder.url.appending(path: "dump.mfd")))
      // 135 pages, of which the last two hold password and PACK, which read as zero.
      #expect(dumped.count == 540)
      #expect(Array(dumped.prefix(133 * 4)) == Array(pages.prefix(133 * 4)))
    }
  }
}

extension ScratchFolder {
  /// Puts kept tags on a reader that other programs can open.
  func withReader<Result>(
    _ tags: String, link: String, body: (String) throws -> Result
  ) throws -> Result {
    let process = Process()
    process.executableURL = URL(filePath: BuiltProgram.path)
    process.arguments = [
      "virtual-reader", "--tags", tags, "--timing", "none", "--hold", "done", "--gap", "1ms",
      "--link", link,
    ]
    process.currentDirectoryURL = url
    process.standardOutput = FileHandle.nullDevice
    try process.run()
    defer {
      process.terminate()
      process.waitUntilExit()
    }
    for _ in 0..<500 where !FileManager.default.fileExists(atPath: link) { usleep(10_000) }
    return try body("pn532_uart:\(link):115200")
  }
}
