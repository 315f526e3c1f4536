internal import Declarations
package import Diagnostics
internal import Platform
internal import YAMLTree

/// Station files: YAML that becomes a checked `Station`, or findings that say why not.
package enum StationFile {
  /// The station in the file at `path`, with all that is wrong with it; none where a finding is an
  /// error.
  package static func read(_ path: String) -> (station: Station?, findings: Findings) {
    var findings = Findings()
    guard let bytes = SourceFile.read(path, &findings) else { return (nil, findings) }
    return read(bytes, path: path)
  }

  /// The station in `bytes`, which stand at `path`.
  package static func read(_ bytes: [UInt8], path: String) -> (
    station: Station?, findings: Findings
  ) {
    var findings = Findings()
    guard let root = YAMLTree.parse(bytes, file: path, findings: &findings) else {
      findings.sortByPlace()
      return (nil, findings)
    }
    var reading = Reading(file: path, findings: findings)
    let station = station(root, &reading)
    findings = reading.findings
    findings.sortByPlace()
    return (findings.hasErrors ? nil : station, findings)
  }

  private static func station(_ root: YAMLNode, _ reading: inout Reading) -> Station? {
    guard let fields = Fields(root, as: StationKeys.shape, &reading) else { return nil }
    let name = fields.read(StationKeys.station, &reading)
    let declared = fields.read(StationKeys.declarations, &reading)
    let readers = fields.read(StationKeys.readers, &reading)
    let scanners = fields.read(StationKeys.scanners, &reading)
    var declarations =
      declared ?? Declarations(formats: [], usageDescription: nil, place: fields.place)
    declarations.place = fields.place(of: StationKeys.declarations)
    let isRefused = declared == nil && fields.has(StationKeys.declarations)
    // What property lists lack is told at their own places.
    let isMisspelt = reading.meant.contains(DeclarationKeys.usageDescription.name)
    if !declarations.hasUsageDescription && !isRefused && !isMisspelt
      && declarations.origin == .stationFile
    {
      reading.warning(
        "no-usage-description", "the station does not say what its tags are read for",
        at: declarations.place, help: declarations.remedy(for: .usageDescription))
    }
    let path = home(of: reading.file)
    let base = defaultBase(name ?? "station", at: path)
    let ledger = fields.read(StationKeys.ledger, &reading).map(absolute) ?? base + ".sqlite"
    let log = fields.read(StationKeys.log, &reading).map(absolute) ?? base + ".jsonl"
    let output = fields.read(StationKeys.output, &reading).map(absolute)
    return Station(
      name: name ?? "", path: path, declarations: declarations, readers: readers ?? [],
      scanners: scanners ?? [],
      output: output ?? Files.folder(of: ledger), ledger: ledger, log: log)
  }

  /// The absolute path of a file, with its folder's links followed.
  private static func home(of path: String) -> String {
    let folder = Files.folder(of: path)
    guard let real = Files.real(folder.isEmpty ? "." : folder) else { return absolute(path) }
    return Files.resolve(Files.name(of: path), in: real)
  }

  /// Where ledger and log lie unless the file says otherwise, without their endings.
  ///
  /// Depends on the station file alone, never on the user or the environment: all runs share one
  /// ledger.
  static func defaultBase(_ name: String, at path: String) -> String {
    if path.hasPrefix("/etc/") || path.hasPrefix("/usr/") { return "/var/lib/tagstation/\(name)" }
    return Files.resolve("var/\(name)", in: Files.folder(of: path))
  }
}
