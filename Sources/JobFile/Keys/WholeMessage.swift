internal import NDEF

/// A whole message that a job gives as bytes.
enum WholeMessage {
  /// Why `bytes` are no NDEF message; `nil` if they are one.
  static func fault(in bytes: [UInt8]) -> String? {
    do throws(NDEFError) {
      _ = try NDEFMessage(parsing: bytes)
      return nil
    } catch {
      return error.description
    }
  }
}
