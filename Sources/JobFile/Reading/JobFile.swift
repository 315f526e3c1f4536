internal import DataSource
package import Diagnostics
internal import Glibc
internal import Platform
internal import YAMLTree

/// Job files: YAML that becomes a checked `Job`, or findings that say why not.
package enum JobFile {
  /// The job in the file at `path`, with all that is wrong with it; no job where a finding is an
  /// error.
  ///
  /// Files that its records name are read too; data and station files are not.
  package static func read(
    _ path: String, overrides: [JobOverride] = []
  ) -> (job: Job?, findings: Findings) {
    var findings = Findings()
    guard let bytes = SourceFile.read(path, &findings) else { return (nil, findings) }
    return read(bytes, path: path, overrides: overrides)
  }

  /// The job in `bytes`, which stand at `path`, with what it extends and what is set beside it.
  package static func read(
    _ bytes: [UInt8], path: String, overrides: [JobOverride] = []
  ) -> (job: Job?, findings: Findings) {
    let (job, _, findings) = readTree(bytes, path: path, overrides: overrides)
    return (job, findings)
  }

  /// The job with the tree that it was read from.
  static func readTree(
    _ bytes: [UInt8], path: String, overrides: [JobOverride]
  ) -> (job: Job?, tree: YAMLNode?, findings: Findings) {
    var chain = JobChain()
    guard var root = chain.tree(bytes, path: path) else {
      chain.findings.sortByPlace()
      chain.findings.hide(chain.secretLines.secret)
      return (nil, nil, chain.findings)
    }
    var reading = Reading(file: path, findings: chain.findings)
    for override in overrides { root = override.applied(to: root, &reading) }
    let job = JobReader(root: root).job(hash: chain.digest(with: overrides), &reading)
    var findings = Findings()
    // What a job lacks may stand in the one that could not be read.
    for finding in reading.findings.all where chain.isWhole || finding.code != "missing-key" {
      findings.add(finding)
    }
    findings.sortByPlace()
    findings.hide(chain.secretLines.secret)
    return (findings.hasErrors ? nil : job, root, findings)
  }
}

/// The bytes of a job or station file.
enum SourceFile {
  /// Reads the file at `path`; tells why it cannot be read.
  static func read(_ path: String, _ findings: inout Findings) -> [UInt8]? {
    do throws(SystemError) {
      return try Files.read(path, limit: YAMLTree.largestFile)
    } catch {
      if error.code == EFBIG {
        findings.error(
          "too-large", "the file is larger than 1 MiB", at: Place(file: path),
          help: "keep data in a CSV or JSON Lines file and name it under `data`")
      } else {
        findings.error(
          "unreadable", "the file cannot be read: \(error.reason)", at: Place(file: path),
          help: NearFile.suggestion(for: path))
      }
      return nil
    }
  }
}
