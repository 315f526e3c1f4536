internal import Bytes
internal import Diagnostics
internal import Glibc
internal import JobFile
internal import Platform
internal import StationRunner

/// `tagstation init`: a station with a virtual reader and a first job, which run as they are.
struct InitCommand: Command {
  /// The folder to write into.
  let folder: String

  private static let schema = "tagstation.schema.json"
  private static let station = "station.yaml"
  private static let job = "first-job.yaml"

  static let syntaxes = [
    CommandSyntax(
      "init", summary: "write a station file and a first job that run as they are",
      details: """
        Writes station.yaml, first-job.yaml and tagstation.schema.json, by which editors
        complete and check both. No file is written over.
        exit status: 0 written, 73 a file is there already or cannot be written
        """,
      positionals: [PositionalSyntax("DIR", count: .optional, "the folder; else this one")])
  ]

  init(_ arguments: ParsedArguments) throws(UsageError) {
    folder = arguments.positionals.first ?? ""
  }

  func run(_ console: Console) -> ExitStatus {
    let files = [
      (Self.schema, JSONSchema.document().lines + "\n"), (Self.station, Self.stationText),
      (Self.job, Self.jobText),
    ].map { (path: Files.resolve($0.0, in: folder), text: $0.1) }
    for file in files where Files.exists(file.path) {
      return console.fail(
        .cannotCreate, "\(file.path) is there already; nothing was written",
        help: "name another folder: tagstation init DIR")
    }
    do throws(SystemError) {
      try Files.makeFolder(folder, mode: 0o755)
      for file in files {
        let created = try Descriptor(
          opening: file.path, flags: O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode: 0o644)
        try created.write(Array(file.text.utf8))
      }
    } catch {
      return console.fail(.cannotCreate, "\(error)")
    }
    for file in files { console.say("wrote \(shown(file.path))") }
    let job = shown(Files.resolve(Self.job, in: folder))
    let station = shown(Files.resolve(Self.station, in: folder))
    console.say(
      """

      What next:
        tagstation check \(job)
          tells what is wrong with the job
        tagstation run \(job)
          writes its five tags, in a simulated reader
        tagstation readers --station \(station)
          shows the station's readers and whether they are there
      """)
    return .success
  }

  private static let modeline = "# yaml-language-server: $schema=\(schema)\n"

  private static let stationText =
    modeline + """
      # This machine: its readers, and what sessions here may touch.
      station: first
      declarations:
        formats: [TAG]
        usageDescription: Try out TagStation
        selectIdentifiers: ["D2760000850101"]
      readers:
        # A simulated reader before which five blank tags are put, one after another. For a real one
        # write its connection instead, for example
        #   desk: pn532_uart:/dev/ttyUSB0
        desk:
          virtual: {tags: [5 x NTAG213], keep: var/tags}

      """

  private static let jobText =
    modeline + """
      # Five tags, each with a URL of its own, read back as a phone would.
      job: first-job
      description: Write numbered URLs
      station: station.yaml
      data: {serial: {from: 1, count: 5, format: "%04d"}}
      session:
        alertMessage: "Tag ${tag.position}"
      stop: {whenIdleFor: 30s}
      steps:
        - write:
            - uri: "https://example.com/t/${serial}"
        - verify

      """
}
