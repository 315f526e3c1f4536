import DataSource
import Foundation
import Platform
import Testing

/// Python's csv module reads generated files; both must read the same.
@Suite(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/python3")))
struct CSVJudgeTests {
  struct Written {
    var bytes: [UInt8]
    var delimiter: Character
  }

  /// A file of random records, correctly quoted.
  static func file(_ generator: inout SeededGenerator) -> Written {
    let lineEnd = ["\n", "\r\n", "\r"].randomElement(using: &generator) ?? "\n"
    let columns = Int.random(in: 1...6, using: &generator)
    // A heading of one field tells no delimiter: then it is the comma.
    let delimiter: Character =
      columns == 1 ? "," : [",", ";", "\t"].randomElement(using: &generator) ?? ","
    let letters: [String] = [
      "a", "7", "é", "日", "😀", " ", ",", ";", "\t", "\"", "\n", "\r\n", "\r", "'", "=", "|",
    ]
    func value(_ generator: inout SeededGenerator) -> String {
      let text = (0..<Int.random(in: 0...6, using: &generator)).map { _ in
        letters.randomElement(using: &generator) ?? ""
      }.joined()
      let special = text.unicodeScalars.contains {
        $0 == "\"" || $0 == "\n" || $0 == "\r" || Character($0) == delimiter
      }
      // An empty record of one column would be a blank line.
      let mustQuote = special || (text.isEmpty && columns == 1)
      guard mustQuote || Bool.random(using: &generator) else { return text }
      return "\"" + text.replacing("\"", with: "\"\"") + "\""
    }
    var text = (0..<columns).map { "h\($0)" }.joined(separator: String(delimiter))
    for _ in 0..<Int.random(in: 0...12, using: &generator) {
      text += lineEnd
      if Int.random(in: 0..<8, using: &generator) == 0 { text += lineEnd }
      text += (0..<columns).map { _ in value(&generator) }.joined(separator: String(delimiter))
    }
    if Bool.random(using: &generator) { text += lineEnd }
    return Written(bytes: Array(text.utf8), delimiter: delimiter)
  }

  /// What Python reads; `nil` where it refuses.
  static func judge(_ files: [Written]) throws -> [[[String]]?] {
    let scratch = try Scratch()
    let script = try #require(
      Bundle.module.url(forResource: "judge", withExtension: "py", subdirectory: "Fixtures"))
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
    process.arguments =
      try [script.path]
      + files.enumerated().map {
        "\($0.element.delimiter)" + (try scratch.write($0.element.bytes, as: "\($0.offset).csv"))
      }
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    let output = try pipe.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return try output.split(separator: 0x0A).map {
      try JSONDecoder().decode([[String]]?.self, from: $0)
    }
  }

  @Test
  func `correct files read the same, with the delimiter found out`() throws {
    var generator = SeededGenerator(seed: 4180)
    let files = (0..<300).map { _ in Self.file(&generator) }
    let judged = try Self.judge(files)
    try #require(judged.count == files.count)
    for (file, expected) in zip(files, judged) {
      let opened = try Opened.csv(file.bytes)
      #expect(try opened.table == expected, "\(String(decoding: file.bytes, as: UTF8.self))")
    }
  }

  @Test
  func `damaged files are refused where Python refuses, else read the same`() throws {
    var generator = SeededGenerator(seed: 99)
    let files = (0..<300).map { _ in
      var file = Self.file(&generator)
      let at = Int.random(in: 0..<file.bytes.count, using: &generator)
      let sign: UInt8 = Bool.random(using: &generator) ? 0x22 : 0x0A
      if Bool.random(using: &generator) {
        file.bytes.insert(sign, at: at)
      } else if let quote = file.bytes[at...].firstIndex(of: 0x22) {
        file.bytes.remove(at: quote)
      }
      // Both read text only.
      if String(validating: file.bytes, as: UTF8.self) == nil { file.bytes = Array("a\n".utf8) }
      return file
    }
    let judged = try Self.judge(files)
    try #require(judged.count == files.count)
    for (file, expected) in zip(files, judged) {
      let opened = try Opened.csv(file.bytes, delimiter: file.delimiter.asciiValue)
      let table = try opened.table
      let shown = String(decoding: file.bytes, as: UTF8.self).debugDescription
      if expected == nil { #expect(table == nil, "\(shown)") }
      if let table { #expect(table == expected, "\(shown)") }
    }
  }
}
