internal import Templates
internal import YAMLTree

/// The keys of `batch` and of the entries of `batches`.
enum BatchKeys {
  static let tags = Key("tags", Kind.count, "How many different tags; no limit where not given")
  static let prompt = Key("prompt", Kind.template, "What a person is asked to do between batches")
  static let name = Key("name", Kind.name, "The batch's name in events")

  static let batchShape = ObjectShape(
    "`batch`", "The tags between two prompts", [tags.shape, prompt.shape])
  static let entryShape = ObjectShape(
    "the batch", "One of several batches that take turns, over the job's own keys",
    [
      name.shape, JobKeys.session.shape, tags.shape, prompt.shape, JobKeys.accept.shape,
      JobKeys.steps.shape,
    ])

  /// How many tags, and what is asked before them.
  typealias Limits = (tags: Int?, prompt: Template?)

  static let batchValue = Kind<Limits>.object(batchShape) { fields, reading in
    limits(fields, &reading)
  }

  /// An entry of `batches` as it stands; read by `BatchReader` over the job's own keys.
  static let rawEntry = Kind<YAMLNode>(.object(entryShape)) { node, _ in node }

  /// `tags` and `prompt`, which a batch and an entry of `batches` share.
  static func limits(_ fields: Fields, _ reading: inout Reading) -> Limits {
    reading.use = .prompt
    return (fields.read(tags, &reading), fields.read(prompt, &reading))
  }
}
