internal import DataSource
internal import Diagnostics
internal import YAMLTree

/// The keys of `data`.
enum DataKeys {
  static let csv = Key("csv", Kind.path, example: "cards.csv", "A CSV file")
  static let jsonl = Key("jsonl", Kind.path, "A JSON Lines file: an object a line")
  static let rows = Key("rows", Kind.list(row, atLeast: 1), "The rows themselves, as maps")
  static let serial = Key("serial", SerialKeys.value, "Serial numbers that the ledger gives out")
  static let key = Key(
    "key", Kind.oneOrMore(.word), example: "code",
    "The columns that name a row; else a digest of the columns that writing steps use")
  static let match = Key(
    "match", Kind.word(DataSpec.Match.self), default: "next",
    "How a tag gets its row: the next free one, the one with its UID, the one scanned before")
  static let uid = Key("uid", Kind.word, default: "uid", "The column that holds UIDs")
  static let order = Key(
    "order", Kind.word(Order.self), default: "any",
    "Whether rows go on in their order, whatever fails")
  static let delimiter = Key(
    "delimiter", delimiterKind, "The CSV file's delimiter; found where not given")
  static let encoding = Key("encoding", Kind.word, "The CSV file's encoding; found where not given")
  static let header = Key(
    "header", headerKind, default: "true", "Column names of a file without them")
  static let lines = Key(
    "lines", feedKind, example: "\"-\"",
    "Rows that come while the job runs, a line each: of standard input (`-`) or of a scanner")
  static let scanner = Key(
    "scanner", feedKind, example: "\"-\"",
    "With `match: scan`: whose codes name the row; a scanner of the station, or `-`")

  enum Order: String, Sendable, CaseIterable { case any, strict }

  static let shape = ObjectShape(
    "`data`", "Where the rows come from",
    rules: [
      .atMostOne([csv.name, jsonl.name, rows.name]),
      .atLeastOne([csv.name, jsonl.name, rows.name, lines.name, serial.name]),
      .needs(key.name, [csv.name, jsonl.name, rows.name]), .needs(delimiter.name, [csv.name]),
      .needs(encoding.name, [csv.name]), .needs(header.name, [csv.name]),
    ],
    [
      csv.shape, jsonl.shape, rows.shape, serial.shape, key.shape, match.shape, uid.shape,
      order.shape, delimiter.shape, encoding.shape, header.shape, lines.shape, scanner.shape,
    ])

  static let value = Kind<DataSpec>.object(shape) { fields, reading in
    var data = DataSpec(key: [], keyPlace: fields.place(of: key), place: fields.place)
    data.source = source(fields, &reading)
    data.serial = fields.read(serial, &reading)
    data.key = fields.read(key, &reading) ?? []
    data.match = fields.read(match, &reading) ?? .next
    data.uidColumn = fields.read(uid, &reading) ?? "uid"
    data.strict = fields.read(order, &reading) == .strict
    data.scanner = fields.read(scanner, &reading)
    let hasColumns = fields.has(csv) || fields.has(jsonl) || fields.has(rows)
    let hasSource = hasColumns || fields.has(lines)
    if !hasSource && !fields.has(serial) && !fields.hasOtherKeys {
      reading.error(
        "missing-key", "`data` needs `csv`, `jsonl`, `rows`, `lines` or `serial`", at: fields.place,
        help: "for example `data: {csv: cards.csv, key: code}`")
    }
    if fields.has(key) && !hasSource && fields.has(serial) {
      reading.error(
        "data", "`key` names columns, and serial numbers alone have none",
        at: fields.place(of: key), help: "leave it out: the number is the key")
    }
    checkMatch(fields, data, hasColumns: hasColumns, &reading)
    return data
  }

