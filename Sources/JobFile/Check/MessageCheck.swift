internal import DataSource
internal import Diagnostics
internal import NDEF
internal import TagFormats
internal import Templates

/// Renders every row before a tag is touched: values that cannot be written, and messages too long.
struct MessageCheck {
  let job: Job
  let rows: DataRows?
  let environment: [String: String]

  /// How many rows that cannot be written are told one by one.
  private static let mostTold = 20

  func check(_ check: inout JobCheck) {
    for batch in job.batches {
      for step in batch.steps {
        if case .write(let spec) = step.kind { self.check(spec, in: batch, at: step.place, &check) }
      }
    }
  }

  /// The longest message of a step, with the row that gives it.
  private struct Longest {
    var bytes = -1
    var row: Place?
  }

  private func check(
    _ spec: MessageSpec, in batch: Batch, at place: Place, _ check: inout JobCheck
  ) {
    // A column that the data does not have was told where the template stands.
    if let rows, job.references.contains(where: { $0.isWritten && $0.isColumn(missingIn: rows) }) {
      return
    }
    var longest = Longest()
    var told = 0
    let total = rows?.count ?? 0
    let values = SampleValues(job: job, environment: environment, total: total)
    let uses = Set(job.references.filter(\.isWritten).compactMap(\.path.first))
    // A message without row and serial is the same for every tag but for values of fixed length.
    // Rows beyond the last serial number are told by their count.
    let numbers = uses.contains("serial") ? job.data?.serial?.count ?? total : total
    let samples = min(uses.contains("row") ? total : min(total, 1), numbers)
    guard rows != nil, samples > 0 else {
      if uses.contains("row") { return }
      render(spec, values, row: nil, &longest, &told, &check)
      if uses.contains("serial"), told == 0 {
        render(spec, values.withLastSerial(), row: nil, &longest, &told, &check)
      }
      tellRoom(longest, batch, at: place, &check)
      return
    }
    for index in 0..<samples {
      do throws(DataError) {
        guard let row = try rows?.row(at: index) else { continue }
        let filled = values.with(row, index: index)
        render(spec, filled, row: row.place, &longest, &told, &check)
      } catch {
        check.error("data", error.message, at: error.place ?? place)
      }
    }
    if told > Self.mostTold {
      check.error("data", "\(told - Self.mostTold) more rows cannot be written", at: place)
    }
    tellRoom(longest, batch, at: place, &check)
  }

  private func render(
    _ spec: MessageSpec, _ values: SampleValues, row: Place?, _ longest: inout Longest,
    _ told: inout Int, _ check: inout JobCheck
  ) {
    guard case .records(let records) = spec else {
      if case .bytes(let bytes) = spec, bytes.count > longest.bytes { longest.bytes = bytes.count }
      return
    }
    var made: [NDEFRecord] = []
    for record in records {
      do throws(TemplateError) {
        made.append(try record.record(values: values))
      } catch {
        told += 1
        if told > Self.mostTold { return }
        check.error(
          "record", error.message, at: record.place, help: error.help,
          secondary: row.map { Diagnostic.Secondary($0, "with this row") })
        return
      }
    }
    let count = NDEFMessage(made).bytes.count
    if count > longest.bytes { longest = Longest(bytes: count, row: row) }
  }

  /// Holds the longest message against the chips that the batch accepts.
  private func tellRoom(
    _ longest: Longest, _ batch: Batch, at place: Place, _ check: inout JobCheck
  ) {
    guard let chips = batch.accept.chips else {
      tellRoomOfAll(longest, at: place, &check)
      return
    }
    let small = chips.filter { $0.factoryCapacity.map { $0 < longest.bytes } ?? false }
    if small.isEmpty { return }
    let second = longest.row.map { Diagnostic.Secondary($0, "with this row") }
    let names = small.map { "\($0.rawValue) (\($0.factoryCapacity ?? 0))" }.joined(separator: ", ")
    let message = "the message has \(longest.bytes) bytes, which is too long for \(names)"
    if small.count == chips.count {
      check.error(
        "too-long", message, at: place, help: "shorten it, or accept larger chips",
        secondary: second)
    } else {
      check.warning(
        "too-long", message, at: place,
        help: "leave the chip out of `accept`, or shorten the message",
        secondary: second)
    }
  }

