internal import DataSource
internal import Diagnostics
internal import Digests
internal import Glibc
internal import Platform
internal import YAMLTree

/// Puts the tree of a job together: its own keys over those of the job that it extends.
struct JobChain {
  /// How many files one job may be made of.
  private static let longest = 16

  var findings = Findings()
  /// Whether all that is extended could be read.
  private(set) var isWhole = true
  /// Of each file, the job's own first.
  private var digests: [[UInt8]] = []
  /// Where secrets may stand in the lines of the files.
  private(set) var secretLines = SecretLines()
  /// The same files by their real paths.
  private var paths: [String] = []

  /// The tree of `bytes`, which stand at `path`, over the trees that it extends.
  mutating func tree(_ bytes: [UInt8], path: String) -> YAMLNode? {
    digests.append(SHA256.digest(of: bytes))
    secretLines.add(path, bytes)
    paths.append(Files.real(path) ?? path)
    guard let root = YAMLTree.parse(bytes, file: path, findings: &findings) else { return nil }
    let name = JobKeys.extends.name
    guard let entries = root.entries, let entry = entries.first(where: { $0.key == name }) else {
      return root
    }
    let own = YAMLNode(.mapping(entries.filter { $0.key != name }), at: root.place)
    guard let base = base(entry, of: path) else {
      isWhole = false
      return own
    }
    return own.laid(over: base)
  }

  /// The digest of all files and overrides; for a file alone that of its bytes.
  func digest(with overrides: [JobOverride]) -> [UInt8] {
    if digests.count == 1, overrides.isEmpty { return digests[0] }
    let words = overrides.flatMap { Array("\($0.path)=\($0.value)\n".utf8) }
    return SHA256.digest(of: digests.flatMap { $0 } + words)
  }

  /// The tree of the job that `entry` names.
  private mutating func base(_ entry: YAMLEntry, of file: String) -> YAMLNode? {
    var reading = Reading(file: file, findings: findings)
    reading.subject = "`\(entry.key)`"
    let path = JobKeys.extends.kind.read(entry.value, &reading)
    findings = reading.findings
    guard let path else { return nil }
    let place = entry.value.place
    if let real = Files.real(path), paths.contains(real) {
      findings.error(
        "extends", "the job extends itself by way of \(path)", at: place,
        help: "take out one of the `extends`")
      return nil
    }
    if paths.count >= Self.longest {
      findings.error("extends", "a job is made of \(Self.longest) files at most", at: place)
      return nil
    }
    do throws(SystemError) {
      let bytes = try Files.read(path, limit: YAMLTree.largestFile)
      guard let tree = tree(bytes, path: path) else { return nil }
      if tree.entries != nil { return tree }
      findings.error("wrong-type", "\(path) is no job: it needs a map of keys", at: place)
    } catch {
      let isLarge = error.code == EFBIG
      findings.error(
        isLarge ? "too-large" : "unreadable",
        isLarge ? "\(path) is larger than 1 MiB" : "cannot read \(path): \(error.reason)",
        at: place, help: NearFile.suggestion(for: path))
    }
    return nil
  }
}

extension YAMLNode {
  /// The keys of this map over those of `lower`, map by map; all else is replaced.
  ///
  /// A key without a value takes the lower one away.
  func laid(over lower: YAMLNode) -> YAMLNode {
    guard let upper = entries, let under = lower.entries else { return self }
    var own = Dictionary(upper.map { ($0.key, $0) }) { first, _ in first }
    var merged: [YAMLEntry] = []
    for var entry in under {
      if let over = own.removeValue(forKey: entry.key) {
        if over.value.isNull { continue }
        entry.keyPlace = over.keyPlace
        entry.value = over.value.laid(over: entry.value)
      }
      merged.append(entry)
    }
    return YAMLNode(.mapping(merged + upper.filter { own[$0.key] != nil }), at: place)
  }

  /// The same value with `place` for every place in it.
  func moved(to place: Place) -> YAMLNode {
    switch content {
    case .scalar, .refused: return YAMLNode(content, at: place)
    case .sequence(let items):
      return YAMLNode(.sequence(items.map { $0.moved(to: place) }), at: place)
    case .mapping(let entries):
      let moved = entries.map { entry in
        YAMLEntry(key: entry.key, keyPlace: place, value: entry.value.moved(to: place))
      }
      return YAMLNode(.mapping(moved), at: place)
    }
  }
}
