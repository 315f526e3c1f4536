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

  @Test func `a pipe and a device are not replaced, and a link is replaced itself`() throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try Files.makeFolder(folder)
    try Files.replace(folder + "/goal", with: [1])
    try FileManager.default.createSymbolicLink(
      atPath: folder + "/link", withDestinationPath: folder + "/goal")
    try Files.replace(folder + "/link", with: [2])
    #expect(try Files.read(folder + "/goal") == [1])
    #expect(try Files.read(folder + "/link") == [2])
    unsafe mkfifo(folder + "/pipe", 0o600)
    let error = #expect(throws: SystemError.self) { try Files.replace(folder + "/pipe", with: [3]) }
    #expect(error?.reason == "Not a regular file")
    #expect(throws: SystemError.self) { try Files.replace("/dev/full", with: [3]) }
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder).sorted() == [
        "goal", "link", "pipe",
      ])
  }

  @Test func `a file beneath a folder is opened, and nothing that leads out of it`() throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let inner = folder + "/inner"
    try Files.makeFolder(inner)
    try Files.replace(folder + "/outside", with: [1])
    func open(_ name: String) -> Int32 {
      do {
        _ = try Descriptor(beneath: inner, name, flags: O_RDWR | O_CREAT)
        return 0
      } catch {
        return error.code
      }
    }
    #expect(open("a/b/c") == 0)
    #expect(open("a/b/c") == 0)
    #expect(open("../outside") == EINVAL)
    #expect(open("/outside") == EINVAL)
    #expect(open("a/b") == EINVAL)
    #expect(open("a/b/c/d") == ENOTDIR)
    unsafe symlink("../outside", inner + "/link")
    unsafe symlink("..", inner + "/folder")
    unsafe link(folder + "/outside", inner + "/second")
    unsafe mkfifo(inner + "/pipe", 0o600)
    #expect(open("link") == ELOOP)
    #expect(open("folder/outside") == ELOOP)
    #expect(open("second") == EMLINK)
    #expect(open("pipe") == EINVAL)
    #expect(try Files.read(folder + "/outside") == [1])
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
