internal import Diagnostics
internal import Platform
internal import YAMLTree

/// The keys of a faults file.
enum FaultKeys {
  static let tag = Key(
    "tag", Kind.integer(1...1_000_000), "Only with this tag of the deck, counted from 1")
  static let command = Key(
    "command", Kind.integer(1...1_000_000_000),
    "At this command to the tag or the field: of that tag, else of the whole run; 1 where nothing is said"
  )
  static let page = Key("page", Kind.integer(0...255), "At the first WRITE to this page")
  static let time = Key(
    "at", Kind.duration(), "At the first command after this time on the reader's clock")
  static let action = Key(
    "do", Kind.word(FaultEntry.Word.self), required: true, example: "lift", "What happens")
  static let duration = Key(
    "for", Kind.duration(positive: true), "How long it lasts; for good where nothing is said")
  static let seed = Key(
    "seed", Kind.integer(0...Int.max), required: true, example: "4711",
    "The same number brings the same faults")

  static let entryShape = ObjectShape(
    "the fault", "Something that goes wrong once, at its moment",
    [tag.shape, command.shape, page.shape, time.shape, action.shape, duration.shape])
  static let seedShape = ObjectShape("the seed", "Faults drawn at random", [seed.shape])

  /// A list of faults, or a seed.
  static let value = Kind<FaultPlan>(
    .either([.list(.object(entryShape), atLeast: 0), .object(seedShape)])
  ) { node, reading in
    if node.entries != nil {
      guard let fields = Fields(node, as: seedShape, &reading),
        let number = fields.read(seed, &reading)
      else { return nil }
      return .seed(UInt64(number))
    }
    reading.subject = "the file"
    guard case .sequence = node.content else {
      reading.wrongType(
        node, needs: "a list of faults, or a seed", help: "for example `- {command: 3, do: noAck}`")
      return nil
    }
    return Kind.list(entry).read(node, &reading).map { .entries($0) }
  }

  private static let entry = Kind<FaultEntry>.object(entryShape) { fields, reading in
    let moment = moment(fields, &reading)
    let tag = fields.read(tag, &reading)
    let word = fields.read(action, &reading)
    let length = fields.read(duration, &reading)
    guard let word else { return nil }
    if fields.has(duration), !word.takesDuration {
      let others = FaultEntry.Word.allCases.filter(\.takesDuration).map { "`\($0.rawValue)`" }
      reading.error(
        "fault", "`for` says nothing with `\(word.rawValue)`", at: fields.place(of: duration),
        help: "it goes with " + others.joined(separator: ", "))
    }
    return moment.map {
      FaultEntry(tag: tag, moment: $0, word: word, duration: length, place: fields.place)
    }
  }

  /// `command`, `page` or `at`, one of them at most.
  private static func moment(_ fields: Fields, _ reading: inout Reading) -> FaultEntry.Moment? {
    let moments: [FaultEntry.Moment?] = [
      fields.read(command, &reading).map { .command($0) },
      fields.read(page, &reading).map { .page($0) },
      fields.read(time, &reading).map { .time($0) },
    ]
    let given = [
      (command.name, fields.node(command)), (page.name, fields.node(page)),
      (time.name, fields.node(time)),
    ].compactMap { name, node in node.map { (name: name, place: $0.place) } }
    if given.count > 1 {
      let place = fields.entries.first { $0.key == given[1].name }?.keyPlace ?? given[1].place
      reading.error(
        "fault", "`\(given[1].name)` cannot stand beside `\(given[0].name)`", at: place,
        help: "a fault happens once, at one moment")
      return nil
    }
    if given.isEmpty { return .command(1) }
    return moments.compactMap(\.self).first
  }

  /// The faults in the file that is named, with all that is wrong with it told.
  static let file = Kind<FaultPlan>(.text(.path)) { node, reading in
    guard let path = Kind<String>.path.read(node, &reading) else { return nil }
    let bytes: [UInt8]
    do throws(SystemError) {
      bytes = try Files.read(path, limit: YAMLTree.largestFile)
    } catch {
      reading.error("unreadable", "cannot read \(path): \(error.reason)", at: node.place)
      return nil
    }
    var findings = Findings()
    let root = YAMLTree.parse(bytes, file: path, findings: &findings)
    for finding in findings.all { reading.add(finding) }
    return root.flatMap { value.read($0, &reading) }
  }
}
