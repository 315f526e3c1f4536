internal import DataSource
internal import Diagnostics
internal import YAMLTree

/// The keys of `serial`.
enum SerialKeys {
  static let from = Key("from", Kind.integer(0...(1 << 53)), default: "1", "The first number")
  static let step = Key("step", Kind.integer(1...(1 << 32)), default: "1", "From one to the next")
  static let count = Key("count", Kind.count, "How many there are; no end where not given")
  static let format = Key(
    "format", formatKind, default: "\"%d\"",
    "How a number is written: one `%d`, `%0Nd`, `%X` or `%0NX`, with text around it")

  static let shape = ObjectShape(
    "`serial`", "Serial numbers that the ledger gives out",
    [from.shape, step.shape, count.shape, format.shape])

  static let value = Kind<SerialSpec>.object(shape) { fields, reading in
    var serial = SerialSpec()
    serial.from = fields.read(from, &reading) ?? serial.from
    serial.step = fields.read(step, &reading) ?? serial.step
    serial.count = fields.read(count, &reading)
    serial.format = fields.read(format, &reading) ?? serial.format
    return serial
  }

  private static let formatKind = Kind<String>(.text(.any)) { node, reading in
    guard let text = node.plainText(&reading) else { return nil }
    if (try? SerialFormat(text)) != nil { return text }
    reading.error(
      "serial-format", "a serial format needs exactly one number to fill in", at: node.place,
      help: "one of `%d`, `%06d`, `%X` and `%06X`, with any text but `%` around it")
    return nil
  }
}
