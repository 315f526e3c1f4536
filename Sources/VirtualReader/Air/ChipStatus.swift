/// Status bytes of the PN532 (UM0701-02 section 7.1).
enum ChipStatus {
  static let good: UInt8 = 0x00
  static let timeout: UInt8 = 0x01
  static let crcError: UInt8 = 0x02
  static let collision: UInt8 = 0x06
  static let bufferTooSmall: UInt8 = 0x07
  static let refused: UInt8 = 0x13
  static let authenticationFailed: UInt8 = 0x14
  static let wrongContext: UInt8 = 0x27
  /// More of the answer follows.
  static let more: UInt8 = 0x40
}
