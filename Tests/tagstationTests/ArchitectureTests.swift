import Foundation
import Testing

/// The package's shape, as the design fixes it.
struct ArchitectureTests {
  /// The floor of every target; C libraries have none and belong to those who wrap them.
  private static let floors: [String: Int] = [
    "Bytes": -2, "Platform": -1,
    "NDEF": 0, "VirtualReader": 0, "Diagnostics": 0, "Digests": 0, "Patterns": 0,
    "Secrets": 0,
    "YAMLTree": 1, "TagFiles": 1,
    "Readers": 2, "Declarations": 2, "Templates": 2, "DataSource": 2,
    "TagFormats": 3,
    "ReaderSession": 4, "JobFile": 4, "Ledger": 4,
    "StationRunner": 5,
    "tagstation": 6, "benchmark": 6, "fuzz": 6,
  ]

  /// The one target that wraps each C library; what Glibc hides may be used by several.
  private static let wrappers: [String: Set<String>] = [
    "CLibNFC": ["Readers"], "CLibYAML": ["YAMLTree"], "CSQLite": ["Ledger"],
    "CCrypto": ["Digests"], "CPCRE2": ["Patterns"],
    "CSystem": ["Platform", "VirtualReader", "Readers", "Secrets"],
  ]

  /// Where calls without memory safety may be made.
  private static let unsafeOwners: Set<String> = [
    "Platform", "Readers", "VirtualReader", "YAMLTree", "Ledger", "Digests", "Patterns",
    "Templates", "Secrets",
  ]

  private static let root = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  private struct SourceFile: CustomTestStringConvertible {
    let target: String
    let name: String
    let lines: [String]
    var testDescription: String { "\(target)/\(name)" }
    func place(_ index: Int) -> String { "\(testDescription):\(index + 1)" }
  }

  private static func sources(in folder: String) throws -> [SourceFile] {
    let top = root.appending(path: folder)
    let names = try FileManager.default.subpathsOfDirectory(atPath: top.path())
    return try names.filter { $0.hasSuffix(".swift") }.sorted().map { name in
      let text = try String(contentsOf: top.appending(path: name), encoding: .utf8)
      let parts = name.split(separator: "/", maxSplits: 1)
      return SourceFile(
        target: String(parts[0]), name: String(parts.last ?? ""),
        lines: text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init))
    }
  }

  /// Each target's declared dependencies, from `swift package describe`.
  private static func dependencies() throws -> [String: [String]] {
    struct Package: Decodable {
      struct Target: Decodable {
        var name: String
        var type: String
        var target_dependencies: [String]?
      }
      var targets: [Target]
    }
    // A scratch path of its own: `swift test` may hold the lock on the usual one.
    let scratch = FileManager.default.temporaryDirectory.appending(
      path: "tagstation-describe-\(ProcessInfo.processInfo.processIdentifier)")
    defer { try? FileManager.default.removeItem(at: scratch) }
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = [
      "swift", "package", "--package-path", root.path(), "--scratch-path", scratch.path(),
      "describe", "--type", "json",
    ]
    let output = Pipe()
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    let bytes = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    let package = try JSONDecoder().decode(Package.self, from: bytes)
    var dependencies: [String: [String]] = [:]
    for target in package.targets where target.type != "test" && target.type != "system-target" {
      dependencies[target.name] = target.target_dependencies ?? []
    }
    return dependencies
  }

  @Test func `a target depends on targets of lower floors only`() throws {
    let dependencies = try Self.dependencies()
    #expect(Set(dependencies.keys) == Set(Self.floors.keys))
    for (target, needed) in dependencies {
      for name in needed { Self.expect(target, mayUse: name) }
    }
  }

  @Test func `a file imports targets of lower floors only`() throws {
    for file in try Self.sources(in: "Sources") {
      for line in file.lines {
        guard let name = Self.imported(line) else { continue }
        if Self.floors[name] != nil || Self.wrappers[name] != nil {
          Self.expect(file.target, mayUse: name)
        }
        #expect(name != "Foundation", "\(file.testDescription) imports all of Foundation")
      }
    }
  }

  private static func expect(_ target: String, mayUse name: String) {
    if let wrappers = wrappers[name] {
      #expect(wrappers.contains(target), "\(target) uses \(name)")
    } else if let floor = floors[target], let other = floors[name] {
      #expect(other < floor, "\(target) (\(floor)) uses \(name) (\(other))")
    } else {
      Issue.record("\(target) or \(name) has no floor")
    }
  }

  /// The module that a line imports.
  private static func imported(_ line: String) -> String? {
    let words = line.split(separator: " ")
    guard let index = words.firstIndex(of: "import"), words.count > index + 1,
      words[..<index].allSatisfy({
        ["internal", "package", "public", "private", "fileprivate"].contains($0)
          || $0.hasPrefix("@")
      })
    else { return nil }
    return words[index + 1].split(separator: ".").first.map(String.init)
  }

  @Test func `only the owners of C libraries step out of memory safety`() throws {
    for file in try Self.sources(in: "Sources") where !Self.unsafeOwners.contains(file.target) {
      for (index, line) in file.lines.enumerated() where line.contains("unsafe") {
        let code = line.split(separator: "//", omittingEmptySubsequences: false).first ?? ""
        if code.contains(/\bunsafe\b/) { Issue.record("\(file.place(index)): \(line)") }
      }
    }
  }

  @Test func `what other targets can see is documented`() throws {
    let files = try Self.sources(in: "Sources")
    let promised = Self.requirements(in: files)
    for file in files {
      for (index, line) in file.lines.enumerated()
      where Self.needsWords(line) && !Self.isDocumented(index, in: file.lines) {
        if let name = line.firstMatch(of: /\bfunc (\w+)/)?.1, promised.contains(String(name)) {
          continue
        }
        Issue.record("\(file.place(index)): \(line)")
      }
    }
  }

  /// The names of functions that protocols describe: those who keep the promise need not repeat it.
  private static func requirements(in files: [SourceFile]) -> Set<String> {
    var names: Set = ["enqueue", "checkIsolated", "hash"]
    for file in files where file.lines.contains(where: { $0.contains(/\bprotocol \w/) }) {
      for (index, line) in file.lines.enumerated() where isDocumented(index, in: file.lines) {
        if let name = line.firstMatch(of: /^  (?:mutating )?func (\w+)/)?.1 {
          names.insert(String(name))
        }
      }
    }
    return names
  }

  /// Whether a line declares something for other targets whose name alone does not say it all.
  ///
  /// Members of values, memberwise initializers and operators may go without.
  private static func needsWords(_ line: String) -> Bool {
    let code = line.drop { $0 == " " }
    let isMember = code.startIndex != line.startIndex
    guard code.contains("package ") || code.contains("public ") else { return false }
    guard let visible = code.firstMatch(of: /^(?:@\w+ )*(?:package|public) (.*)$/)?.1 else {
      return false
    }
    if visible.contains(/^(import|extension)\b/) { return false }
    return !isMember || visible.contains(/\bfunc \w|\b(class|protocol|actor|typealias)\b/)
  }

  private static func isDocumented(_ index: Int, in lines: [String]) -> Bool {
    for line in lines[..<index].reversed() {
      let code = line.drop { $0 == " " }
      if code.hasPrefix("///") { return true }
      if !code.hasPrefix("@") { return false }
    }
    return false
  }

  @Test(arguments: ["Sources", "Tests"])
  func `no file is longer than five hundred lines`(_ folder: String) throws {
    for file in try Self.sources(in: folder) {
      #expect(file.lines.count <= 500, "\(file.testDescription)")
    }
  }
}
