internal import Diagnostics
internal import YAMLTree

/// The keys of a station file.
enum StationKeys {
  static let station = Key(
    "station", Kind.name, required: true, example: "line-3",
    "The station's name: 1 to 64 of A–Z a–z 0–9 . _ -")
  static let declarations = Key(
    "declarations", DeclarationKeys.value, "What sessions at this station may touch")
  static let readers = Key(
    "readers", readerMap, required: true,
    example: "{left: \"pn532_uart:/dev/ttyUSB0\"}",
    "Names of readers, each with how it is connected")
  static let scanners = Key(
    "scanners", ScannerKeys.map, example: "{left: {device: /dev/ttyACM0}}",
    "Names of barcode scanners that jobs may name, each with where its codes come from")
  static let output = Key(
    "output", Kind.path, "The folder for what jobs write; the ledger's folder where not given")
  static let ledger = Key(
    "ledger", Kind.path, "The ledger; `var/STATION.sqlite` beside this file where not given")
  static let log = Key(
    "log", Kind.path, "The event log; `var/STATION.jsonl` beside this file where not given")

  static let shape = ObjectShape(
    "the station", "One machine with its readers and its declarations",
    [
      station.shape, declarations.shape, readers.shape, output.shape, ledger.shape, log.shape,
      .later("programs", "Programs that jobs may name"),
      scanners.shape,
      .later("metrics", "A file of counters"), .later("journal", "Events in the system's journal"),
    ])

  private static let readerMap = Kind<[StationReader]>(
    .map(keys: "reader", form: .name, ReaderKeys.value.shape, atLeast: 1)
  ) { node, reading in
    guard let entries = node.entries else {
      reading.wrongType(
        node, needs: "a map of readers",
        help: "for example `readers: {left: pn532_uart:/dev/ttyUSB0}`")
      return nil
    }
    if entries.isEmpty {
      reading.error("out-of-range", "`readers` needs at least one reader", at: node.place)
    }
    let readers: [StationReader] = entries.compactMap { entry in
      guard reading.isName(entry.key, at: entry.keyPlace) else { return nil }
      if entry.key == "all" {
        reading.error(
          "name", "`all` stands for every reader and cannot name one", at: entry.keyPlace)
        return nil
      }
      reading.subject = "the reader `\(entry.key)`"
      guard let draft = ReaderKeys.value.read(entry.value, &reading) else { return nil }
      return StationReader(
        name: entry.key, device: draft.device, radioDisabled: draft.radioDisabled,
        place: entry.keyPlace)
    }
    warnOfClashes(readers, &reading)
    return readers
  }

  /// Warns of readers that are one device, or keep their tags in one folder: a run of one holds the other.
  private static func warnOfClashes(_ readers: [StationReader], _ reading: inout Reading) {
    var seen: [String: StationReader] = [:]
    for reader in readers {
      guard let (key, what) = reader.shared else { continue }
      guard let first = seen[key] else {
        seen[key] = reader
        continue
      }
      reading.add(
        Diagnostic(
          .warning, "same-device", "`\(reader.name)` has the \(what) of `\(first.name)`",
          at: reader.place, help: "while a run uses one of them, the other has to wait",
          secondary: Diagnostic.Secondary(first.place, "the first of the two")))
    }
  }
}

extension StationReader {
  /// What no two readers at a time can use, and what it is; `nil` where there is nothing of the kind.
  fileprivate var shared: (key: String, what: String)? {
    switch device {
    case .connection(let text, _):
      let parts = text.split(separator: ":").map(String.init)
      let isSpeed = parts.count > 2 && Int(parts[parts.count - 1]) != nil
      return ((isSpeed ? parts.dropLast() : parts[...]).joined(separator: ":"), "connection")
    case .virtual(let deck): return deck.keep.map { ($0, "`keep` folder") }
    }
  }
}
