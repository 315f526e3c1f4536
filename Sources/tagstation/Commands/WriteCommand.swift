internal import Bytes
internal import Diagnostics
internal import Digests
internal import JobFile
internal import Readers
internal import StationRunner

/// `tagstation write`: one value on one tag, without a job file.
///
/// A run of the job `write` with a series for each value, whose rows are named by their tags: the same
/// value may be put on many tags, and again on a tag that has it, for example to lock it.
struct WriteCommand: Command {
  /// A URI, or a text.
  let value: String
  let station: String?
  let readers: [String]
  let isText: Bool
  let overwrites: Bool
  let locks: Bool
  let isDryRun: Bool
  let mayQueue: Bool
  let printsEvents: Bool

  private static let reader = OptionSyntax.text("reader", "NAME", "the station's reader to use")
  private static let text = OptionSyntax.flag(
    "text", "write a text record, also where VALUE looks like a URI")
  private static let overwrite = OptionSyntax.flag(
    "overwrite", "also write a tag that holds something else")
  private static let lock = OptionSyntax.flag("lock", "make the tag read-only for ever")
  private static let dryRun = OptionSyntax.flag("dry-run", "write nothing, tell what would be")
  private static let noQueue = OptionSyntax.flag(
    "no-queue", "end with 75 at once where another run holds the reader")
  private static let format = OptionSyntax.choice(
    "format", ["human", "jsonl"], "jsonl: each event as one line of JSON")

  static let syntaxes = [
    CommandSyntax(
      "write", summary: "write one tag now: a URI or a text",
      details: """
        What begins with a scheme (https:, tel:, mailto:) is written as a URI, anything else as a
        text. The tag is verified. It waits a minute for a tag; Ctrl-C stops.
        exit status: that of `tagstation run`; 64 also for a value that is no URI or is empty
        """,
      positionals: [PositionalSyntax("VALUE", "what to write")],
      options: [.station, reader, text, overwrite, lock, dryRun, noQueue, format])
  ]

  init(_ arguments: ParsedArguments) throws(UsageError) {
    value = arguments.positionals[0]
    station = arguments.value(.station)
    readers = arguments.values(Self.reader)
    isText = arguments.has(Self.text)
    overwrites = arguments.has(Self.overwrite)
    locks = arguments.has(Self.lock)
    isDryRun = arguments.has(Self.dryRun)
    mayQueue = !arguments.has(Self.noQueue)
    printsEvents = arguments.value(Self.format) == "jsonl"
    if value.isEmpty { throw arguments.error("there is nothing to write") }
  }

  func run(_ console: Console) -> ExitStatus {
    LibNFCContext.prepare(hidingCommands: false)
    var read = JobFile.read(Array(jobText.utf8), path: Self.name)
    // Each value is a job of its own, whose text is what the person typed.
    read.job?.writesDigest = SHA256.digest(of: Array(Self.name.utf8))
    let reading = JobSetup.read(
      read, path: Self.name, station: station, readers: readers, isRun: true)
    let findings = reading.findings.withoutNotes
    // The job is made here: what is wrong with it is the value.
    if let fault = findings.all.first(where: {
      $0.severity == .error && $0.place?.file == Self.name && $0.code == "record"
    }) {
      return console.fail(.usage, fault.message, help: "write it as a text with --text")
    }
    if !findings.all.isEmpty { _ = console.report(findings) }
    if reading.status != .success { return reading.status }
    guard let setup = reading.setup else { return .programFault }
    var options = RunOptions(output: setup.station.output)
    options.isDryRun = isDryRun
    options.noQueue = !mayQueue
    return JobExecution(
      setup: setup, station: setup.station, options: options, hasInput: true, isQuiet: false,
      progress: nil, printsEvents: printsEvents
    ).run(console)
  }

  private static let name = "write"

  /// The job; YAML reads what is quoted as in JSON.
  private var jobText: String {
    let series = SHA256.digest(of: Array(value.utf8)).prefix(8).hex.lowercased()
    let quoted = JSON.string(value.replacing("${", with: "$${")).text
    return """
      job: \(Self.name)
      series: \(Self.name)-\(series)
      repeat: always
      accept: {content: \(overwrites ? "any" : "ours")}
      session: {alertMessage: Present the tag}
      stop: {afterTags: 1, whenIdleFor: 1m}
      steps:
        - write: [{\(isURI ? "uri" : "text"): \(quoted)}]
        - verify
        \(locks ? "- lock" : "")
      """
  }

  /// Whether the value begins with a URI's scheme (RFC 3986, section 3.1).
  private var isURI: Bool {
    guard !isText, let colon = value.utf8.firstIndex(of: UInt8(ascii: ":")) else { return false }
    let scheme = value.utf8[..<colon]
    let letters = UInt8(ascii: "a")...UInt8(ascii: "z")
    guard let first = scheme.first, letters.contains(first | 0x20) else { return false }
    return scheme.allSatisfy { byte in
      letters.contains(byte | 0x20) || (0x30...0x39).contains(byte)
        || [UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: ".")].contains(byte)
    }
  }
}
