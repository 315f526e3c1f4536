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
    return entries.compactMap { entry in
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
  }
}
