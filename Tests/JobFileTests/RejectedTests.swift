import Diagnostics
import Foundation
import Testing

@testable import JobFile

/// Faulty files with the exact text that they are answered with.
///
/// A case is `rejected/<name>.yaml` and `<name>.txt`; a station file's name begins with `station-`,
/// a faults file's with `faults-`.
/// With `RECORD_REJECTED` set to the source folder of the cases, the texts are written instead of
/// compared.
@Suite struct RejectedTests {
  static var folder: String { Bundle.module.bundlePath + "/Fixtures/rejected" }

  static var names: [String] {
    let files = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return files.filter { $0.hasSuffix(".yaml") }.map { String($0.dropLast(5)) }.sorted()
  }

  /// The findings of the case as a person sees them, with paths from the case's folder.
  static func rendered(_ name: String) -> String {
    let path = "\(folder)/\(name).yaml"
    let findings = findings(in: path, named: name)
    var renderer = Renderer { file in FileManager.default.contents(atPath: file).map { Array($0) } }
    return renderer.render(findings).replacingOccurrences(of: folder + "/", with: "")
  }

  /// What is wrong with a job, station or faults file, told apart by its name.
  static func findings(in path: String, named name: String) -> Findings {
    if name.contains("station") { return StationFile.read(path).findings }
    return name.hasPrefix("faults") ? FaultsFile.read(path).findings : JobFile.read(path).findings
  }

  @Test(arguments: names) func `a faulty file is answered with its text`(name: String) throws {
    let text = Self.rendered(name)
    if let target = ProcessInfo.processInfo.environment["RECORD_REJECTED"] {
      try Data(text.utf8).write(to: URL(filePath: "\(target)/\(name).txt"))
      return
    }
    let expected = try String(contentsOfFile: "\(Self.folder)/\(name).txt", encoding: .utf8)
    #expect(text == expected)
  }

  @Test func `there are cases`() { #expect(Self.names.count >= 40) }
}
