internal import CSystem
internal import Glibc
internal import Platform

/// Where a reader is, in libnfc's words: `driver:port[:speed]`.
///
/// libnfc splits the text at each `:`, so that a port with one in its name cannot be given, and copies at most
/// 1023 bytes of it (`NFC_BUFSIZE_CONNSTRING`).
package struct ConnectionString: Sendable, Hashable, CustomStringConvertible {
  /// The speed of a PN532 after its power came on (UM0701-02, section 6.2.2).
  package static let usualSpeed = 115_200

  /// The libnfc driver, for example `pn532_uart`.
  package let driver: String
  /// The driver's port: a path, or `bus:device` of a USB reader; `nil` for the first one it finds.
  package let port: String?
  /// Bits a second on the line to the chip; `nil` where the driver has none.
  package let speed: Int?

  /// Reads `text`, and adds the usual speed where a serial driver has none.
  package init(_ text: String) throws(ReaderError) {
    func refuse(_ why: String) -> ReaderError {
      .unsupported(detail: "connection string '\(text)': \(why)")
    }
    guard text.utf8.count < 1024 else { throw refuse("longer than 1023 bytes") }
    guard text.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F }) else {
      throw refuse("spaces and control characters are not allowed")
    }
    var parts = text.split(separator: ":", omittingEmptySubsequences: false).map { String($0) }
    driver = parts.removeFirst()
    guard let kind = Self.drivers[driver] else {
      throw refuse(
        "libnfc has no driver '\(driver)'; it has \(Self.drivers.keys.sorted().joined(separator: ", "))"
      )
    }
    switch kind {
    case .serial(let speeds):
      guard let path = parts.first, path.hasPrefix("/"), path.count > 1 else {
        throw refuse("the port must be an absolute path, as in \(driver):/dev/ttyUSB0")
      }
      guard parts.count <= 2 else { throw refuse("a port cannot contain ':'") }
      port = path
      if parts.count == 2, !parts[1].isEmpty {
        guard let number = Int(parts[1]), speeds.contains(number) else {
          let known = speeds.map { String($0) }.joined(separator: ", ")
          throw refuse("the speed must be one of \(known)")
        }
        speed = number
      } else {
        speed = driver == "pn532_uart" ? Self.usualSpeed : 9600
      }
    case .bus:
      guard let path = parts.first, path.hasPrefix("/"), path.count > 1, parts.count <= 2 else {
        throw refuse("the port must be an absolute path, as in \(driver):/dev/…")
      }
      port = path
      if parts.count == 2 {
        guard let number = Int(parts[1]), number > 0 else {
          throw refuse("the speed must be a number")
        }
        speed = number
      } else {
        speed = nil
      }
    case .usb:
      guard parts.count <= 2, parts.allSatisfy({ !$0.isEmpty && $0.allSatisfy(\.isNumber) }) else {
        throw refuse("a USB reader is written \(driver):bus:device, as in \(driver):001:004")
      }
      port = parts.isEmpty ? nil : parts.joined(separator: ":")
      speed = nil
    }
  }

  private init(driver: String, port: String?, speed: Int?) {
    self.driver = driver
    self.port = port
    self.speed = speed
  }

  /// The text that libnfc takes.
  package var description: String {
    var text = driver
    if let port { text += ":\(port)" }
    if let speed { text += ":\(speed)" }
    return text
  }

  /// The same reader on a line that libnfc can set up.
  var opening: ConnectionString {
    speed == Self.fastest
      ? ConnectionString(driver: driver, port: port, speed: Self.usualSpeed) : self
  }

  /// The device node behind the port, links followed; the path itself if nothing is there.
  ///
  /// `nil` for a driver that finds its device by itself.
  package var devicePath: String? {
    guard let port else { return nil }
    switch Self.drivers[driver] {
    case .serial, .bus: return Files.real(port) ?? port
    case .usb:
      let numbers = port.split(separator: ":").compactMap { Int($0) }
      guard numbers.count == 2 else { return nil }
      let padded = numbers.map {
        String(repeating: "0", count: max(0, 3 - "\($0)".count)) + "\($0)"
      }
      return "/dev/bus/usb/\(padded[0])/\(padded[1])"
    case nil: return nil
    }
  }

  /// Whether the port is a pseudo-terminal, so that a program answers and not a chip.
  ///
  /// Links are followed. Unix98 slaves have the majors 136 to 143 (Linux `devices.txt`).
  package var isVirtual: Bool {
    guard let path = devicePath else { return false }
    if path.hasPrefix("/dev/pts/") { return true }
    var status = stat()
    guard unsafe stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFCHR else { return false }
    return (136...143).contains(gnu_dev_major(status.st_rdev))
  }

  /// Whether the line is a serial one, opened as a terminal.
  var isSerial: Bool {
    if case .serial = Self.drivers[driver] { true } else { false }
  }

  /// Whether the reader hangs on the USB bus, where kernel modules may hold it.
  package var isUSB: Bool {
    if case .usb = Self.drivers[driver] { true } else { false }
  }

  /// Whether a bare PN532 is on the line, so that its speed can be asked for and set.
  var isBareChip: Bool { driver == "pn532_uart" }

  private enum Kind: Equatable {
    case serial([Int])
    case bus
    case usb
  }

  /// The speeds that libnfc's serial lines can be set to.
  static let speeds = [9600, 19_200, 38_400, 57_600, 115_200, 230_400, 460_800]

  /// Beyond libnfc, which is opened at the usual speed then; the line is made fast afterwards.
  static let fastest = 921_600

  /// The drivers of libnfc 1.8.0 that speak to a PN53x themselves.
  private static let drivers: [String: Kind] = [
    "pn532_uart": .serial(speeds + [fastest]),
    "arygon": .serial(speeds),
    "acr122s": .serial(speeds),
    "pn532_spi": .bus,
    "pn532_i2c": .bus,
    "pn53x_usb": .usb,
    "acr122_usb": .usb,
    "usb": .usb,
  ]
}
