import Foundation
import Testing

/// Lines and codes from outside the process: pipes, a scanner's program, a FIFO.
struct FeedTests {
  private let folder: ScratchFolder
  private var program: BuiltProgram { folder.program }

  init() throws {
    folder = try ScratchFolder()
    try folder.write(
      "station.yaml",
      """
      station: test
      declarations:
        formats: [TAG]
        usageDescription: Try feeds
        selectIdentifiers: ["D2760000850101"]
      readers:
        left: {virtual: {tags: [4 x NTAG213], keep: tags, timing: none}}
      scanners:
        gate: {device: codes.fifo}
        slow: {command: [sh, codes.sh]}
        missing: {device: no-such-device}

      """)
    try folder.write("cards.csv", "code,name\nA1,Anna\nA2,Bert\nA3,Cleo\n")
    try folder.write("codes.sh", "cat codes.txt\nexec sleep 600\n")
    try folder.write("codes.txt", "A2\n")
    try write(lines: "\"-\"")
    try folder.write(
      "scan.yaml",
      """
      job: scan
      data: {csv: cards.csv, key: code, match: scan, scanner: "-"}
      stop: {whenIdleFor: 2m}
      steps:
        - write: [{text: "${row.name}"}]

      """)
  }

  private func write(lines source: String, more: String = "") throws {
    try folder.write(
      "lines.yaml",
      """
      job: lines
      data: {lines: \(source)}
      \(more)
      steps:
        - write: [{uri: "https://example.com/${row.line | urlencode}"}]
        - verify

      """)
  }

