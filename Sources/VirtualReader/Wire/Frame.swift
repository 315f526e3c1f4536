/// Frames of the PN532's host link as it sends them (UM0701-02 section 6.2.1).
enum Frame {
  /// "Command accepted", and from the host: stop the running command.
  static let acknowledge: [UInt8] = [0x00, 0x00, 0xFF, 0x00, 0xFF, 0x00]
  /// "Send the last response again".
  static let notAcknowledge: [UInt8] = [0x00, 0x00, 0xFF, 0xFF, 0x00, 0x00]
  /// Syntax error at application level: unknown command or wrong parameters.
  static let syntaxError: [UInt8] = [0x00, 0x00, 0xFF, 0x01, 0xFF, 0x7F, 0x81, 0x00]
  /// The most bytes from TFI on that the firmware takes.
  static let longest = 265

  /// TFI of frames to the chip.
  static let toChip: UInt8 = 0xD4
  /// TFI of frames from the chip.
  static let fromChip: UInt8 = 0xD5

  /// A whole frame around `content`, which begins with the TFI; extended above 255 bytes.
  static func encode(_ content: [UInt8]) -> [UInt8] {
    var frame: [UInt8] = [0x00, 0x00, 0xFF]
    if content.count <= 255 {
      let length = UInt8(content.count)
      frame += [length, 0 &- length]
    } else {
      let high = UInt8(truncatingIfNeeded: content.count >> 8)
      let low = UInt8(truncatingIfNeeded: content.count)
      frame += [0xFF, 0xFF, high, low, 0 &- (high &+ low)]
    }
    return frame + content + [0 &- content.reduce(0, &+), 0x00]
  }
}
