/// One frame on the wire, for logs.
package struct WireFrame: Sendable, Equatable {
  /// On the model's clock: when it was received, or when it has gone out.
  package let time: Duration
  /// Whether the chip sent it.
  package let isFromChip: Bool
  /// From the chip all bytes as they go out; from the host those that it means, in a frame of their own.
  package let bytes: [UInt8]
}
