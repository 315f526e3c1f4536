internal import Diagnostics
internal import YAMLTree

/// Which kind of file it is, by what stands at its top.
package enum FileSubject: String, CaseIterable, Sendable {
  case job, station, faults

  /// Those that a station file has; `station` stands in jobs too.
  static let stationKeys = [
    StationKeys.readers.name, StationKeys.declarations.name, StationKeys.station.name,
  ]
  /// Those of which a job file has one, whatever else it has.
  static let jobKeys = [
    JobKeys.job.name, JobKeys.extends.name, JobKeys.steps.name, JobKeys.batches.name,
  ]
  /// What a faults file has that is no list.
  static let faultsKey = FaultKeys.seed.name

  /// The kind of file that `bytes` are.
  ///
  /// A list is a faults file. What has a key of a station and none that makes it a job is a station, and
  /// what has none of either but a seed is a faults file; everything else is taken for a job.
  package init(of bytes: [UInt8]) {
    var ignored = Findings()
    let root = YAMLTree.parse(bytes, file: "", findings: &ignored)
    if case .sequence = root?.content {
      self = .faults
      return
    }
    let keys = Set(root?.entries?.map(\.key) ?? [])
    if !keys.isDisjoint(with: Self.jobKeys) {
      self = .job
    } else if !keys.isDisjoint(with: Self.stationKeys) {
      self = .station
    } else {
      self = keys.contains(Self.faultsKey) ? .faults : .job
    }
  }
}
