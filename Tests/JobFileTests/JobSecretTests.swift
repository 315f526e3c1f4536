import Diagnostics
import Foundation
import Secrets
import Testing

@testable import JobFile

/// References to secrets: what they lead to, and what is told without showing them.
@Suite struct JobSecretTests {
  private final class Folder {
    let path = NSTemporaryDirectory() + "tagstation-job-" + UUID().uuidString

    init() throws {
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// A job whose tag is guarded by the password that `reference` names.
    func job(_ reference: String, key: String? = nil, mode: Int = 0o600) throws -> Job {
      if let key {
        try Data(key.utf8).write(to: URL(filePath: path + "/key"))
        try FileManager.default.setAttributes(
          [.posixPermissions: mode], ofItemAtPath: path + "/key")
      }
      let text = "job: a\nsteps: [protect: {password: {\(reference)}}]\n"
      return try #require(JobFile.read(Array(text.utf8), path: path + "/job.yaml").job)
    }
  }

  @Test func `the steps have what the file says`() throws {
    let job = try AcceptedTests.job("passwords")
    let steps = try #require(job.batches.first).steps
    #expect(steps.map(\.name) == ["unprotect", "write", "verify", "protect", "lock"])
    #expect(steps.map(\.writes) == [true, true, false, true, true])
    guard case .protect(let protection) = steps[3].kind else {
      Issue.record("no `protect`")
      return
    }
    #expect(protection.password.source == .file(AcceptedTests.folder + "/tag-password"))
    #expect(protection.pack == [0xBE, 0xEF])
    #expect(protection.from == 4)
    #expect(protection.reading)
    #expect(protection.tries == 7)
    #expect(
      job.secrets.map(\.source) == [.credential("old-tag-password"), protection.password.source])
  }

  @Test func `what is not said is the default`() throws {
    let job = try Folder().job("credential: a")
    guard case .protect(let protection) = job.batches.first?.steps.first?.kind else {
      Issue.record("no `protect`")
      return
    }
    #expect(protection.pack == [0, 0])
    #expect(protection.from == 0)
    #expect(!protection.reading)
    #expect(protection.tries == 0)
  }

  @Test func `a secret is read once and belongs to its reference`() throws {
    let folder = try Folder()
    let job = try folder.job("file: key", key: "0a:1b:2c:3d\n")
    let (secrets, findings) = JobSecrets.read(job, mustHaveAll: true)
    #expect(findings.all == [])
    let reference = try #require(job.secrets.first)
    let secret = try #require(secrets[reference])
    #expect(secret.withBytes { span in span.indices.map { span[$0] } } == [0x0A, 0x1B, 0x2C, 0x3D])
    #expect("\(secrets)".contains("(secret)"))
    #expect(!"\(secrets)".contains("27, 44"))
  }

  @Test(
    arguments: [
      (nil, 0o600, "unreadable"), ("0A1B2C3D", 0o640, "secret-permission"),
      ("0A1B2C3D4E", 0o600, "secret-value"),
    ] as [(String?, Int, String)])
  func `what is wrong with a secret has its place and no content`(
    _ key: String?, _ mode: Int, _ code: String
  ) throws {
    let folder = try Folder()
    let (_, findings) = JobSecrets.read(
      try folder.job("file: key", key: key, mode: mode), mustHaveAll: false)
    #expect(findings.all.map(\.code) == [code])
    let finding = try #require(findings.all.first)
    #expect(finding.place == Place(file: folder.path + "/job.yaml", line: 2, column: 36, length: 3))
    #expect(finding.severity == .error)
    #expect(finding.help != nil)
    #expect(!"\(finding)".contains("0A1B2C3D"))
  }

  @Test(.enabled(if: !SecretSource.hasCredentials, "this is a service with credentials"))
  func `a credential that only a service has is a note until it is needed`() throws {
    let job = try Folder().job("credential: tag-password")
    let checked = JobSecrets.read(job, mustHaveAll: false).findings
    #expect(checked.all.map(\.severity) == [.note])
    let run = JobSecrets.read(job, mustHaveAll: true).findings
    #expect(run.all.map(\.code) == ["unreadable"])
  }

  @Test func `an environment variable draws a warning`() throws {
    let text = "job: a\nsteps: [protect: {password: {env: TAG_PASSWORD}}]\n"
    let (job, findings) = JobFile.read(Array(text.utf8), path: "job.yaml")
    #expect(job != nil)
    #expect(findings.all.map(\.code) == ["secret-env"])
    #expect(findings.all.map(\.severity) == [.warning])
  }

  /// Another secret behind the same name is the same job; another name is not.
  @Test func `the digest of what is written holds names, not secrets`() throws {
    let folder = try Folder()
    let first = try folder.job("file: key", key: "0A1B2C3D").writesDigest
    #expect(try folder.job("file: key", key: "11223344").writesDigest == first)
    #expect(try folder.job("file: other").writesDigest != first)
  }

  @Test(arguments: ["secret-literal", "secret-literal-syntax"])
  func `no finding and no line shows a literal`(name: String) throws {
    let path = "\(SchemaTests.rejected)/\(name).yaml"
    let found = JobFile.read(path).findings
    #expect(found.hasErrors)
    var renderer = Renderer { file in FileManager.default.contents(atPath: file).map { Array($0) } }
    for text in [
      renderer.render(found), "\(found.all.map { "\($0.message) \($0.help ?? "")" })",
    ] {
      for secret in ["0A1B2C3D", "0A:1B", "0x0A", "tiger", "0011223344", "PRIVATE KEY"] {
        #expect(!text.contains(secret), "\(secret) in \(text)")
      }
    }
  }

  @Test(arguments: [
    "steps.0.protect.password=0A1B2C3D", "steps.0.protect={password: 0A1B2C3D}",
    "steps.0.protect.password.file=0A1B2C3D", "steps=[protect: {password: \"0A1B2C3D]",
  ])
  func `a literal that is set beside the file is not shown`(_ text: String) throws {
    let job = "job: a\nsteps: [protect: {password: {file: key}}]\n"
    let findings = JobFile.read(
      Array(job.utf8), path: "job.yaml", overrides: [try #require(JobOverride(text))]
    ).findings
    #expect(findings.hasErrors)
    var renderer = Renderer { _ in Array(job.utf8) }
    #expect(!renderer.render(findings).contains("0A1B2C3D"))
  }
}
