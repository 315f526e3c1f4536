internal import CSystem

/// Bytes that must not be shown: a password or a key.
///
/// They lie in memory of their own, kept out of swap space and core dumps where the system allows, and
/// overwritten when the last owner lets go. However it is printed, it says `(secret)`. What is sent to a
/// reader passes through other memory, which is not wiped.
@safe
package final class Secret: @unchecked Sendable {
  // Sendable: the bytes are written in the initialisers only.
  private let memory: UnsafeMutableRawPointer
  private let capacity: Int
  /// How many bytes it has.
  package let count: Int

  /// A secret that `fill` writes into memory for `capacity` bytes, and says how many there are.
  init(
    capacity: Int, fill: (UnsafeMutableRawBufferPointer) throws(SecretFault) -> Int
  ) throws(SecretFault) {
    let size = max(capacity, 1)
    guard let memory = unsafe tagstation_secret_memory(size) else {
      throw SecretFault(.malformed, "there is no memory for a secret")
    }
    do throws(SecretFault) {
      count = try unsafe fill(UnsafeMutableRawBufferPointer(start: memory, count: capacity))
    } catch {
      unsafe tagstation_forget_secret(memory, size)
      throw error
    }
    unsafe self.memory = memory
    self.capacity = size
  }

  /// A secret with these bytes.
  package convenience init(_ bytes: [UInt8]) throws(SecretFault) {
    try unsafe self.init(capacity: bytes.count) { buffer throws(SecretFault) in
      unsafe buffer.copyBytes(from: bytes)
      return bytes.count
    }
  }

  deinit { unsafe tagstation_forget_secret(memory, capacity) }

  /// Runs `body` with the bytes, which are to be copied no further than they must.
  package func withBytes<Result, Failure: Error>(
    _ body: (Span<UInt8>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let buffer = unsafe UnsafeRawBufferPointer(start: memory, count: count)
    return try unsafe body(buffer.bindMemory(to: UInt8.self).span)
  }
}

extension Secret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  package var description: String { "(secret)" }
  package var debugDescription: String { description }
  package var customMirror: Mirror { Mirror(self, children: []) }
}
