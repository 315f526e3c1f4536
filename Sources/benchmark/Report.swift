internal import Bytes
internal import Platform
internal import VirtualReader

/// Everything that was measured, as text or as JSON.
struct Report {
  var checks: [CheckTimes] = []
  var tags: [Measurement] = []
  var peers: [Peer] = []
  /// What could not be measured, and why.
  var notes: [String] = []

  /// Tables for people.
  func text(withTraces: Bool) -> String {
    var parts: [String] = []
    if !checks.isEmpty { parts.append(checkTable) }
    parts.append(tagTable)
    if !peers.isEmpty { parts.append(peerTable) }
    if !notes.isEmpty { parts.append(notes.map { "note: \($0)\n" }.joined()) }
    if withTraces {
      for tag in tags {
        let lines = tag.trace.enumerated().map { "\(Self.pad("\($0 + 1)", 5))  \($1)\n" }
        parts.append(
          "host commands of \(tag.job)\n"
            + lines.joined())
      }
    }
    return parts.joined(separator: "\n")
  }

  private var checkTable: String {
    "New processes, warm page cache\n"
      + Self.table(
        ["what", "runs", "least ms", "median ms", "CPU ms", "peak MB", "aim", ""],
        checks.map {
          [
            $0.name, "\($0.runs)", Self.decimal($0.least), Self.decimal($0.median),
            Self.decimal($0.processor), Self.decimal($0.peak), $0.aim,
            $0.isWithinAim ? "within" : "MISSED",
          ]
        })
  }

  private var tagTable: String {
    "One tag: commands and modelled ms of the run, beside the floor\n"
      + Self.table(
        [
          "chip", "job", "baud", "alone", "commands", "floor", "bytes floor", "RF ms floor", "ms",
          "ms floor", "ms %",
        ],
        tags.map {
          [
            $0.job.chip.name, $0.job.name, "\($0.job.baud)", "\($0.job.alone)", "\($0.commands)",
            "\($0.floor.commands.count)", "\($0.floor.bytes)", Self.decimal($0.floor.radio),
            Self.decimal($0.milliseconds), Self.decimal($0.floor.milliseconds),
            Self.decimal($0.ratio),
          ]
        })
  }

  private var peerTable: String {
    "Other programs on the same virtual reader, the same messages, no lock (nfcpy at 921600 baud)\n"
      + Self.table(
        ["program", "chip", "host commands", "of them to tag", "ms"],
        peers.map {
          [
            $0.program.rawValue, $0.chip, "\($0.work.hostCommands)", "\($0.work.tagCommands)",
            Self.decimal($0.work.modelled / .milliseconds(1)),
          ]
        })
  }

  /// One object.
  var json: JSON {
    .object([
      ("v", .integer(1)),
      (
        "checks",
        .array(
          checks.map {
            .object([
              ("name", .string($0.name)), ("runs", .integer(Int64($0.runs))),
              ("leastMs", .number($0.least)), ("medianMs", .number($0.median)),
              ("processorMs", .number($0.processor)), ("peakMB", .number($0.peak)),
              ("aim", .string($0.aim)), ("withinAim", .bool($0.isWithinAim)),
            ])
          })
      ),
      (
        "tags",
        .array(
          tags.map {
            .object([
              ("chip", .string($0.job.chip.name)), ("job", .string($0.job.name)),
              ("baud", .integer(Int64($0.job.baud))), ("alone", .bool($0.job.alone)),
              ("commands", .integer(Int64($0.commands))),
              ("floorCommands", .integer(Int64($0.floor.commands.count))),
              ("floorBytes", .integer(Int64($0.floor.bytes))),
              ("floorRadioMs", .number($0.floor.radio)),
              ("modelledMs", .number($0.milliseconds)),
              ("floorMs", .number($0.floor.milliseconds)), ("percent", .number($0.ratio)),
            ])
          })
      ),
      (
        "peers",
        .array(
          peers.map {
            .object([
              ("program", .string($0.program.rawValue)), ("chip", .string($0.chip)),
              ("hostCommands", .integer(Int64($0.work.hostCommands))),
              ("tagCommands", .integer(Int64($0.work.tagCommands))),
              ("modelledMs", .number($0.work.modelled / .milliseconds(1))),
            ])
          })
      ),
      ("notes", .array(notes.map { .string($0) })),
    ])
  }

  // MARK: Layout

  /// Columns as wide as their widest cell; those after the first two are aligned right where they are numbers.
  private static func table(_ heading: [String], _ rows: [[String]]) -> String {
    let widths = heading.indices.map { column in
      ([heading] + rows).map { $0[column].count }.max() ?? 0
    }
    func line(_ cells: [String], isHeading: Bool = false) -> String {
      let padded = cells.enumerated().map { column, cell in
        let isNumber = rows.contains { $0[column].first?.isNumber ?? false }
        return isNumber ? pad(cell, widths[column]) : cell + spaces(widths[column] - cell.count)
      }
      var text = padded.joined(separator: "  ")
      while text.last == " " { text.removeLast() }
      return text + "\n"
    }
    return line(heading) + rows.map { line($0) }.joined()
  }

  private static func pad(_ text: String, _ width: Int) -> String {
    spaces(width - text.count) + text
  }

  private static func spaces(_ count: Int) -> String {
    String(repeating: " ", count: max(0, count))
  }

  /// With one decimal.
  private static func decimal(_ value: Double) -> String {
    let tenths = Int((value * 10).rounded())
    return "\(tenths / 10).\(abs(tenths % 10))"
  }
}
