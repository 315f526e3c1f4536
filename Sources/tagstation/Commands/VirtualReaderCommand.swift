internal import Bytes
internal import Diagnostics
internal import JobFile
internal import Platform
internal import StationRunner
internal import VirtualReader

/// `tagstation virtual-reader`: a simulated PN532 on a pseudo-terminal, for other programs.
struct VirtualReaderCommand: Command {
  enum Timing: String, CaseIterable, Sendable { case none, real }
  enum Hold: Equatable, Sendable {
    case done, forever
    case duration(Duration)
  }

  /// The deck, one entry a text: `[COUNT x] CHIP`, a tag file, or a folder of them.
  let tags: [String]
  /// A link to the pseudo-terminal at a path that stays the same.
  let link: String?
  let timing: Timing
  let keep: String?
  let hold: Hold
  let gap: Duration
  /// A file of faults to play.
  let faults: String?

  private static let tags = OptionSyntax.text(
    "tags", "SPEC", repeats: true,
    "NTAG215, \"9 x NTAG213\", a tag file, a folder")
  private static let link = OptionSyntax.text(
    "link", "PATH", "make a symbolic link to the pseudo-terminal")
  private static let timing = OptionSyntax.choice(
    "timing", Timing.allCases.map(\.rawValue), "real: as slow as a chip (none)")
  private static let keep = OptionSyntax.text(
    "keep", "DIR", "keep the tags as files of Flipper format 4")
  private static let hold = OptionSyntax.text(
    "hold", "done|forever|TIME", "when a tag is taken away (forever)")
  private static let gap = OptionSyntax.text("gap", "TIME", "the pause before the next tag (300ms)")

  private static let faults = OptionSyntax.text(
    "faults", "FILE", "play the faults in this file (docs/readers.md)")

  static let syntaxes = [
    CommandSyntax(
      "virtual-reader", summary: "simulate a PN532 with tags on a pseudo-terminal",
      details: """
        The first line on standard output is the reader's connection string for libnfc. It serves until
        SIGINT or SIGTERM.
        """,
      options: [tags, link, timing, keep, hold, gap, faults])
  ]

  init(_ arguments: ParsedArguments) throws(UsageError) {
    tags = arguments.values(Self.tags)
    if tags.isEmpty { throw arguments.error("--tags is required") }
    link = arguments.value(Self.link)
    if let link, link.unicodeScalars.contains(where: \.actsOnDisplay) {
      throw arguments.error("--link takes a path without control characters")
    }
    timing = arguments.choice(Self.timing, else: .none)
    keep = arguments.value(Self.keep)
    switch arguments.value(Self.hold) {
    case nil, "forever": hold = .forever
    case "done": hold = .done
    case let text?: hold = .duration(try Self.duration(text, Self.hold, arguments))
    }
    gap =
      try arguments.value(Self.gap).map { text throws(UsageError) in
        try Self.duration(text, Self.gap, arguments)
      } ?? .milliseconds(300)
    faults = arguments.value(Self.faults)
  }

  private static func duration(
    _ text: String, _ option: OptionSyntax, _ arguments: ParsedArguments
  ) throws(UsageError) -> Duration {
    let digits = text.prefix { $0.isASCII && $0.isNumber }
    let units: [String: Duration] = [
      "ms": .milliseconds(1), "s": .seconds(1), "m": .seconds(60), "h": .seconds(3600),
    ]
    guard let number = Int(digits), number < 1_000_000_000,
      let unit = units[String(text.dropFirst(digits.count))]
    else {
      throw arguments.error("--\(option.name) takes a time such as 300ms or 2s, not `\(text)`")
    }
    return unit * number
  }

  func run(_ console: Console) -> ExitStatus {
    var plan: FaultPlan?
    if let faults {
      let (read, findings) = FaultsFile.read(faults)
      if !findings.all.isEmpty { _ = console.report(findings) }
      guard let read else { return findings.exit }
      plan = read
    }
    do throws(DeckFault) {
      var deck: [DeckTag] = []
      for text in tags { deck += try DeckTag.all(of: text, chips: VirtualChips.names) }
      let maker = TagMaker(station: "virtual-reader", reader: "tag", keep: keep)
      try maker.check(deck)
      return serve(try reader(maker.entries(deck), plan), console)
    } catch {
      return console.fail(error.isMissing ? .missingInput : .usage, error.message)
    }
  }

  private func reader(
    _ entries: [VirtualReader::DeckEntry], _ plan: FaultPlan?
  ) throws(DeckFault) -> VirtualReader {
    let hold: DeckHold =
      switch self.hold {
      case .done: .done
      case .forever: .forever
      case .duration(let time): .duration(time)
      }
    do throws(SystemError) {
      if let keep { try Files.makeFolder(keep) }
      return try VirtualReader(
        configuration: VirtualReaderConfiguration(
          timing: timing == .none ? .none : .real, hold: hold, gap: gap, link: link,
          faults: plan.map { FaultScript($0).player() }),
        deck: entries)
    } catch {
      throw DeckFault("\(error)", isMissing: error.isMissing)
    }
  }

  /// Serves until a person ends it, which is how it is meant to end.
  private func serve(_ reader: VirtualReader, _ console: Console) -> ExitStatus {
    do throws(SystemError) {
      try Person.hearSignals(console, ending: nil)
    } catch {
      return console.fail(.programFault, "\(error)")
    }
    console.result(reader.connectionString)
    WallClock().sleep(.seconds(1_000_000_000), until: console.cancellation)
    reader.stop()
    if let failure = reader.deckFailure { return console.fail(.wrongFile, failure.reason) }
    let work = reader.work
    console.say(
      "\(work.hostCommands) commands, \(work.tagCommands) of them to tags or the field, "
        + "\(work.modelled / .milliseconds(1)) ms by the model")
    return .success
  }
}
