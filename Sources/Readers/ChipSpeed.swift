internal import Glibc

/// Finding the speed a PN532 speaks on its serial line, and changing it.
///
/// The chip keeps its speed until its power goes, libnfc never asks for it: a program that was killed after it
/// had made the chip fast leaves one that does not answer at 115200.
enum ChipSpeed {
  /// Where to look, the likely ones first.
  private static let candidates = [115_200, 921_600, 460_800, 230_400]
  /// SetSerialBaudRate codes (UM0701-02, section 7.2.6).
  private static let codes = [
    9600: UInt8(0), 19_200: 1, 38_400: 2, 57_600: 3, 115_200: 4, 230_400: 5, 460_800: 6, 921_600: 7,
  ]
  private static let acknowledge: [UInt8] = [0x00, 0x00, 0xFF, 0x00, 0xFF, 0x00]
  /// Wakes the chip (UM0701-02, section 7.2.11): a 55h, and time in zeros.
  private static let wake: [UInt8] = [0x55, 0x55] + [UInt8](repeating: 0, count: 14)
  /// The chip takes 15 ms at most, and an FTDI adapter keeps each answer for 16 ms.
  private static let wait = Duration.milliseconds(50)
  /// Wake-up, command, acknowledgement and answer of the longest exchange here, at ten bits each.
  private static let bits = 480

  /// Makes the chip on `port` speak `speed`, whatever it speaks now; `false` if it answers at no speed.
  ///
  /// The line is left at `speed`.
  static func bring(_ port: borrowing SerialPort, to speed: Int) -> Bool {
    for candidate in [speed] + candidates.filter({ $0 != speed }) {
      for _ in 0..<2 where answers(port, at: candidate) {
        if candidate == speed || change(port, to: speed) { return true }
      }
    }
    _ = port.set(speed: speed)
    return false
  }

  /// Whether the chip acknowledges SAMConfiguration (normal mode) at `speed`.
  private static func answers(_ port: borrowing SerialPort, at speed: Int) -> Bool {
    port.set(speed: speed) && port.send(wake + frame([0x14, 0x01]))
      && port.receive(response([0x15]), within: wait + time(at: speed))
  }

  /// Sends SetSerialBaudRate; the chip changes over when its answer has been acknowledged.
  private static func change(_ port: borrowing SerialPort, to speed: Int) -> Bool {
    guard let code = codes[speed], port.send(frame([0x10, code])),
      port.receive(response([0x11]), within: wait + time(at: 9600)), port.send(acknowledge)
    else { return false }
    usleep(2000)
    return answers(port, at: speed) || answers(port, at: speed)
  }

  private static func time(at speed: Int) -> Duration { .microseconds(bits * 1_000_000 / speed) }

  /// A normal information frame from the host (UM0701-02, section 6.2.1.1).
  private static func frame(_ command: [UInt8]) -> [UInt8] { information(from: 0xD4, command) }

  /// A normal information frame from the chip.
  private static func response(_ answer: [UInt8]) -> [UInt8] { information(from: 0xD5, answer) }

  private static func information(from sender: UInt8, _ data: [UInt8]) -> [UInt8] {
    let length = UInt8(data.count + 1)
    let sum = data.reduce(sender, &+)
    return [0x00, 0x00, 0xFF, length, 0 &- length, sender] + data + [0 &- sum, 0x00]
  }
}