  /// Whether the keys beside `match` suit it.
  private static func checkMatch(
    _ fields: Fields, _ data: DataSpec, hasColumns: Bool, _ reading: inout Reading
  ) {
    let word = data.match.rawValue
    let place = fields.node(match)?.place ?? fields.place
    if data.match != .next, !hasColumns {
      reading.error(
        "data", "`match: \(word)` looks rows up, and there are none", at: place,
        help: "name them with `csv`, `jsonl` or `rows`")
    }
    if data.match != .next, data.strict {
      reading.error(
        "data", "`order: strict` cannot stand beside `match: \(word)`",
        at: fields.place(of: order), help: "leave it out: no order says which row a tag gets",
        secondary: Diagnostic.Secondary(place, "this names the row"))
    }
    if data.match != .uid, fields.has(uid) {
      reading.error(
        "data", "`uid` goes with `match: uid` only", at: fields.place(of: uid),
        help: "add `match: uid`, or leave it out")
    }
    guard data.match == .scan else {
      if fields.has(scanner) {
        reading.error(
          "data", "`scanner` goes with `match: scan` only", at: fields.place(of: scanner),
          help: "add `match: scan`; lines that are rows themselves are `lines`")
      }
      return
    }
    if hasColumns, data.key.count != 1, !fields.has(key) || data.key.count > 1 {
      reading.error(
        "data", "`match: scan` needs one column that codes are looked up in",
        at: fields.has(key) ? fields.place(of: key) : place, help: "for example `key: code`")
    }
    if !fields.has(scanner) {
      reading.error(
        "missing-key", "`match: scan` needs `scanner`", at: place,
        help: "the name of one of the station's scanners, or `\"-\"` for standard input")
    }
  }

  /// The one source that is named; tells where there are several.
  private static func source(_ fields: Fields, _ reading: inout Reading) -> DataSourceSpec? {
    let named = fields.entries.filter { ["csv", "jsonl", "rows", "lines"].contains($0.key) }
    if named.count > 1 {
      reading.error(
        "data", "`data` takes one of `csv`, `jsonl`, `rows` and `lines`", at: named[1].keyPlace,
        secondary: Diagnostic.Secondary(named[0].keyPlace, "this one is given too"))
    }
    let delimiter = fields.read(delimiter, &reading)
    let encoding = fields.read(encoding, &reading)
    let header = fields.read(header, &reading)
    for entry in fields.entries where ["delimiter", "encoding", "header"].contains(entry.key) {
      if fields.has(csv) { continue }
      reading.error(
        "data", "`\(entry.key)` goes with `csv` only", at: entry.keyPlace)
    }
    if let node = fields.node(csv) {
      guard let path = fields.read(csv, &reading) else { return nil }
      return .csv(
        path: path, delimiter: delimiter, encoding: encoding, header: header ?? nil,
        place: node.place)
    }
    if let node = fields.node(jsonl) {
      return fields.read(jsonl, &reading).map { .jsonl(path: $0, place: node.place) }
    }
    if let node = fields.node(lines) {
      return fields.read(lines, &reading).map { .lines($0, place: node.place) }
    }
    return fields.read(rows, &reading).map { .rows($0) }
  }

  /// One inline row; its cells are the texts as written.
  private static let row = Kind<(fields: [(name: String, value: String)], place: Place)>(
    .map(keys: "column", form: .any, .either([.text(.any), .nothing]), atLeast: 0)
  ) { node, reading in
    guard let entries = node.entries else {
      reading.wrongType(node, needs: "maps of column and value")
      return nil
    }
    var fields: [(name: String, value: String)] = []
    for entry in entries {
      if let scalar = entry.value.scalar {
        fields.append((entry.key, scalar.value == .null ? "" : scalar.text))
      } else {
        reading.wrongType(entry.value, needs: "texts")
      }
    }
    return (fields, node.place)
  }

  /// `-` for standard input, or the name of a scanner.
  private static let feedKind = Kind<FeedName>(.text(.name)) { node, reading in
    Kind.name.read(node, &reading).map { $0 == "-" ? .standardInput : .scanner($0) }
  }

  /// One character that separates cells, or `tab`.
  private static let delimiterKind = Kind<UInt8>(
    .words([",", ";", "|", ":", " ", "\t", "tab"])
  ) { node, reading in
    guard let text = node.text(&reading)?.text else { return nil }
    if text == "tab" { return UInt8(ascii: "\t") }
    let bytes = Array(text.utf8)
    if bytes.count == 1, [",", ";", "|", "\t", ":", " "].contains(text) { return bytes[0] }
    reading.error(
      "delimiter", "`\(text)` cannot be a delimiter", at: node.place,
      help: "one of `,` `;` `|` `:`, or the word `tab`")
    return nil
  }

  /// `true`, or the names of the columns.
  private static let headerKind = Kind<[String]?>(
    .either([.boolean, .list(.text(.any), atLeast: 1)])
  ) { node, reading in
    if case .boolean(let value) = node.scalar?.value {
      if value { return .some(nil) }
      reading.error(
        "header", "a file without a heading line needs names for its columns", at: node.place,
        help: "write the names: `header: [code, name]`")
      return nil
    }
    guard case .sequence = node.content else {
      reading.wrongType(node, needs: "`true` or a list of names")
      return nil
    }
    return Kind.list(.word, atLeast: 1).read(node, &reading).map { .some($0) }
  }
}
