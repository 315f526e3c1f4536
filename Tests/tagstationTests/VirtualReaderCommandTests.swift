import Foundation
import Testing

/// `tagstation virtual-reader` as other programs see it.
struct VirtualReaderCommandTests {
  private let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  /// Runs `body` with the connection string of a reader that presents `tags`.
  private func withReader<Result>(
    _ arguments: String..., body: (String) throws -> Result
  ) throws -> Result {
    let process = Process()
    process.executableURL = URL(filePath: BuiltProgram.path)
    process.arguments = ["virtual-reader"] + arguments
    process.currentDirectoryURL = folder.url
    let output = Pipe()
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    defer {
      process.terminate()
      process.waitUntilExit()
      #expect(process.terminationStatus == 0)
    }
    var line = Data()
    while !line.contains(0x0A) {
      let piece = output.fileHandleForReading.availableData
      if piece.isEmpty { break }
      line += piece
    }
    let text = String(decoding: line, as: UTF8.self)
    #expect(text.hasPrefix("pn532_uart:/"))
    return try body(text.trimmingCharacters(in: .newlines))
  }

  private func libnfc(_ program: String, on connection: String) throws -> BuiltProgram.Result {
    try BuiltProgram.run(
      "/usr/bin/env",
      ["LIBNFC_DEFAULT_DEVICE=\(connection)", "LIBNFC_AUTO_SCAN=false", "sh", "-c", program],
      in: folder.url)
  }

  @Test func `nfc-list finds the tag, through a link that stays the same`() throws {
    let link = folder.url.appending(path: "reader").path()
    try withReader("--tags", "NTAG213", "--link", link) { connection in
      #expect(connection == "pn532_uart:\(link):115200")
      let list = try libnfc("nfc-list", on: connection)
      #expect(list.output.contains("1 ISO14443A passive target(s) found"), "\(list.errors)")
    }
    #expect(!FileManager.default.fileExists(atPath: link))
  }

  @Test(.enabled(if: getuid() == 0, "nfcpy takes ports in /dev only"))
  func `what nfcpy writes reads the same through inspect`() throws {
    let python = try #require(
      ProcessInfo.processInfo.environment["NFCPY_PYTHON"],
      "NFCPY_PYTHON names a Python with nfcpy: ./build.sh test sets it")
    let script = try #require(
      Bundle.module.path(forResource: "write_records", ofType: "py", inDirectory: "Fixtures"))
    let keep = folder.url.appending(path: "tags").path()
    let port = "ttyVCLI\(ProcessInfo.processInfo.processIdentifier)"
    let uid = try withReader("--tags", "NTAG215", "--keep", keep, "--link", "/dev/\(port)") { _ in
      let written = try BuiltProgram.run(python, [script, "tty:\(port):pn532"], in: folder.url)
      #expect(written.status == 0, "\(written.errors)")
      return written.lines.last ?? "?"
    }
    let tags = "\(keep)/tag-1.nfc"
    try withReader("--tags", tags) { connection in
      let seen = try BuiltProgram(folder: folder.url).run("inspect", "--reader", connection)
      #expect(seen.status == 0, "\(seen.errors)")
      #expect(seen.output.contains(uid))
      #expect(seen.output.contains("https://example.com/from/nfcpy"))
      #expect(seen.output.contains("Grüße"))
    }
  }

  @Test(
    arguments: [
      (["--tags", "NTAG999"], 64), (["--tags", "no/such.nfc"], 66),
      (["--tags", "0 x NTAG213"], 64),
    ] as [([String], Int32)])
  func `a deck that cannot be made is refused`(_ arguments: [String], _ status: Int32) throws {
    let result = try BuiltProgram(folder: folder.url).run(["virtual-reader"] + arguments)
    #expect(result.status == status)
    #expect(result.output.isEmpty)
    #expect(!result.errors.isEmpty)
  }
}
