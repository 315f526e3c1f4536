internal import Bytes
internal import DataSource
internal import Platform
internal import Templates

/// What templates of a run may refer to.
struct RunValues: TemplateValues {
  var row: DataRow?
  var serial: String?
  var uid: [UInt8]?
  var chip: String?
  var kind: String?
  var initialSelectedAID: [UInt8]?
  var systemCode: [UInt8]?
  var position = 1
  var jobName: String
  var series: String
  var total: Int?
  var run: String
  /// Seconds since 1970.
  var now: Double
  var environment: [String: String]

  package func value(at path: [String]) -> TemplateValue {
    guard let root = path.first else { return .unknown }
    let rest = Array(path.dropFirst())
    switch (root, rest.count) {
    case ("row", 1):
      guard let row else { return .missing }
      return row[rest[0]].map { .text($0) } ?? .unknown
    case ("serial", 0): return serial.map { .text($0) } ?? .missing
    case ("now", 0): return .moment(now)
    case ("tag", 1): return tag(rest[0])
    case ("job", 1): return job(rest[0])
    case ("run", 1) where rest[0] == "id": return .text(run)
    case ("env", 1): return environment[rest[0]].map { .text($0) } ?? .missing
    default: return .unknown
    }
  }

  private func tag(_ name: String) -> TemplateValue {
    switch name {
    case "uid": uid.map { .bytes($0) } ?? .missing
    case "chip": chip.map { .text($0) } ?? .missing
    case "kind": kind.map { .text($0) } ?? .missing
    case "position": .text(String(position))
    case "initialSelectedAID": initialSelectedAID.map { .bytes($0) } ?? .missing
    case "systemCode": systemCode.map { .bytes($0) } ?? .missing
    default: .unknown
    }
  }

  private func job(_ name: String) -> TemplateValue {
    switch name {
    case "name": .text(jobName)
    case "series": .text(series)
    case "total": total.map { .text(String($0)) } ?? .missing
    default: .unknown
    }
  }
}
