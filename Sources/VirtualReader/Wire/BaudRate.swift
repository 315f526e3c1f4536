/// Speeds of the PN532's serial port, in the order of SetSerialBaudRate's codes.
enum BaudRate {
  static let codes = [9600, 19_200, 38_400, 57_600, 115_200, 230_400, 460_800, 921_600, 1_288_000]
  /// The speed after a reset.
  static let initial = 115_200

  /// How long `count` bytes take on the line: ten bits each.
  static func time(bytes count: Int, at baud: Int) -> Duration {
    .nanoseconds(Int64(count) * 10_000_000_000 / Int64(max(baud, 1)))
  }
}
