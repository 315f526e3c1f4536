import Foundation
import Testing

@testable import Secrets

/// Where secrets are read from, and when they are not.
@Suite struct SecretSourceTests {
  private final class Folder {
    let path = NSTemporaryDirectory() + "tagstation-secrets-" + UUID().uuidString

    init() throws {
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func write(_ text: String, mode: Int = 0o600) throws -> String {
      let file = path + "/key"
      try Data(text.utf8).write(to: URL(filePath: file))
      try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: file)
      return file
    }
  }

  private static func text(_ source: SecretSource) throws -> String {
    try source.read().withBytes { span in
      String(decoding: span.indices.map { span[$0] }, as: UTF8.self)
    }
  }

  private static func fault(_ source: SecretSource) -> SecretFault? {
    do throws(SecretFault) {
      _ = try source.read()
      return nil
    } catch {
      return error
    }
  }

  @Test(arguments: [
    ("tiger", "tiger"), ("tiger\n", "tiger"), ("tiger\r\n", "tiger"), ("tiger\n\n", "tiger\n"),
    ("", ""), ("\n", ""),
  ])
  func `one line end behind the secret is not part of it`(_ text: String, _ found: String) throws {
    let folder = try Folder()
    #expect(try Self.text(.file(try folder.write(text))) == found)
  }

  @Test(arguments: [0o640, 0o604, 0o660, 0o601, 0o610, 0o644])
  func `a file that others may use is refused, with the command that mends it`(
    _ mode: Int
  ) throws {
    let folder = try Folder()
    let path = try folder.write("tiger", mode: mode)
    let fault = try #require(Self.fault(.file(path)))
    #expect(fault.kind == .refused)
    #expect(fault.message.hasSuffix("others than its owner (mode \(String(mode, radix: 8)))"))
    #expect(fault.help == "`chmod 600 \(path)`")
  }

  @Test func `a read-only file is as good`() throws {
    let folder = try Folder()
    #expect(try Self.text(.file(try folder.write("tiger", mode: 0o400))) == "tiger")
  }

  @Test func `links, folders and pipes are refused`() throws {
    let folder = try Folder()
    let path = try folder.write("tiger")
    let link = folder.path + "/link"
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path)
    #expect(Self.fault(.file(link))?.kind == .refused)
    #expect(Self.fault(.file(link))?.message.contains("symbolic link") == true)
    #expect(Self.fault(.file(folder.path))?.kind == .refused)
    let pipe = folder.path + "/pipe"
    #expect(unsafe mkfifo(pipe, 0o600) == 0)
    #expect(Self.fault(.file(pipe))?.kind == .refused)
  }

  @Test(.enabled(if: getuid() == 0, "only root gives files away"))
  func `a file of another user is refused`() throws {
    let folder = try Folder()
    let path = try folder.write("tiger")
    #expect(unsafe chown(path, 12345, 12345) == 0)
    #expect(Self.fault(.file(path))?.kind == .refused)
    #expect(Self.fault(.file(path))?.message.contains("belongs to another user") == true)
  }

  @Test func `a missing file is told apart, and a large one is malformed`() throws {
    let folder = try Folder()
    #expect(Self.fault(.file(folder.path + "/none"))?.kind == .missing)
    let path = try folder.write(String(repeating: "a", count: 4097))
    #expect(Self.fault(.file(path))?.kind == .malformed)
    #expect(
      try Self.text(.file(try folder.write(String(repeating: "a", count: 4096)))).count == 4096)
  }

  @Test func `a variable is read, and a missing one told`() throws {
    let path = try #require(ProcessInfo.processInfo.environment["PATH"])
    #expect(try Self.text(.environment("PATH")) == path)
    #expect(Self.fault(.environment("TAGSTATION_TEST_NONE"))?.kind == .missing)
    #expect(Self.fault(.environment("NOT A NAME"))?.kind == .missing)
  }

  @Test func `a credential is a file in the folder that the service manager names`() throws {
    let folder = try Folder()
    let credential = SecretSource.credential("key")
    #expect(throws: SecretFault.self) { try credential.read(credentials: nil) }
    #expect(throws: SecretFault.self) { try credential.read(credentials: folder.path) }
    // An access list for the service's user shows as permissions of the group.
    _ = try folder.write("0A1B2C3D\n", mode: 0o440)
    #expect(try credential.read(credentials: folder.path).count == 8)
    _ = try folder.write("0A1B2C3D\n", mode: 0o444)
    #expect(throws: SecretFault.self) { try credential.read(credentials: folder.path) }
  }

  @Test(arguments: [
    ("db", true), ("tag-key.v2_A", true), (String(repeating: "a", count: 255), true),
    ("", false), (".", false), ("..", false), ("a/b", false), ("a b", false), ("ä", false),
    (String(repeating: "a", count: 256), false),
  ])
  func `credentials have names that stay in their folder`(_ name: String, _ isGood: Bool) {
    #expect(SecretSource.isCredential(name) == isGood)
  }
}
