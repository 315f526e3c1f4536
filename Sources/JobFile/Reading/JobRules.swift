internal import DataSource
internal import Diagnostics
internal import Templates
internal import YAMLTree

/// The rules that hold between the keys of a job.
struct JobRules {
  let fields: Fields

  /// Tells every broken rule; returns what the job's templates refer to.
  func check(_ job: Job, _ reading: inout Reading) -> [Reference] {
    for batch in job.batches {
      checkOrder(of: batch, &reading)
      checkSession(of: batch, &reading)
    }
    checkRepetition(job, &reading)
    checkData(job, &reading)
    return references(job, &reading)
  }

  /// `lock` comes last, `verify` after what it verifies, and one message is written.
  private func checkOrder(of batch: Batch, _ reading: inout Reading) {
    checkPasswords(of: batch, &reading)
    var written: Place?
    for (index, step) in batch.steps.enumerated() {
      switch step.kind {
      case .write:
        if let written {
          reading.error(
            "second-write", "a tag gets one message", at: step.place,
            help: "put all records into one `write`",
            secondary: Diagnostic.Secondary(written, "the first `write`"))
        }
        written = written ?? step.place
      case .lock where index < batch.steps.count - 1:
        let next = batch.steps[index + 1].place
        reading.error(
          "lock-last", "`lock` must be the last step", at: step.place,
          help: "put it behind the others: nothing can be changed after it",
          secondary: Diagnostic.Secondary(next, "this step would follow it"))
      case .verify where written == nil:
        reading.error(
          "verify", "`verify` compares with what a `write` before it wrote, and there is none",
          at: step.place, help: "use `expect` to hold a tag against something else")
      default: break
      }
    }
  }

  /// A password comes off before anything is written, and on after it.
  private func checkPasswords(of batch: Batch, _ reading: inout Reading) {
    var seen: [String: Place] = [:]
    for (index, step) in batch.steps.enumerated() where step.secret != nil {
      if let first = seen.updateValue(step.place, forKey: step.name) {
        reading.error(
          "second-password", "a tag gets one `\(step.name)`", at: step.place,
          secondary: Diagnostic.Secondary(first, "the first one"))
      }
      let before = batch.steps[..<index]
      let after = batch.steps[(index + 1)...]
      switch step.kind {
      case .unprotect:
        if let early = before.first(where: { $0.writes || $0.name == "verify" }) {
          reading.error(
            "step-order", "`unprotect` must stand before `\(early.name)`", at: step.place,
            secondary: Diagnostic.Secondary(early.place, "this step would need the password"))
        }
      case .protect(let protection):
        if let late = after.first(where: { $0.name == "write" }) {
          reading.error(
            "step-order", "`protect` must follow `write`", at: step.place,
            secondary: Diagnostic.Secondary(late.place, "this step would need the password"))
        } else if protection.reading, let late = after.first(where: { $0.name == "verify" }) {
          reading.error(
            "step-order", "`verify` reads as a phone does, which cannot after `reading: true`",
            at: late.place, help: "put `verify` before `protect`",
            secondary: Diagnostic.Secondary(step.place, "from here on"))
        }
      default: break
      }
    }
  }

  private func checkSession(of batch: Batch, _ reading: inout Reading) {
    let session = batch.session
    if session.kind == .ndef, session.invalidateAfterFirstRead, let step = batch.firstWriting {
      reading.error(
        "session-kind",
        "a reading `ndef` session ends with its first tag before anything is written",
        at: step.place, help: "leave `invalidateAfterFirstRead` out",
        secondary: Diagnostic.Secondary(session.place, "of this session"))
    }
    guard session.kind == .payment else { return }
    for step in batch.steps {
      switch step.kind {
      case .read, .expect: continue
      case .write, .verify, .lock, .protect, .unprotect:
        reading.error(
          "session-kind", "a `payment` session takes `read` and `expect` only, not `\(step.name)`",
          at: step.place)
      }
    }
  }

