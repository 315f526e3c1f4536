internal import Diagnostics
internal import YAMLTree

/// The keys of an entry of `readers`.
enum ReaderKeys {
  static let connection = Key(
    "connection", Kind<String>(connectionShape) { Kind.word.read($0, &$1) },
    example: "\"pn532_uart:/dev/ttyUSB0\"", "A libnfc connection string")
  static let speed = Key("speed", speedKind, default: "115200", "The serial speed in baud")
  static let radio = Key(
    "radio", Kind.word(Radio.self), default: "enabled", "Whether the reader may send")
  static let virtual = Key("virtual", VirtualKeys.value, "A deck of tags before a simulated reader")

  enum Radio: String, Sendable, CaseIterable { case enabled, disabled }

  static let shape = ObjectShape(
    "the reader", "How a reader is connected",
    rules: [
      .atLeastOne([connection.name, virtual.name]),
      .excludes(virtual.name, [connection.name, speed.name]),
    ],
    [connection.shape, speed.shape, radio.shape, virtual.shape])

  /// A reader without its name.
  typealias Draft = (device: StationReader.Device, radioDisabled: Bool)

  /// A connection string, or a map.
  static let value = Kind<Draft>(.either([connectionShape, .object(shape)])) { node, reading in
    if node.scalar != nil {
      return connectionText(node, &reading).map { (.connection($0.text, speed: $0.speed), false) }
    }
    let subject = reading.subject
    guard let fields = Fields(node, as: shape, &reading) else { return nil }
    let radioDisabled = fields.read(radio, &reading) == .disabled
    if fields.has(virtual) {
      for key in [connection.name, speed.name] {
        guard let entry = fields.entries.first(where: { $0.key == key }) else { continue }
        reading.error("reader", "`\(key)` cannot stand beside `virtual`", at: entry.keyPlace)
      }
      return fields.read(virtual, &reading).map { (.virtual($0), radioDisabled) }
    }
    guard let connection = fields.node(connection) else {
      reading.error(
        "missing-key", "\(subject) needs `connection` or `virtual`", at: fields.place)
      return nil
    }
    reading.subject = "`connection`"
    let baud = fields.read(speed, &reading)
    guard let string = connectionText(connection, &reading) else { return nil }
    let chosen = fields.has(speed) ? baud ?? string.speed : string.speed
    return (.connection(string.text, speed: chosen), radioDisabled)
  }

  /// A connection string with the speed that it names, or the usual one.
  private static func connectionText(
    _ node: YAMLNode, _ reading: inout Reading
  ) -> (text: String, speed: Int)? {
    guard let text = Kind<String>.word.read(node, &reading) else { return nil }
    let driver = text.prefix { $0 != ":" }
    guard drivers.contains(String(driver)), text.count <= 1000 else {
      reading.error(
        "connection", "`\(text)` is no libnfc connection string", at: node.place,
        help: suggestion(for: text))
      return nil
    }
    let parts = text.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
    if portDrivers.contains(parts[0]), parts.count < 2 || !parts[1].contains("/") {
      let port = parts.count < 2 || parts[1].isEmpty ? "ttyUSB0" : parts[1]
      reading.error(
        "connection", "`\(text)` does not name a device file", at: node.place,
        help:
          "for example `\(([parts[0], "/dev/\(port)"] + parts.dropFirst(2)).joined(separator: ":"))`"
      )
      return nil
    }
    let last = text.split(separator: ":").last.flatMap { Int($0) }
    return (text, driver.hasSuffix("_uart") || driver == "arygon" ? last ?? 115_200 : 115_200)
  }

  /// The drivers of libnfc 1.8.
  private static let drivers = [
    "pn532_uart", "pn53x_usb", "pn532_i2c", "pn532_spi", "acr122_usb", "acr122s", "arygon", "pcsc",
    "acr122_pcsc",
  ]

  private static let connectionShape = Shape.text(
    .form(
      "libnfc connection string",
      pattern: "^((\(portDrivers.joined(separator: "|"))):[^:]*/|(\(otherDrivers))(:|$))"))
  private static let otherDrivers =
    drivers.filter { !portDrivers.contains($0) }.joined(separator: "|")

  /// Those that open a device file.
  private static let portDrivers = ["pn532_uart", "pn532_i2c", "pn532_spi", "acr122s", "arygon"]

  /// The connection string that `text` was most likely meant to be.
  private static func suggestion(for text: String) -> String {
    let driver = String(text.prefix { $0 != ":" })
    let device = text.hasPrefix("/dev/") ? text[...] : text.dropFirst(driver.count + 1)
    let byDevice =
      ["tty": "pn532_uart", "serial": "pn532_uart", "i2c": "pn532_i2c", "spi": "pn532_spi"]
      .first { device.hasPrefix("/dev/\($0.key)") }?.value
    if let byDevice, text.hasPrefix("/dev/") || driver.lowercased().hasPrefix("pn532") {
      return "did you mean `\(byDevice):\(device)`?"
    }
    if let near = closest(to: driver, in: drivers) { return "did you mean `\(near)`?" }
    let names = drivers.map { "`\($0)`" }.joined(separator: ", ")
    return
      "it begins with a driver of libnfc, for example `pn532_uart:/dev/ttyUSB0`; one of \(names)"
  }

  /// The speeds that the PN532 knows (user manual section 7.2.8).
  private static let speeds = [
    9600, 19200, 38400, 57600, 115_200, 230_400, 460_800, 921_600, 1_288_000,
  ]

  static let speedKind = Kind<Int>(.numbers(speeds)) { node, reading in
    guard let speed = Kind.integer(9600...1_288_000).read(node, &reading) else { return nil }
    if speeds.contains(speed) { return speed }
    reading.error(
      "out-of-range", "\(reading.subject) cannot be \(speed)", at: node.place,
      help: "one of " + speeds.map(String.init).joined(separator: ", "))
    return nil
  }
}
