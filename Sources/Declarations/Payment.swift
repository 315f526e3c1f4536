extension Declarations {
  /// Whether payment sessions are allowed here.
  package var allowsPayment: Bool { formats.contains("PAYMENT") && region == "EU" }

  /// Whether `identifier` names a payment application.
  ///
  /// By the registered provider of the card networks (the first five bytes, ISO/IEC 7816-4 section
  /// 8.2.1.2), and by the names of the two payment system environments of EMV Book 1 section 12.2.
  package static func isPayment(_ identifier: [UInt8]) -> Bool {
    let names = ["1PAY.SYS.DDF01", "2PAY.SYS.DDF01"]
    if names.contains(where: { Array($0.utf8) == identifier }) { return true }
    return providers.contains { identifier.starts(with: $0) }
  }

  private static let providers: [[UInt8]] = [
    [0xA0, 0x00, 0x00, 0x00, 0x03], [0xA0, 0x00, 0x00, 0x00, 0x04],
    [0xA0, 0x00, 0x00, 0x00, 0x25], [0xA0, 0x00, 0x00, 0x00, 0x65],
    [0xA0, 0x00, 0x00, 0x01, 0x52], [0xA0, 0x00, 0x00, 0x02, 0x77],
    [0xA0, 0x00, 0x00, 0x03, 0x24], [0xA0, 0x00, 0x00, 0x03, 0x33],
  ]
}
