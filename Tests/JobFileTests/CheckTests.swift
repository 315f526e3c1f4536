import DataSource
import Diagnostics
import Foundation
import Testing

@testable import JobFile

/// Jobs held against station and data, with the exact text and exit status that they are answered
/// with.
///
/// A case is `check/<name>.yaml` and `<name>.txt`. With `RECORD_CHECKED` set to the source folder
/// of the cases, the texts are written instead of compared.
@Suite struct CheckTests {
  static let folder = Bundle.module.bundlePath + "/Fixtures/check"

  static var names: [String] {
    let files = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return files.filter { $0.hasSuffix(".yaml") && !$0.hasPrefix("station") }
      .map { String($0.dropLast(5)) }.sorted()
  }

  /// Reads and checks a job with its station and data.
  static func check(_ path: String) throws -> (job: Job, check: JobCheck, data: Findings) {
    let (job, findings) = JobFile.read(path)
    #expect(findings.all == [])
    let checked = try #require(job)
    let station = checked.station.flatMap { StationFile.read($0).station }
    var opening = Findings()
    let rows = checked.data?.source.flatMap { DataRows.open($0, findings: &opening) }
    return (checked, JobCheck.check(checked, station: station, rows: rows), opening)
  }

  @Test(arguments: names) func `a job is answered with its text`(name: String) throws {
    let (_, check, opening) = try Self.check("\(Self.folder)/\(name).yaml")
    var renderer = Renderer { file in FileManager.default.contents(atPath: file).map { Array($0) } }
    var text = renderer.render(opening) + renderer.render(check.findings)
    text += "exit \(check.exitStatus.map { String($0) } ?? "none")\n"
    text = text.replacingOccurrences(of: Self.folder + "/", with: "")
    if let target = ProcessInfo.processInfo.environment["RECORD_CHECKED"] {
      try Data(text.utf8).write(to: URL(filePath: "\(target)/\(name).txt"))
      return
    }
    let expected = try String(contentsOfFile: "\(Self.folder)/\(name).txt", encoding: .utf8)
    #expect(text == expected)
  }

  @Test func `the columns that are written name a row without a key`() throws {
    let job = try Self.check(Self.folder + "/values.yaml").job
    #expect(job.columnsWritten == ["name", "code"])
    #expect(job.keyBasis == .digest(of: ["name", "code"]))
    #expect(try Self.check(Self.folder + "/good.yaml").job.keyBasis == .columns(["code"]))
  }

  @Test func `many rows with one key are told in few lines`() throws {
    let rows = (0..<200).map { _ in "{code: a}" }.joined(separator: ", ")
    let text = "job: a\ndata: {rows: [\(rows)], key: code}\nsteps: [{write: [{text: a}]}]"
    let job = try #require(JobFile.read(Array(text.utf8), path: "job.yaml").job)
    var findings = Findings()
    let data = job.data?.source.flatMap { DataRows.open($0, findings: &findings) }
    let check = JobCheck.check(job, station: nil, rows: data)
    #expect(check.findings.all.count < 60)
    #expect(check.exitStatus == 65)
  }
}
