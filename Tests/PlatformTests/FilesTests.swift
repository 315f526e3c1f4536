import Foundation
import Platform
import Testing

@Suite struct FilesTests {
  private let folder = NSTemporaryDirectory() + "tagstation-files-" + UUID().uuidString

  @Test func `a file is replaced whole, and nothing is left beside it`() throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try Files.makeFolder(folder)
    let path = folder + "/a"
    try Files.replace(path, with: Array("first".utf8))
    try Files.replace(path, with: Array("second".utf8))
    #expect(try Files.read(path) == Array("second".utf8))
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["a"])
  }

  @Test func `a file over the limit, a folder and a device are not read`() throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try Files.makeFolder(folder)
    try Files.replace(folder + "/a", with: [1, 2, 3])
    #expect(throws: SystemError.self) { try Files.read(folder + "/a", limit: 2) }
    #expect(throws: SystemError.self) { try Files.read(folder) }
    #expect(throws: SystemError.self) { try Files.read("/dev/zero") }
  }

  @Test func `a lock that is held is refused, and free once it is let go`() throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try Files.makeFolder(folder)
    let path = folder + "/lock"
    do {
      let held = try FileLock(trying: path)
      let refusal = #expect(throws: SystemError.self) { try FileLock(trying: path).release() }
      #expect(refusal?.isLocked == true)
      held.release()
    }
    #expect(throws: Never.self) { try FileLock(trying: path).release() }
  }

  /// Seconds and dates as `date -u -d @N` prints them.
  @Test(arguments: [
    (0.0, "1970-01-01T00:00:00Z"), (1e9, "2001-09-09T01:46:40Z"),
    (951_782_400, "2000-02-29T00:00:00Z"),
  ])
  func `a moment is written as RFC 3339 in UTC`(_ seconds: Double, _ text: String) {
    #expect(WallTime.text(seconds) == text)
  }
}