  /// Where a job names no chips: which of those whose room is known the longest message fits on.
  private func tellRoomOfAll(_ longest: Longest, at place: Place, _ check: inout JobCheck) {
    let known = Chip.allCases.compactMap { chip in chip.factoryCapacity.map { (chip, $0) } }
    let fits = known.filter { $0.1 >= longest.bytes }
    if fits.count == known.count { return }
    func names(_ chips: [(Chip, Int)]) -> String {
      chips.map { "\($0.0.rawValue) (\($0.1))" }.joined(separator: ", ")
    }
    let message = "the longest message has \(longest.bytes) bytes"
    let second = longest.row.map { Diagnostic.Secondary($0, "with this row") }
    if longest.bytes > Self.mostOfAnyTag {
      check.error(
        "too-long", message + ", which no tag holds", at: place,
        help: "put a link on the tag instead",
        secondary: second)
    } else if fits.isEmpty {
      check.warning(
        "too-long", message + ", too long for \(names(known))", at: place,
        help: "name the chips that are used: `accept: {chips: [DESFireEV2]}`", secondary: second)
    } else {
      let small = known.filter { $0.1 < longest.bytes }
      check.note(
        "room", message + "; it fits \(names(fits)), not \(names(small))", at: place,
        help: "`accept: {chips: […]}` refuses the others before they are touched")
    }
  }

  /// The two bytes of a length in an NDEF file (Type 4 Tag) say no more; the other types hold less.
  private static let mostOfAnyTag = 0xFFFE
}

extension Reference {
  /// Whether it is a column that `rows` do not have.
  fileprivate func isColumn(missingIn rows: DataRows) -> Bool {
    path.count > 1 && path[0] == "row" && !rows.hasColumn(path[1])
  }
}

/// Values for rendering rows without a tag: those of the row, and stand-ins of the usual length.
struct SampleValues: TemplateValues {
  private let job: Job
  private let environment: [String: String]
  private let total: Int
  private var row: DataRow?
  private var serial: String?

  init(job: Job, environment: [String: String], total: Int) {
    self.job = job
    self.environment = environment
    self.total = total
    serial = job.data?.serial.flatMap { spec in spec.number(at: 0).map { spec.text(of: $0) } }
  }

  /// The same for one row.
  func with(_ row: DataRow, index: Int) -> SampleValues {
    var values = self
    values.row = row
    if let spec = job.data?.serial {
      values.serial = spec.number(at: index).map { spec.text(of: $0) }
    }
    return values
  }

  /// The same with the last serial number, which is the longest; where there is no end, one of six
  /// digits.
  func withLastSerial() -> SampleValues {
    var values = self
    if let spec = job.data?.serial {
      let last = spec.count.map { $0 - 1 } ?? 999_999
      values.serial = spec.number(at: last).map { spec.text(of: $0) }
    }
    return values
  }

  func value(at path: [String]) -> TemplateValue {
    switch (path.first, path.dropFirst().first) {
    case ("row", let column?): row?[column].map { .text($0) } ?? .missing
    case ("serial", nil): serial.map { .text($0) } ?? .missing
    case ("tag", "uid"): .bytes([0x04, 0x11, 0x22, 0x33, 0x44, 0x55, 0x66])
    case ("tag", "chip"): .text(job.batches.first?.accept.chips?.first?.rawValue ?? "NTAG213")
    case ("tag", "kind"): .text("miFare")
    case ("tag", "position"): .text("1")
    case ("tag", "initialSelectedAID"): .text("D2760000850101")
    case ("tag", "systemCode"): .text("12FC")
    case ("job", "name"): .text(job.name)
    case ("job", "series"): .text(job.series)
    case ("job", "total"): .text(String(total))
    case ("run", "id"): .text("0000000000000000")
    case ("now", nil): .moment(0)
    case ("env", let name?): environment[name].map { .text($0) } ?? .missing
    default: .unknown
    }
  }
}
