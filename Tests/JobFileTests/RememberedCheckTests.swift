import DataSource
import Diagnostics
import Foundation
import Testing

@testable import JobFile

/// When the messages of all rows need not be made again.
struct RememberedCheckTests {
  private let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)

  init() throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try write("rows.csv", "code\nA\nB\n")
    try write("photo.bin", "one")
    try write(
      "job.yaml",
      """
      job: cards
      data: {csv: rows.csv, key: code}
      steps:
        - write:
            - text: "${row.code} ${env.SITE} ${now | date %Y}"
            - mime: image/png
              file: photo.bin
      """)
  }

  private func write(_ name: String, _ text: String) throws {
    try Data(text.utf8).write(to: folder.appending(path: name))
  }

  /// What is to be remembered, and what was asked for.
  private func check(
    site: String = "north", program: String = "1", knowing: [[UInt8]] = []
  ) throws -> (made: [UInt8]?, asked: [UInt8]?, exit: Int32?) {
    let job = try #require(JobFile.read(folder.appending(path: "job.yaml").path()).job)
    var findings = Findings()
    let rows = job.data?.source.flatMap { DataRows.open($0, findings: &findings) }
    var asked: [UInt8]?
    let check = JobCheck.check(
      job, station: nil, rows: rows, environment: ["SITE": site], program: program
    ) {
      asked = $0
      return knowing.contains($0)
    }
    return (check.made, asked, check.exitStatus)
  }

  @Test func `what was made without a finding is not made again`() throws {
    let first = try check()
    let digest = try #require(first.made)
    #expect(first.asked == digest && digest.count == 32)
    let again = try check(knowing: [digest])
    #expect(again.asked == digest && again.made == nil && again.exit == nil)
  }

  @Test func `whatever goes into a message counts`() throws {
    let known = try #require(try check().made)
    #expect(try check(site: "south").asked != known)
    #expect(try check(program: "2").asked != known)
    for (name, text) in [
      ("rows.csv", "code\nA\nC\n"), ("photo.bin", "two"),
      (
        "job.yaml",
        "job: cards\ndata: {csv: rows.csv, key: code}\nsteps: [{write: [{text: \"${row.code}\"}]}]\n"
      ),
    ] {
      let before = try String(contentsOf: folder.appending(path: name), encoding: .utf8)
      try write(name, text)
      #expect(try check().asked != known, "\(name)")
      try write(name, before)
    }
    #expect(try check().asked == known)
  }

  @Test func `what cannot be made is not remembered`() throws {
    try write("rows.csv", "code\nA\n\"\"\n")
    let check = try check()
    #expect(check.made == nil)
    #expect(check.exit == 65)
  }
}
