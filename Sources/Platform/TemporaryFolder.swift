internal import Glibc

/// A folder of this process alone, removed with what lies in it when the value goes away.
///
/// It lies where `TMPDIR` says, else in `/tmp`.
package final class TemporaryFolder: Sendable {
  /// Absolute.
  package let path: String

  /// Makes the folder, for its owner only.
  package init() throws(SystemError) {
    let place = Environment.value("TMPDIR") ?? ""
    let parent = place.hasPrefix("/") ? place : "/tmp"
    var template = Array("\(parent)/tagstation-XXXXXX".utf8CString)
    guard unsafe mkdtemp(&template) != nil else { throw .last("create a folder in \(parent)") }
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  deinit { Self.remove(path) }

  private static func remove(_ folder: String) {
    for name in (try? Files.names(in: folder)) ?? [] {
      let path = "\(folder)/\(name)"
      if unsafe unlink(path) != 0 { remove(path) }
    }
    unsafe rmdir(folder)
  }
}
