internal import Digests
internal import YAMLTree

/// The digest of what a resumed run must not change: `data.key`, `accept` and the writing steps.
///
/// Taken over the texts of these values, not their layout: comments, quotes and indentation don't
/// count.
enum WritesDigest {
  static func digest(of job: Fields) -> [UInt8] {
    var text: [UInt8] = []
    let data = job.node(JobKeys.data)
    append(data?["key"], to: &text)
    // Without `key` the UID names a row.
    if data?["key"] == nil, data?["match"]?.scalar?.text == DataSpec.Match.uid.rawValue {
      append(data?["match"], to: &text)
    }
    append(parts: job.node(JobKeys.accept), job.node(JobKeys.steps), to: &text)
    if case .sequence(let entries) = job.node(JobKeys.batches)?.content {
      for entry in entries {
        append(parts: entry[JobKeys.accept.name], entry[JobKeys.steps.name], to: &text)
      }
    }
    return SHA256.digest(of: text)
  }

  private static func append(parts accept: YAMLNode?, _ steps: YAMLNode?, to text: inout [UInt8]) {
    append(accept, to: &text)
    guard case .sequence(let items) = steps?.content else { return }
    for item in items where isWriting(item) { append(item, to: &text) }
  }

  private static func isWriting(_ step: YAMLNode) -> Bool {
    let name = step.scalar?.text ?? step.entries?.first?.key
    return name.map { ["write", "lock", "protect", "unprotect"].contains($0) } ?? false
  }

  /// Each value as a letter for its kind, its length, and what it has.
  private static func append(_ node: YAMLNode?, to text: inout [UInt8]) {
    func word(_ letter: String, _ bytes: some Collection<UInt8>) {
      text += Array("\(letter)\(bytes.count):".utf8)
      text += Array(bytes)
    }
    switch node?.content {
    case .scalar(let scalar): word("s", scalar.text.utf8)
    case .sequence(let items):
      text += Array("l\(items.count):".utf8)
      for item in items { append(item, to: &text) }
    case .mapping(let entries):
      text += Array("m\(entries.count):".utf8)
      for entry in entries {
        word("k", entry.key.utf8)
        append(entry.value, to: &text)
      }
    case .refused, nil: text += Array("-".utf8)
    }
  }
}
