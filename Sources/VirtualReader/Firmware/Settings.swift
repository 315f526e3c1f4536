/// What SetParameters and RFConfiguration set.
struct Settings: Sendable {
  /// SetParameters flags.
  var flags: UInt8 = 0x14
  /// Exponent of the time limit of InDataExchange and InCommunicateThru.
  var exchangeTimeout: UInt8 = 0x0A
  /// MaxRtyCOM.
  var exchangeRetries: UInt8 = 0
  /// MxRtyPassiveActivation, `FF` for ever.
  var activationRetries: UInt8 = 0xFF

  /// Auto RATS.
  var activatesISODEP: Bool { flags & 0x10 != 0 }

  /// The time after which a silent tag counts as gone: 100 µs · 2^(n−1), none for 0.
  var silence: Duration {
    guard exchangeTimeout > 0 else { return .zero }
    return .microseconds(100 << (Int64(min(exchangeTimeout, 16)) - 1))
  }
}
