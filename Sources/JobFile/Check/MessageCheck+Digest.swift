internal import DataSource
internal import Digests

extension MessageCheck {
  /// A digest of all that the messages are made of: version of the program, job file with what it
  /// extends and what is set beside it, files that its records name, data, environment.
  ///
  /// `${now}` stands for one moment where no tag is there, so that time does not come into it.
  func digest(program: String) -> [UInt8] {
    var digest = SHA256()
    func take(_ bytes: [UInt8]) {
      digest.update(Array("\(bytes.count):".utf8))
      digest.update(bytes)
    }
    take(Array(program.utf8))
    take(job.hash)
    for batch in job.batches {
      for step in batch.steps {
        if case .write(let spec) = step.kind { spec.files.forEach(take) }
      }
    }
    take(rows?.digest ?? [])
    for (name, value) in environment.sorted(by: { $0.key < $1.key }) {
      take(Array(name.utf8))
      take(Array(value.utf8))
    }
    return digest.takeDigest()
  }
}

extension MessageSpec {
  /// Bytes that the job's own text does not have, or not as they are.
  fileprivate var files: [[UInt8]] {
    switch self {
    case .bytes(let bytes): [bytes]
    case .records(let records): records.flatMap(\.content.files)
    }
  }
}

extension RecordSpec.Content {
  fileprivate var files: [[UInt8]] {
    switch self {
    case .uri, .text, .application: []
    case .smartPoster(let poster): poster.icon.map { [Array($0.type.utf8), $0.bytes] } ?? []
    case .mime(_, let data), .external(_, let data), .record(_, _, let data):
      if case .bytes(let bytes) = data { [bytes] } else { [] }
    }
  }
}
