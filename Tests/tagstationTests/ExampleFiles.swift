import Foundation

/// The repository's own jobs and examples, which are inputs of tests.
enum ExampleFiles {
  /// The repository's top.
  static let top = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// The absolute path of a file in the repository.
  static func path(_ name: String) -> String { top.appending(path: name).path() }

  /// Copies `jobs` and `examples` into `folder`, without what earlier runs left there.
  static func copy(to folder: ScratchFolder) throws {
    for name in ["jobs", "examples"] {
      try FileManager.default.copyItem(
        at: top.appending(path: name), to: folder.url.appending(path: name))
    }
    try? FileManager.default.removeItem(at: folder.url.appending(path: "examples/var"))
  }
}
