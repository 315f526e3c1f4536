internal import Diagnostics
internal import YAMLTree

/// Which kind of file it is, by the keys at its top.
enum FileSubject {
  /// Those that a station file has; `station` stands in jobs too.
  static let stationKeys = [
    StationKeys.readers.name, StationKeys.declarations.name, StationKeys.station.name,
  ]
  /// Those of which a job file has one, whatever else it has.
  static let jobKeys = [
    JobKeys.job.name, JobKeys.extends.name, JobKeys.steps.name, JobKeys.batches.name,
  ]
}

extension StationFile {
  /// Whether `bytes` are a station file, not a job: it has a key of a station and none that makes it a job.
  package static func isStation(_ bytes: [UInt8]) -> Bool {
    var ignored = Findings()
    guard let entries = YAMLTree.parse(bytes, file: "", findings: &ignored)?.entries else {
      return false
    }
    let keys = entries.map(\.key)
    return keys.contains { FileSubject.stationKeys.contains($0) }
      && !keys.contains { FileSubject.jobKeys.contains($0) }
  }
}
