internal import FoundationEssentials
internal import Platform

/// A temporary folder that is removed when its value goes away.
final class ScratchFolder: Sendable {
  let path: String

  init() throws(BenchmarkError) {
    let path =
      FileManager.default.temporaryDirectory.path() + "/tagstation-benchmark-" + UUID().uuidString
    do throws(SystemError) {
      try Files.makeFolder(path, mode: 0o700)
    } catch {
      throw BenchmarkError(error.description)
    }
    self.path = path
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// Writes the file `name` in it.
  func write(_ name: String, _ text: String) throws(BenchmarkError) {
    try write(name, Array(text.utf8))
  }

  /// Writes the file `name` in it.
  func write(_ name: String, _ bytes: [UInt8]) throws(BenchmarkError) {
    do throws(SystemError) {
      try Files.replace("\(path)/\(name)", with: bytes, durable: false)
    } catch {
      throw BenchmarkError(error.description)
    }
  }
}

/// Why something could not be measured, in words.
struct BenchmarkError: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}

extension Optional {
  /// The value, or an error that says `text`.
  func orThrow(_ text: String) throws(BenchmarkError) -> Wrapped {
    guard let self else { throw BenchmarkError(text) }
    return self
  }
}
