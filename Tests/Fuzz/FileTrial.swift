import Bytes
import DataSource
import Declarations
import Diagnostics
import JobFile
import Platform
import YAMLTree

/// Files that people write, read as `tagstation check` reads them.
enum FileTrial {
  static func yaml(_ bytes: [UInt8]) {
    var findings = Findings()
    _ = YAMLTree.parse(bytes, file: "tree.yaml", findings: &findings)
    show(findings, bytes)
  }

  static func job(_ bytes: [UInt8], in folder: String) {
    let path = Files.resolve("tried.yaml", in: folder)
    var (job, findings) = JobFile.read(bytes, path: path)
    if let job {
      var station: Station?
      if let path = job.station {
        let (read, found) = StationFile.read(path)
        station = read
        for finding in found.all { findings.add(finding) }
      }
      let rows = job.data?.source.flatMap { DataRows.open($0, findings: &findings) }
      for finding in JobCheck.check(job, station: station, rows: rows).findings.all {
        findings.add(finding)
      }
    }
    show(findings, bytes)
  }

  static func station(_ bytes: [UInt8], in folder: String) {
    show(StationFile.read(bytes, path: Files.resolve("tried.yaml", in: folder)).findings, bytes)
  }

  /// Rows of a data file, which is read from a file as there is no other way.
  static func data(_ bytes: [UInt8], isCSV: Bool) {
    let path = "/tmp/tagstation-fuzz-\(Process.number)"
    guard (try? Files.replace(path, with: bytes, durable: false)) != nil else { return }
    defer { Process.remove(path) }
    var findings = Findings()
    let place = Place(file: "job.yaml", line: 1)
    let spec: DataSourceSpec =
      isCSV
      ? .csv(path: path, delimiter: nil, encoding: nil, header: nil, place: place)
      : .jsonl(path: path, place: place)
    if let rows = DataRows.open(spec, findings: &findings) {
      _ = RowKeys.make(
        for: rows, basis: .digest(of: rows.columns), place: place, findings: &findings)
      for index in 0..<min(rows.count, 100) {
        guard let row = try? rows.row(at: index) else { preconditionFailure("a row is lost") }
        for column in rows.columns { _ = row[column] }
      }
    }
    show(findings, bytes)
  }

  /// The same list as Info.plist and as entitlements.
  static func propertyList(_ bytes: [UInt8]) {
    let list = PropertyListFile(path: "Info.plist", bytes: bytes)
    var findings = Findings()
    _ = Declarations.read(infoPlist: list, entitlements: list, region: "EU", findings: &findings)
    show(findings, bytes)
  }

  /// Renders what was found; nothing in it may act on a terminal.
  private static func show(_ findings: Findings, _ bytes: [UInt8]) {
    var renderer = Renderer { _ in bytes }
    let text = renderer.render(findings)
    precondition(
      !text.unicodeScalars.contains { $0.actsOnDisplay && $0 != "\n" },
      "a finding has a character that acts on a terminal")
  }
}
