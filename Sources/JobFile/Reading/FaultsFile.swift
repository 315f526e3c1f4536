package import Diagnostics
internal import YAMLTree

/// Faults files: YAML that becomes a checked `FaultPlan`, or findings that say why not.
package enum FaultsFile {
  /// The faults in the file at `path`, with all that is wrong with it; none where a finding is an error.
  package static func read(_ path: String) -> (plan: FaultPlan?, findings: Findings) {
    var findings = Findings()
    guard let bytes = SourceFile.read(path, &findings) else { return (nil, findings) }
    let root = YAMLTree.parse(bytes, file: path, findings: &findings)
    var reading = Reading(file: path, findings: findings)
    let plan = root.flatMap { FaultKeys.value.read($0, &reading) }
    findings = reading.findings
    findings.sortByPlace()
    return (findings.hasErrors ? nil : plan, findings)
  }
}