  private func rows(_ log: String = "var/test.jsonl") throws -> [String?] {
    try BuiltProgram.text(of: folder.url.appending(path: log)).split(separator: "\n").map {
      try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any] ?? [:]
    }.filter { $0["event"] as? String == "tag" }.map { $0["row"] as? String }
  }

  /// Starts the program with a pipe on standard input.
  private func start(_ arguments: String...) throws -> (Process, FileHandle) {
    let process = Process()
    let pipe = Pipe()
    process.executableURL = URL(filePath: BuiltProgram.path)
    process.arguments = arguments
    process.currentDirectoryURL = folder.url
    process.standardInput = pipe
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    return (process, pipe.fileHandleForWriting)
  }

  private func wait(until isSo: () throws -> Bool) throws {
    for _ in 0..<1200 where (try? isSo()) != true { usleep(50_000) }
  }

  @Test func `each line of standard input goes on a tag`() throws {
    let result = try program.shell(
      "printf 'one\\r\\n\\ntwo & more\\nthree' | \"$0\" run lines.yaml")
    #expect(result.status == 0, "\(result.errors)")
    #expect(try rows() == ["one", "two & more", "three"])
    #expect(result.errors.contains("3 passed in "))
    // Once more, all are done.
    let again = try program.shell("printf 'three\\n' | \"$0\" run lines.yaml")
    #expect(again.status == 0, "\(again.errors)")
    #expect(again.errors.contains("line 1 of standard input is passed over: row three is done"))
    #expect(try rows().count == 3)
  }

  @Test(.enabled(if: getuid() == 0, "nfcpy takes ports in /dev only"))
  func `nfcpy reads the lines back`() throws {
    let result = try program.shell(
      "printf 'one\\ntwo\\nthree\\nfour\\n' | \"$0\" run lines.yaml")
    #expect(result.status == 0, "\(result.errors)")
    let python = try #require(
      ProcessInfo.processInfo.environment["NFCPY_PYTHON"],
      "NFCPY_PYTHON names a Python with nfcpy: ./build.sh test sets it")
    let script = try #require(
      Bundle.module.path(forResource: "read_deck", ofType: "py", inDirectory: "Fixtures"))
    let port = "ttyVFEED\(ProcessInfo.processInfo.processIdentifier)"
    let read = try folder.withReader("tags", link: "/dev/\(port)") { _ in
      try BuiltProgram.run(python, [script, "tty:\(port):pn532", "4"], in: folder.url)
    }
    #expect(read.status == 0, "\(read.errors)")
    let uris = read.lines.map { $0.split(separator: " ")[1] }
    #expect(
      uris == ["one", "two", "three", "four"].map { "https://example.com/\($0)" })
  }

  @Test func `the tag waits for a line, and the run for the end of the input`() throws {
    let (process, input) = try start("run", "lines.yaml", "--quiet")
    for (count, line) in ["one", "two"].enumerated() {
      try input.write(contentsOf: Data("\(line)\n".utf8))
      try wait { try rows().count == count + 1 }
    }
    #expect(process.isRunning)
    #expect(try rows() == ["one", "two"])
    try input.close()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
  }

  @Test func `a signal ends the wait for a line`() throws {
    let (process, input) = try start("run", "lines.yaml", "--quiet")
    try input.write(contentsOf: Data("one\n".utf8))
    try wait { try rows().count == 1 }
    process.terminate()
    process.waitUntilExit()
    #expect(process.terminationStatus == 143)
    #expect(try program.run("ledger", "verify", "--station", "station.yaml").status == 0)
  }

  @Test func `a code on standard input names the row of the next tag`() throws {
    let (process, input) = try start("run", "scan.yaml", "--quiet")
    for (count, code) in ["A3", "A1"].enumerated() {
      try input.write(contentsOf: Data("\(code)\n".utf8))
      try wait { try rows().count == count + 1 }
    }
    try input.close()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    #expect(try rows() == ["A3", "A1"])
  }

  @Test func `a FIFO brings codes from whoever writes to it`() throws {
    try write(lines: "gate")
    let path = folder.url.appending(path: "codes.fifo").path()
    let made = unsafe mkfifo(path, 0o600)
    #expect(made == 0)
    let (process, input) = try start("run", "lines.yaml", "--quiet", "--limit", "2")
    defer { try? input.close() }
    for (count, line) in ["one", "two"].enumerated() {
      #expect(try program.shell("echo \(line) > codes.fifo").status == 0)
      try wait { try rows().count == count + 1 }
    }
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    #expect(try rows() == ["one", "two"])
  }

  @Test func `a scanner's program is ended with the run`() throws {
    let job = try String(contentsOf: folder.url.appending(path: "scan.yaml"), encoding: .utf8)
    try folder.write("slow.yaml", job.replacing("\"-\"", with: "slow"))
    try folder.write("codes.sh", "cat codes.txt\necho $$ > pid\nexec sleep 600\n")
    let result = try program.run("run", "slow.yaml", "--limit", "1")
    #expect(result.status == 0, "\(result.errors)")
    #expect(try rows() == ["A2"])
    let number = try BuiltProgram.text(of: folder.url.appending(path: "pid"))
      .trimmingCharacters(in: .whitespacesAndNewlines)
    #expect(!number.isEmpty)
    #expect(!FileManager.default.fileExists(atPath: "/proc/\(number)"))
  }

  @Test func `a scanner that is not there ends the run with 69`() throws {
    try write(lines: "missing")
    let result = try program.run("run", "lines.yaml")
    #expect(result.status == 69)
    #expect(
      result.errors
        == "tagstation: the scanner `missing` cannot be used: open no-such-device: "
        + "No such file or directory\n")
    try write(lines: "nobody")
    let unknown = try program.run("check", "lines.yaml")
    #expect(unknown.status == 65)
    #expect(unknown.errors.contains("error: the station has no scanner `nobody` [scanner]"))
  }

  @Test func `check says what it cannot see, which is no warning`() throws {
    try write(lines: "\"-\"", more: "batch: {tags: 2, prompt: Change the tray}")
    let result = try program.run("check", "--strict", "lines.yaml")
    #expect(result.status == 0, "\(result.errors)")
    #expect(
      result.errors.contains(
        "note: the rows come from standard input while the job runs: what they hold is checked then"
      ))
    #expect(
      result.errors.contains("a prompt is answered by SIGUSR1, not by Enter [prompt]"))
    // Without a terminal it is shown and not waited for.
    let run = try program.shell("printf 'one\\ntwo\\nthree\\n' | \"$0\" run lines.yaml")
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.errors.split(separator: "\n").count { $0 == "Change the tray" } == 2)
  }

  @Test func `an encoding that was guessed is a warning, and an error with --strict`() throws {
    try Data("code,name\nA1,M".utf8 + [0xFC] + "ller\n".utf8).write(
      to: folder.url.appending(path: "cards.csv"))
    let check = try program.run("check", "scan.yaml")
    #expect(check.status == 0)
    #expect(
      check.errors.contains(
        "cards.csv:2:5: warning: the byte 0xFC is not UTF-8; the file is read as windows-1252"))
    #expect(try program.run("check", "--strict", "scan.yaml").status == 65)
  }
}
