import Testing

@testable import Readers

struct ConnectionStringTests {
  @Test(arguments: [
    ("pn532_uart:/dev/ttyUSB0", "pn532_uart:/dev/ttyUSB0:115200"),
    ("pn532_uart:/dev/ttyUSB0:", "pn532_uart:/dev/ttyUSB0:115200"),
    ("pn532_uart:/dev/ttyUSB0:460800", "pn532_uart:/dev/ttyUSB0:460800"),
    ("pn532_uart:/dev/ttyUSB0:921600", "pn532_uart:/dev/ttyUSB0:921600"),
    ("acr122s:/dev/ttyUSB0", "acr122s:/dev/ttyUSB0:9600"),
    ("pn532_spi:/dev/spidev0.0:500000", "pn532_spi:/dev/spidev0.0:500000"),
    ("pn532_i2c:/dev/i2c-1", "pn532_i2c:/dev/i2c-1"),
    ("acr122_usb:001:004", "acr122_usb:001:004"),
    ("pn53x_usb", "pn53x_usb"),
  ]) func `what libnfc takes is taken`(_ text: String, _ expected: String) throws {
    #expect(try ConnectionString(text).description == expected)
  }

  @Test(arguments: [
    "", "pn532", "pcsc", "pn532_uart", "pn532_uart:", "pn532_uart:ttyUSB0",
    "pn532_uart:/dev/tty:USB0:9600",
    "pn532_uart:/dev/ttyUSB0:fast", "pn532_uart:/dev/ttyUSB0:1288000", "arygon:/dev/ttyUSB0:921600",
    "pn532_uart:/dev/tty USB0",
    "acr122_usb:one:two", "pn532_spi:/dev/spidev0.0:0",
    "pn532_uart:/" + String(repeating: "x", count: 1100),
  ]) func `what libnfc cannot take is refused`(_ text: String) {
    let failure = #expect(throws: ReaderError.self) { try ConnectionString(text) }
    guard case .unsupported = failure else {
      Issue.record("\(String(describing: failure))")
      return
    }
  }

  @Test func `a USB reader's node is that of its bus and device`() throws {
    #expect(try ConnectionString("acr122_usb:1:4").devicePath == "/dev/bus/usb/001/004")
    #expect(try ConnectionString("acr122_usb").devicePath == nil)
  }
}