  /// Lines are for jobs that write, and UIDs for tags that keep theirs.
  private func checkData(_ job: Job, _ reading: inout Reading) {
    guard let data = job.data else { return }
    if !job.writes, case .lines(_, let place) = data.source, !job.batches.isEmpty {
      reading.error(
        "data", "`lines` are rows to write, and no step of the job writes", at: place,
        help: "a job that only reads looks rows up, for example with `match: scan`")
    }
    guard data.match == .uid else { return }
    for batch in job.batches where batch.accept.uid == .random {
      reading.error(
        "data", "`match: uid` cannot stand beside `accept: {uid: random}`", at: data.place,
        help: "a random UID is another one every time",
        secondary: Diagnostic.Secondary(batch.place, "for these tags"))
    }
  }

  /// Rows taken in order go on one tag each, so their tags cannot be done again.
  private func checkRepetition(_ job: Job, _ reading: inout Reading) {
    guard job.writes, job.repetition != .never, let data = job.data, data.match != .uid else {
      return
    }
    reading.error(
      "repeat",
      "`repeat: \(job.repetition.rawValue)` cannot stand beside rows "
        + (data.match == .scan ? "named by a scan" : "taken in order"),
      at: fields.place(of: JobKeys.repeat),
      help: "a row is on at most one tag: leave `repeat` out",
      secondary: Diagnostic.Secondary(data.place, "the rows"))
  }

  private func references(_ job: Job, _ reading: inout Reading) -> [Reference] {
    var references: [Reference] = []
    var seen: Set<Reference> = []
    for (template, node, use) in reading.templates {
      for (path, offset) in zip(template.references, template.referenceOffsets) {
        let length = Template.name(of: path).unicodeScalars.count
        let reference = Reference(
          path: path, place: node.place(atOffset: offset, length: length),
          isWritten: use == .step(writes: true))
        guard seen.insert(reference).inserted else { continue }
        references.append(reference)
        check(reference, in: use, of: job, &reading)
      }
    }
    return references
  }

  /// Whether there is a value by then.
  private func check(
    _ reference: Reference, in use: Reading.TemplateUse, of job: Job, _ reading: inout Reading
  ) {
    let name = Template.name(of: reference.path)
    let dataIsRefused = job.data == nil && fields.has(JobKeys.data)
    switch reference.path.first {
    case "row" where job.data?.source == nil && !dataIsRefused:
      reading.error(
        "no-data", "`\(name)` has no row: the job has no `data` with columns", at: reference.place,
        help: "for example `data: {csv: cards.csv, key: code}`")
    case "serial" where job.data?.serial == nil && !dataIsRefused:
      reading.error(
        "no-data", "`serial` has no value: the job has no `data` with `serial`",
        at: reference.place,
        help: "for example `data: {serial: {from: 1, format: \"%06d\"}}`")
    case "job" where job.takesLines && reference.path == ["job", "total"]:
      reading.error(
        "no-data", "`job.total` has no value: nobody knows how many lines will come",
        at: reference.place)
    case "row" where use == .message && job.data?.match == .scan: break
    case "row" where use.isBeforeTag && job.data?.strict == false,
      "serial" where use.isBeforeTag && job.data?.strict == false:
      reading.error(
        "too-early", "`\(name)` is not known before a tag is there", at: reference.place,
        help: job.data?.match == .scan
          ? "the scanned row is known in `alertMessage`"
          : "with `order: strict` the next row is known")
    case "tag" where use.isBeforeTag && reference.path != ["tag", "position"]:
      reading.error(
        "too-early", "`\(name)` is not known before a tag is there", at: reference.place,
        help: "`tag.position` is")
    default: break
    }
  }
}

extension Reading.TemplateUse {
  /// Whether it is filled before a tag is there.
  fileprivate var isBeforeTag: Bool { self == .message || self == .prompt }
}

extension Batch {
  /// Its first step that changes the tag.
  package var firstWriting: Step? { steps.first { $0.writes } }
}
