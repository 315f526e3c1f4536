internal import Bytes
internal import Declarations
internal import Diagnostics
internal import JobFile
internal import Readers
internal import StationRunner

/// `tagstation readers`: what is there, and whether reading is available.
struct ReadersCommand: Command {
  enum Format: String, CaseIterable, Sendable { case human, json }

  let station: String?
  let format: Format

  private static let format = OptionSyntax.choice(
    "format", Format.allCases.map(\.rawValue), "json: one object with all readers")

  static let syntaxes = [
    CommandSyntax(
      "readers", summary: "list the station's readers: is reading available, who holds them",
      details: """
        exit status: 0 reading is available on one of them at least, else why it is on none:
        69 it is not there, 75 it is in use, 77 no permission
        """,
      options: [.station, format])
  ]

  init(_ arguments: ParsedArguments) throws(UsageError) {
    station = arguments.value(.station)
    format = arguments.choice(Self.format, else: .human)
  }

  func run(_ console: Console) -> ExitStatus {
    let station: Station
    do throws(Ending) {
      station = try StationChoice.read(flag: self.station, console)
    } catch {
      return error.status
    }
    let rows = station.readers.map { ReaderLine($0, of: station) }
    switch format {
    case .human:
      for line in table(rows.map(\.columns)) { console.result(line) }
      for row in rows {
        for entry in row.queue.dropFirst() {
          console.result(shown("  \(row.name): waiting: \(entry.text), until \(entry.run.until)"))
        }
        if let hint = row.hint { console.say("\(row.name): \(shown(hint))") }
      }
      console.say(shown(station.declarations.usageDescription ?? "no usageDescription"))
    case .json:
      console.result(
        JSON.object([
          ("v", .integer(1)), ("station", .string(station.name)),
          ("readers", .array(rows.map(\.json))),
        ]).text)
    }
    if rows.contains(where: { $0.status == .success }) { return .success }
    return ExitStatus.first(of: rows.map(\.status))
  }
}

/// One reader in the list.
private struct ReaderLine {
  let name: String
  let connection: String
  let isVirtual: Bool
  /// One word for programs.
  let state: String
  let words: String
  let hint: String?
  let status: ExitStatus

  /// The runs that stand in its queue, the one that has it first.
  let queue: [QueueEntry]

  init(_ reader: StationReader, of station: Station) {
    name = reader.name
    queue = Self.queue(reader, of: station)
    if case .virtual = reader.device {
      // Its port comes into being when a run opens it.
      connection = "virtual"
      isVirtual = true
      hint = nil
      if reader.radioDisabled {
        (state, words, status) = Self.describe(
          .radioDisabled(detail: "the station file says radio: disabled for \(name)"))
      } else if let holder = queue.first {
        (state, words, status) = ("held", "in use by \(holder.text)", .tryAgain)
      } else {
        (state, words, status) = Self.describe(.available(answers: nil))
      }
      return
    }
    do throws(SourceFault) {
      let found = ReaderInventory.status(of: try ReaderSource(reader, of: station))
      connection = found.connection
      isVirtual = found.isVirtual
      hint = found.hint
      if case .held = found.availability, let holder = queue.first {
        (state, words, status) = ("held", "in use by \(holder.text)", .tryAgain)
      } else {
        (state, words, status) = Self.describe(found.availability)
      }
    } catch {
      (connection, isVirtual, hint) = ("", false, nil)
      (state, words, status) = ("unusable", error.message, error.status)
    }
  }

  private static func queue(_ reader: StationReader, of station: Station) -> [QueueEntry] {
    let path: String?
    switch reader.device {
    case .virtual(let spec):
      path = try? StationVirtualReader.lockPath(spec, name: reader.name, station: station)
    case .connection(let text, _):
      path = (try? ConnectionString(text))?.devicePath
    }
    return path.flatMap { try? ReaderQueue(of: $0) }?.entries() ?? []
  }

  private static func describe(
    _ availability: ReaderStatus.Availability
  ) -> (state: String, words: String, status: ExitStatus) {
    switch availability {
    case .available(answers: false):
      ("silent", "the port is free, but no reader answers", .noReader)
    case .available: ("available", "available", .success)
    case .missing(let detail): ("missing", detail, .noReader)
    case .forbidden(let detail): ("forbidden", detail, .noPermission)
    case .held(let holders, let detail):
      (
        "held",
        holders.isEmpty
          ? detail : "in use by \(holders.map(\.description).joined(separator: ", "))",
        .tryAgain
      )
    case .radioDisabled(let detail): ("radioDisabled", detail, .noReader)
    case .unusable(let detail): ("unusable", detail, .noReader)
    }
  }

  var columns: [String] {
    [
      shown(name), isVirtual ? "virtual" : "real",
      connection == "virtual" ? "-" : shown(connection), shown(words),
    ]
  }

  var json: JSON {
    .object([
      ("name", .string(name)), ("virtual", .bool(isVirtual)),
      ("connection", connection == "virtual" ? .null : .string(connection)),
      ("state", .string(state)), ("detail", .string(words)),
      ("hint", hint.map { .string($0) } ?? .null),
      ("holder", queue.first.map(Self.json) ?? .null),
      ("waiting", .array(queue.dropFirst().map(Self.json))),
    ])
  }

  private static func json(_ entry: QueueEntry) -> JSON {
    .object([
      ("process", .integer(Int64(entry.process))), ("job", .string(entry.run.job)),
      ("station", .string(entry.run.station)), ("since", .string(entry.run.since)),
      ("until", entry.run.until.isEmpty ? .null : .string(entry.run.until)),
    ])
  }
}
