internal import Diagnostics
internal import YAMLTree

/// The keys of a job file.
enum JobKeys {
  static let job = Key(
    "job", Kind.name, required: true, example: "loyalty-cards",
    "The job's name: 1 to 64 of A–Z a–z 0–9 . _ -")
  static let series = Key(
    "series", Kind.name, "Whose rows these are; the job's name where it is not given")
  static let description = Key("description", Kind.text, "What the job is for")
  static let extends = Key(
    "extends", Kind.path, example: "base.yaml",
    "A job whose keys this one has too, unless it has its own")
  static let station = Key("station", Kind.path, example: "station.yaml", "The station file")
  static let reader = Key(
    "reader", ReaderChoice.value, "The reader, or `all`; needed where the station has several")
  static let session = Key(
    "session", SessionKeys.value, default: "{}", "The session that each batch opens")
  static let batch = Key("batch", BatchKeys.batchValue, "The tags between two prompts")
  static let batches = Key(
    "batches", Kind.list(BatchKeys.rawEntry, atLeast: 1),
    "Batches that take turns, each with keys of its own over the job's")
  static let stop = Key("stop", StopKeys.value, "When the run ends by itself")
  static let expectTags = Key(
    "expectTags", tagCount, default: "1",
    "Fewer different tags than this make the exit status 1; `any` for none")
  static let `repeat` = Key(
    "repeat", Kind.word(Repetition.self),
    "What a tag seen before means; `never` where the job writes, else `eachRun`")
  static let retries = Key(
    "retries", RetryKeys.value, default: "{}", "How often passing faults are tried again")
  static let queueFor = Key(
    "queueFor", Kind.duration(), default: "10m",
    "How long to wait for a reader that another run holds")
  static let yield = Key(
    "yield", Kind.boolean, default: "false", "Whether waiting runs are let in between batches")
  static let accept = Key("accept", AcceptKeys.value, default: "{}", "Which tags the job works on")
  static let data = Key("data", DataKeys.value, "Where the rows come from")
  static let steps = Key(
    "steps", Kind.list(StepKeys.value, atLeast: 1), example: "[read]",
    "What is done to each tag, in order")

  static let shape = ObjectShape(
    "the job", "What to do with each tag, in which sessions, with which data",
    rules: [.excludes(batches.name, [batch.name])],
    [
      job.shape, series.shape, description.shape,
      extends.shape, station.shape, reader.shape, session.shape, batch.shape, batches.shape,
      stop.shape,
      expectTags.shape, `repeat`.shape, retries.shape, queueFor.shape, yield.shape, accept.shape,
      data.shape, steps.shape, .later("onTag", "A program that is told each tag"),
      .later("onFinish", "A program that is told the end"),
    ])

  /// A number of tags, or `any`.
  private static let tagCount = Kind<Int>(
    .either([.integer(0...1_000_000_000), .words(["any"])])
  ) { node, reading in
    if node.scalar?.text == "any" { return 0 }
    if case .text = node.scalar?.value {
      reading.wrongType(node, needs: "a number or `any`", help: "`any` is none, one or many")
      return nil
    }
    return Kind.integer(0...1_000_000_000).read(node, &reading)
  }
}

extension ReaderChoice {
  /// A name, or `all`.
  static let value = Kind<ReaderChoice>(
    .either([.text(.name), .words(["all"])])
  ) { node, reading in
    if case .sequence = node.content {
      reading.error(
        "not-yet", "a list for `reader` is not possible until readers run side by side",
        at: node.place, help: "name one reader, or write `all`")
      return nil
    }
    guard let name = Kind.name.read(node, &reading) else { return nil }
    return name == "all" ? .all : .named([name])
  }
}
