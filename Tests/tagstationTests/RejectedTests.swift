import Foundation
import Testing

/// The kept set of wrong files: each with the exact text that `check` answers it with, and the exit status.
///
/// A case is `Tests/JobFileTests/Fixtures/rejected/<name>.yaml` and `<name>.txt`; a station file's name begins
/// with `station-`, and data, property lists and good stations that cases name lie in folders beside them. Exit
/// statuses other than 65 stand in `exit-statuses.txt`. With `RECORD_REJECTED` set the texts are written instead of
/// compared.
@Suite struct RejectedTests {
  static let folder = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "JobFileTests/Fixtures/rejected")

  static var names: [String] {
    let files = (try? FileManager.default.contentsOfDirectory(atPath: folder.path())) ?? []
    return files.filter { $0.hasSuffix(".yaml") }.map { String($0.dropLast(5)) }.sorted()
  }

  /// The exit statuses that are not 65, by case.
  static let statuses: [String: Int32] = {
    let text =
      (try? String(contentsOf: folder.appending(path: "exit-statuses.txt"), encoding: .utf8))
    let pairs = (text ?? "").split(separator: "\n").map { $0.split(separator: " ") }
    return Dictionary(
      uniqueKeysWithValues: pairs.compactMap { pair in
        pair.count == 2 ? Int32(pair[1]).map { (String(pair[0]), $0) } : nil
      })
  }()

  @Test(arguments: names) func `a faulty file is answered with its text`(name: String) throws {
    let result = try BuiltProgram(folder: Self.folder).run("check", "\(name).yaml")
    let kept = Self.folder.appending(path: "\(name).txt")
    if ProcessInfo.processInfo.environment["RECORD_REJECTED"] != nil {
      try Data(result.errors.utf8).write(to: kept)
    } else {
      #expect(result.errors == (try String(contentsOf: kept, encoding: .utf8)))
    }
    #expect(result.output.isEmpty)
    #expect(result.status == Self.statuses[name] ?? 65)
  }

  @Test func `there are cases of every kind of file`() throws {
    let texts = try Self.names.map {
      try String(contentsOf: Self.folder.appending(path: "\($0).txt"), encoding: .utf8)
    }
    #expect(texts.count >= 200)
    for start in ["files/csv-", "files/jsonl-", "station-", "template-"] {
      #expect(texts.count { $0.contains("\(start)") } >= 8, "\(start)")
    }
    #expect(texts.count { $0.contains(".plist:") } >= 4)
  }

  @Test func `every case says what to do`() throws {
    let silent = try Self.names.filter { name in
      let text = try String(contentsOf: Self.folder.appending(path: "\(name).txt"), encoding: .utf8)
      return !text.contains("  help: ")
    }
    // The message alone says what to write.
    #expect(Set(silent) == Self.clearWithoutHelp, "\(silent)")
  }

  static let clearWithoutHelp: Set<String> = [
    "credential", "prompt-scan", "too-many-directives",
    "depth", "hex-short", "message-bytes", "message-file", "out-of-range", "phone",
    "polling-pace", "station-later", "station-plist-unclosed",
  ]
}

/// The kept set of good files, which look much like wrong ones: `check` finds nothing to say of them.
@Suite struct GoodFileTests {
  static let folder = RejectedTests.folder.deletingLastPathComponent().appending(path: "good")

  static var names: [String] {
    let files = (try? FileManager.default.contentsOfDirectory(atPath: folder.path())) ?? []
    return files.filter { $0.hasSuffix(".yaml") }.sorted()
  }

  @Test func `there are cases`() { #expect(Self.names.count >= 20) }

  @Test(arguments: names) func `nothing is wrong with a good file`(name: String) throws {
    let result = try BuiltProgram(folder: Self.folder).run("check", "--strict", name)
    #expect(
      result == BuiltProgram.Result(status: 0, output: "", errors: "\(name): nothing is wrong\n"))
  }
}
