import Foundation
import Testing

/// Secrets are planted wherever they may come from, and looked for in everything that the program leaves behind.
@Suite struct SecretLeakTests {
  /// One password in the ways that a leak may write it.
  struct Planted: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// What stands in the file, the variable or the credential.
    let text: String
    let hex: String
    let base64: String
    /// The bytes themselves.
    let raw: [UInt8]

    /// Where `content` has it: hexadecimal digits are found whatever stands between them.
    func forms(in content: Data) -> [String] {
      var found: [String] = []
      if content.range(of: Data(raw)) != nil { found.append("raw") }
      let text = String(decoding: content, as: UTF8.self)
      if text.contains(base64) { found.append("base64") }
      let joined = text.lowercased().filter { !" :-_,x\"[]\n\t".contains($0) }
      if joined.contains(hex) { found.append("hex") }
      return found
    }
  }

  /// RFC 4648 by hand: C0FFEE42 is `wP/uQg==`, 5A713721 is `WnE3IQ==`.
  static let planted = [
    Planted(
      testDescription: "hexadecimal", text: "C0:FF:EE:42", hex: "c0ffee42", base64: "wP/uQg",
      raw: [0xC0, 0xFF, 0xEE, 0x42]),
    Planted(
      testDescription: "raw", text: "Zq7!", hex: "5a713721", base64: "WnE3IQ",
      raw: Array("Zq7!".utf8)),
  ]

  /// All that the program said and wrote, with what it was asked.
  private final class Trail {
    let folder: ScratchFolder
    let secret: Planted
    private var said: [(words: String, data: Data)] = []
    private(set) var statuses: [String: Int32] = [:]

    init(_ secret: Planted) throws {
      self.secret = secret
      folder = try ScratchFolder()
      try folder.write(
        "station.yaml",
        """
        station: leak
        declarations: {formats: [TAG], usageDescription: Guard tags}
        readers:
          bench: {virtual: {tags: [2 x NTAG213], keep: tags, timing: none}}
        """)
      try FileManager.default.createDirectory(
        at: folder.url.appending(path: "credentials"), withIntermediateDirectories: true)
      for name in ["secret-key", "credentials/secret-key"] {
        try folder.write(name, secret.text)
        try folder.makePrivate(name)
      }
    }

    /// Runs the program with the secret in a variable, and libnfc as talkative as it can be.
    @discardableResult
    func run(_ words: String...) throws -> BuiltProgram.Result {
      let result = try BuiltProgram.run(
        "/usr/bin/env",
        [
          "TAG_PASSWORD=\(secret.text)", "LIBNFC_LOG_LEVEL=3",
          "CREDENTIALS_DIRECTORY=\(folder.url.path())/credentials", BuiltProgram.path,
        ] + words, in: folder.url)
      let line = words.joined(separator: " ")
      said.append((line, Data((result.output + result.errors).utf8)))
      statuses[line] = result.status
      return result
    }

    /// Everything that a person may ask of a job, in every form.
    func askAll(_ job: String) throws {
      for format in ["human", "json", "sarif", "github"] {
        try run("check", "--format", format, job)
      }
      try run("config", job)
      try run("run", "--dry-run", job)
      try run("run", "--format", "jsonl", "--progress", "plain", job)
      try run("run", job)
    }

    /// Where the secret was found; `except` are the files that it was planted in.
    func leaks(except names: Set<String>) throws -> [String] {
      var found: [String] = []
      for (words, data) in said {
        for form in secret.forms(in: data) { found.append("\(form) in what `\(words)` said") }
      }
      for name in try FileManager.default.subpathsOfDirectory(atPath: folder.url.path()) {
        // The memory of a tag has its password, as a chip does.
        if names.contains(name) || name.contains("secret-key") || name.hasSuffix(".nfc") {
          continue
        }
        let url = folder.url.appending(path: name)
        let attributes = try FileManager.default.attributesOfItem(atPath: url.path())
        guard attributes[.type] as? FileAttributeType == .typeRegular else { continue }
        let data = try FileHandle(forReadingFrom: url).readToEnd() ?? Data()
        for form in secret.forms(in: data) { found.append("\(form) in \(name)") }
      }
      return found
    }
  }

  private static func job(_ name: String, _ password: String) -> String {
    """
    job: \(name)
    station: station.yaml
    accept: {content: any}
    stop: {whenIdleFor: 1s}
    steps:
      - unprotect: {password: \(password)}
      - write: [{uri: "https://example.com/c/1"}]
      - verify
      - read: {into: reads.csv, fields: [time, uid, message, records]}
      - protect: {password: \(password), pack: "BEEF", reading: true, tries: 7}
      - lock

    """
  }

  private static let references = [
    "{file: secret-key}", "{env: TAG_PASSWORD}", "{credential: secret-key}",
  ]

  @Test(arguments: planted, references)
  func `a secret that is used is in nothing that is left behind`(
    _ secret: Planted, _ reference: String
  ) throws {
    let trail = try Trail(secret)
    try trail.folder.write("job.yaml", Self.job("used", reference))
    try trail.askAll("job.yaml")
    // It was used, and the tags came back.
    #expect(trail.statuses["run --format jsonl --progress plain job.yaml"] == 0)
    #expect(trail.statuses["run job.yaml"] == 0)
    let memory = try Data(contentsOf: trail.folder.url.appending(path: "tags/bench-1.nfc"))
    #expect(trail.secret.forms(in: memory) == ["hex"])
    #expect(try trail.leaks(except: []) == [])
  }

  @Test(arguments: planted)
  func `a secret that is refused is in nothing that is left behind`(_ secret: Planted) throws {
    let trail = try Trail(secret)
    // The tags have another password.
    try trail.folder.write("other", "11223344")
    try trail.folder.makePrivate("other")
    try trail.folder.write("guard.yaml", Self.job("guard", "{file: other}"))
    try trail.folder.write("wrong.yaml", Self.job("wrong", "{file: secret-key}"))
    #expect(try trail.run("run", "guard.yaml").status == 0)
    try trail.askAll("wrong.yaml")
    #expect(trail.statuses["run wrong.yaml"] == 1)
    let log = try String(
      contentsOf: trail.folder.url.appending(path: "var/leak.jsonl"), encoding: .utf8)
    #expect(log.contains("\"cause\":\"password\""))
    // Others may read the file; it has the wrong length; it is gone.
    try trail.folder.makePrivate("secret-key", mode: 0o644)
    try trail.askAll("wrong.yaml")
    #expect(trail.statuses["run wrong.yaml"] == 77)
    #expect(trail.statuses["check --format json wrong.yaml"] == 77)
    try trail.folder.write("secret-key", secret.text + secret.text + "!")
    try trail.folder.makePrivate("secret-key")
    try trail.askAll("wrong.yaml")
    #expect(trail.statuses["run wrong.yaml"] == 65)
    try FileManager.default.removeItem(at: trail.folder.url.appending(path: "secret-key"))
    try trail.askAll("wrong.yaml")
    #expect(trail.statuses["run wrong.yaml"] == 66)
    #expect(try trail.leaks(except: []) == [])
  }

  @Test(arguments: planted)
  func `a secret that stands in a job is in nothing that is left behind`(
    _ secret: Planted
  ) throws {
    let trail = try Trail(secret)
    let literals = [
      "\"\(secret.text)\"", "\n          \"\(secret.text)\"", "&key \"\(secret.text)\"",
      "{file: \"\(secret.hex)\"}", "{env: \"\(secret.text)\"}",
      "\"\(secret.text)", "[\"\(secret.text)\"]", "{\"\(secret.text)\": }", "\"\(secret.base64)\"",
    ]
    for (index, literal) in literals.enumerated() {
      try trail.folder.write("literal-\(index).yaml", Self.job("literal", literal))
      try trail.askAll("literal-\(index).yaml")
      #expect(trail.statuses["check --format human literal-\(index).yaml"] == 65, "\(literal)")
      #expect(trail.statuses["run literal-\(index).yaml"] == 65, "\(literal)")
    }
    try trail.folder.write("good.yaml", Self.job("good", "{file: secret-key}"))
    for text in [
      "steps.0.unprotect.password=\"\(secret.text)\"", "steps.0.unprotect.password \(secret.text)",
      "steps.0.unprotect={password: \"\(secret.text)\"}",
      "steps.0.unprotect.password.file=\(secret.hex)",
    ] {
      for command in ["check", "config", "run"] {
        let result = try trail.run(command, "good.yaml", "--set", text)
        #expect(result.status == (text.contains("=") ? 65 : 64), "\(command) \(text)")
      }
    }
    // What it was asked has the secret in it; what it said has not.
    #expect(
      try trail.leaks(except: Set(literals.indices.map { "literal-\($0).yaml" })).map {
        $0.prefix(60)
      } == [])
  }
}
