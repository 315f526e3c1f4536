internal import Diagnostics
internal import YAMLTree

/// Reads what each batch does: the job's own keys, or entries that lie over them.
struct BatchReader {
  let job: Fields

  /// The batches; one where the job has no list of them.
  func batches(_ reading: inout Reading) -> [Batch] {
    if job.has(JobKeys.batch) && job.has(JobKeys.batches) {
      reading.error(
        "batch-and-batches", "`batches` excludes `batch`", at: job.place(of: JobKeys.batches),
        help: "put `tags` and `prompt` into the entries",
        secondary: Diagnostic.Secondary(job.place(of: JobKeys.batch), "`batch` is given here"))
    }
    guard job.has(JobKeys.batches) else {
      let limits = job.read(JobKeys.batch, &reading)
      return [
        batch(
          name: nil, session: job.node(JobKeys.session), accept: job.node(JobKeys.accept),
          steps: job.node(JobKeys.steps), limits: limits ?? (nil, nil), place: job.place, &reading)
      ]
    }
    // The job's own values are read too, so that their faults are told where every entry has its
    // own.
    _ = job.read(JobKeys.session, &reading)
    _ = job.read(JobKeys.accept, &reading)
    _ = job.read(JobKeys.steps, &reading)
    if job.has(JobKeys.batch) { _ = job.read(JobKeys.batch, &reading) }
    let entries = job.read(JobKeys.batches, &reading) ?? []
    return entries.compactMap { entry(_: $0, &reading) }
  }

  private func entry(_ node: YAMLNode, _ reading: inout Reading) -> Batch? {
    let before = reading.subject
    defer { reading.subject = before }
    reading.subject = "an entry of `batches`"
    guard let fields = Fields(node, as: BatchKeys.entryShape, &reading) else { return nil }
    return batch(
      name: fields.read(BatchKeys.name, &reading),
      session: Self.overlay(fields.node(JobKeys.session), on: job.node(JobKeys.session)),
      accept: Self.overlay(fields.node(JobKeys.accept), on: job.node(JobKeys.accept)),
      steps: fields.node(JobKeys.steps) ?? job.node(JobKeys.steps),
      limits: BatchKeys.limits(fields, &reading), place: fields.place, &reading)
  }

  private func batch(
    name: String?, session: YAMLNode?, accept: YAMLNode?, steps: YAMLNode?,
    limits: BatchKeys.Limits, place: Place, _ reading: inout Reading
  ) -> Batch {
    func read<Value>(_ node: YAMLNode?, _ key: Key<Value>) -> Value? {
      reading.subject = "`\(key.name)`"
      return node.flatMap { key.kind.read($0, &reading) }
    }
    let opened =
      read(session ?? YAMLNode(.mapping([]), at: place), JobKeys.session)
      ?? SessionSpec(place: place)
    let accepted = read(accept, JobKeys.accept) ?? AcceptKeys.Draft()
    if steps == nil && !reading.meant.contains(JobKeys.steps.name) {
      reading.error(
        "missing-key",
        job.has(JobKeys.batches)
          ? "the batch needs `steps`, its own or the job's" : "the job needs the key `steps`",
        at: place, help: JobKeys.steps.doc)
    }
    let done = read(steps, JobKeys.steps) ?? []
    return Batch(
      name: name, session: opened, tags: limits.tags, prompt: limits.prompt,
      accept: accepted.accept(writes: done.contains { $0.writes }), steps: done, place: place)
  }

  /// The keys of `upper`, and those of `lower` that it does not have.
  static func overlay(_ upper: YAMLNode?, on lower: YAMLNode?) -> YAMLNode? {
    guard let upper else { return lower }
    guard let over = upper.entries, let under = lower?.entries else { return upper }
    let rest = under.filter { entry in !over.contains { $0.key == entry.key } }
    return YAMLNode(.mapping(over + rest), at: upper.place)
  }
}
