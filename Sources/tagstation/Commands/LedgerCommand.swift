internal import Bytes
internal import Diagnostics
internal import JobFile
internal import Ledger
internal import StationRunner

/// `tagstation ledger`: what the ledger says of rows, and what a person changes in it.
struct LedgerCommand: Command {
  enum Change: String, CaseIterable, Sendable { case release, reissue, void }

  enum Action: Sendable {
    case list(series: String?, state: RowState?)
    case show(key: String, series: String?)
    case change(Change, key: String, series: String, reason: String)
    case verify
    case backup(file: String)
  }

  enum Format: String, CaseIterable, Sendable { case human, json }

  let action: Action
  let station: String?
  /// The ledger's file, where it is not the station's.
  let ledger: String?
  let format: Format

  private static let ledger = OptionSyntax.text(
    "ledger", "FILE", "the ledger's file (else the station's)")
  private static let series = OptionSyntax.text("series", "NAME", "whose rows: a job's series")
  private static let state = OptionSyntax.choice(
    "state", RowState.allCases.map(\.rawValue), "only rows in this state")
  private static let reason = OptionSyntax.text("reason", "TEXT", "why; kept in the ledger")
  private static let format = OptionSyntax.choice(
    "format", Format.allCases.map(\.rawValue), "json: one object a row")
  private static let key = PositionalSyntax("KEY", "the row's key")
  private static let whichLedger = [OptionSyntax.station, ledger]

  static let syntaxes = [
    CommandSyntax(
      "ledger", "list", summary: "list rows", options: [series, state] + whichLedger + [format]),
    CommandSyntax(
      "ledger", "show", summary: "show all about one row", positionals: [key],
      options: [series] + whichLedger + [format]),
    CommandSyntax(
      "ledger", "release",
      summary: "free a row that is in doubt or on a tag; its tag is refused from then on",
      positionals: [key], options: [series, reason] + whichLedger),
    CommandSyntax(
      "ledger", "reissue", summary: "free a row that is done; its tag is refused from then on",
      positionals: [key], options: [series, reason] + whichLedger),
    CommandSyntax(
      "ledger", "void", summary: "take a row out of use for good", positionals: [key],
      options: [series, reason] + whichLedger),
    CommandSyntax(
      "ledger", "verify", summary: "check the ledger against itself and its log",
      options: whichLedger),
    CommandSyntax(
      "ledger", "backup", summary: "copy the ledger whole, while runs go on",
      positionals: [PositionalSyntax("FILE", "the copy, which must not be there yet")],
      options: whichLedger),
  ]

  init(_ arguments: ParsedArguments) throws(UsageError) {
    station = arguments.value(.station)
    ledger = arguments.value(Self.ledger)
    format = arguments.choice(Self.format, else: .human)
    let series = arguments.value(Self.series)
    let verb = arguments.syntax.words[1]
    if let change = Change(rawValue: verb) {
      action = .change(
        change, key: arguments.positionals[0], series: try arguments.required(Self.series),
        reason: try arguments.required(Self.reason))
      return
    }
    switch verb {
    case "show": action = .show(key: arguments.positionals[0], series: series)
    case "verify": action = .verify
    case "backup": action = .backup(file: arguments.positionals[0])
    default:
      action = .list(
        series: series, state: arguments.value(Self.state).flatMap(RowState.init(rawValue:)))
    }
  }

  func run(_ console: Console) -> ExitStatus {
    do throws(Ending) {
      let ledger = try open(console)
      do throws(LedgerError) {
        return try act(on: ledger, console)
      } catch {
        return console.fail(error.exit, error.text)
      }
    } catch {
      return error.status
    }
  }

  private func open(_ console: Console) throws(Ending) -> SQLiteLedger {
    var path = ledger
    var log: String?
    var name = "-"
    if path == nil || station != nil {
      let station = try StationChoice.read(flag: self.station, console)
      path = path ?? station.ledger
      log = station.log
      name = station.name
    }
    do throws(LedgerError) {
      return try SQLiteLedger(at: path ?? "", station: name, log: log, creating: false)
    } catch {
      if case .cannotOpen(let path, let detail) = error {
        throw Ending(console.fail(.missingInput, "\(path): \(detail)"))
      }
      throw Ending(console.fail(error.exit, error.text))
    }
  }

  private func act(
    on ledger: SQLiteLedger, _ console: Console
  ) throws(LedgerError) -> ExitStatus {
    switch action {
    case .list(let series, let state):
      let rows = try ledger.rows(series: series, state: state)
      if rows.isEmpty { console.say("no rows") }
      show(rows, console)
    case .show(let key, let series):
      let rows = try ledger.rows(series: series, state: nil).filter { $0.key == key }
      if rows.isEmpty {
        return console.fail(.someFailed, "the ledger has no row `\(key)`")
      }
      for row in rows {
        let lines = format == .json ? [row.json.text] : table(row.details)
        for line in lines { console.result(line) }
      }
    case .change(let change, let key, let series, let reason):
      switch change {
      case .release: try ledger.release(series: series, key: key, reason: reason)
      case .reissue: try ledger.reissue(series: series, key: key, reason: reason)
      case .void: try ledger.void(series: series, key: key, reason: reason)
      }
      console.say(
        "row \(shown(key)) of \(shown(series)) is \(change == .void ? "void" : "free") now")
    case .verify:
      let head = try ledger.verify()
      console.result("\(head.events) events, the last one's hash is \(head.hash.hex)")
    case .backup(let file):
      let head = try ledger.backup(to: file)
      console.result("\(head.events) events, the last one's hash is \(head.hash.hex)")
    }
    return .success
  }

  private func show(_ rows: [LedgerRow], _ console: Console) {
    switch format {
    case .json: for row in rows { console.result(row.json.text) }
    case .human: for line in table(rows.map(\.columns)) { console.result(line) }
    }
  }
}

extension LedgerRow {
  /// For a list.
  fileprivate var columns: [String] {
    [shown(series), shown(key), state.rawValue, uid?.hex ?? "-", shown(place)]
  }

  /// Everything, a name and a value each.
  fileprivate var details: [[String]] {
    [
      ["series", shown(series)], ["key", shown(key)], ["state", state.rawValue],
      ["serial", serial.map(String.init) ?? "-"], ["uid", uid?.hex ?? "-"],
      ["record", shown(String(decoding: record, as: UTF8.self))], ["from", shown(place)],
      ["message", message?.hex ?? "-"], ["goes on at step", step.map { String($0 + 1) } ?? "-"],
      ["run", run ?? "-"],
    ]
  }

  fileprivate var json: JSON {
    .object([
      ("v", .integer(1)), ("series", .string(series)), ("key", .string(key)),
      ("state", .string(state.rawValue)), ("serial", serial.map { .integer(Int64($0)) } ?? .null),
      ("uid", uid.map { .string($0.hex) } ?? .null),
      ("record", .string(String(decoding: record, as: UTF8.self))), ("place", .string(place)),
      ("message", message.map { .string($0.hex) } ?? .null),
      ("step", step.map { .integer(Int64($0) + 1) } ?? .null),
      ("run", run.map { .string($0) } ?? .null),
    ])
  }
}
