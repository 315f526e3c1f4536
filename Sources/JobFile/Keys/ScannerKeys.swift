internal import Diagnostics
internal import YAMLTree

/// The keys of an entry of `scanners`.
enum ScannerKeys {
  static let command = Key(
    "command", Kind.list(.word, atLeast: 1), example: "[scan-codes, --line, \"3\"]",
    "A program and its arguments; each line of its output is a code")
  static let device = Key(
    "device", Kind.path, example: "/dev/serial/by-id/usb-scanner",
    "A serial line, a terminal or a FIFO; each line of it is a code")

  static let shape = ObjectShape(
    "the scanner", "Where codes come from", count: 1...1, [command.shape, device.shape])

  /// A program or a device.
  static let value = Kind<StationScanner.Device>.object(shape) { fields, reading in
    let subject = reading.subject
    if fields.has(command), fields.has(device) {
      reading.error(
        "scanner", "\(subject) takes one of `command` and `device`",
        at: fields.place(of: device))
      return nil
    }
    if fields.has(command) { return fields.read(command, &reading).map { .command($0) } }
    if fields.has(device) { return fields.read(device, &reading).map { .path($0) } }
    if !fields.hasOtherKeys {
      reading.error("missing-key", "\(subject) needs `command` or `device`", at: fields.place)
    }
    return nil
  }

  /// Scanners by their names.
  static let map = Kind<[StationScanner]>(
    .map(keys: "scanner", form: .name, value.shape, atLeast: 0)
  ) { node, reading in
    guard let entries = node.entries else {
      reading.wrongType(
        node, needs: "a map of scanners",
        help: "for example `scanners: {left: {device: /dev/ttyACM0}}`")
      return nil
    }
    return entries.compactMap { entry in
      guard reading.isName(entry.key, at: entry.keyPlace) else { return nil }
      if entry.key == "-" {
        reading.error(
          "name", "`-` stands for standard input and cannot name a scanner", at: entry.keyPlace)
        return nil
      }
      reading.subject = "the scanner `\(entry.key)`"
      guard let device = value.read(entry.value, &reading) else { return nil }
      return StationScanner(name: entry.key, device: device, place: entry.keyPlace)
    }
  }
}
