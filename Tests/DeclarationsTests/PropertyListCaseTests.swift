import Bytes
import Diagnostics
import Foundation
import Testing

@testable import Declarations

/// Property lists with the exact text that they are answered with, and what is declared then.
///
/// A case is a folder of `cases` with `Info.plist`, perhaps `App.entitlements`, and `expected.txt`;
/// one whose name begins with `eu-` has the region EU. With `RECORD_PROPERTY_LISTS` set to the source
/// folder of the cases, the texts are written instead of compared.
@Suite struct PropertyListCaseTests {
  static let folder = Bundle.module.bundlePath + "/Fixtures/cases"

  static var names: [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted()
  }

  static func file(_ name: String, _ file: String) -> PropertyListFile? {
    let path = "\(folder)/\(name)/\(file)"
    return FileManager.default.contents(atPath: path).map {
      PropertyListFile(path: path, bytes: Array($0))
    }
  }

  static func read(_ name: String) throws -> (declarations: Declarations?, findings: Findings) {
    var findings = Findings()
    let declarations = Declarations.read(
      infoPlist: try #require(file(name, "Info.plist")),
      entitlements: file(name, "App.entitlements"),
      region: name.hasPrefix("eu-") ? "EU" : nil, findings: &findings)
    return (declarations, findings)
  }

  static func text(_ declarations: Declarations?) -> String {
    guard let declarations else { return "nothing declared\n" }
    return """
      formats: \(declarations.formats.joined(separator: " "))
      usageDescription: \(declarations.usageDescription ?? "none")
      selectIdentifiers: \(declarations.selectIdentifiers.map(\.hex).joined(separator: " "))
      systemCodes: \(declarations.systemCodes.map(\.hex).joined(separator: " "))

      """
  }

  @Test(arguments: names) func `a property list is answered with its text`(name: String) throws {
    var (declarations, findings) = try Self.read(name)
    findings.sortByPlace()
    var renderer = Renderer { file in FileManager.default.contents(atPath: file).map { Array($0) } }
    let text = (renderer.render(findings) + Self.text(declarations))
      .replacingOccurrences(of: Self.folder + "/", with: "")
    if let target = ProcessInfo.processInfo.environment["RECORD_PROPERTY_LISTS"] {
      try Data(text.utf8).write(to: URL(filePath: "\(target)/\(name)/expected.txt"))
      return
    }
    let expected = try String(
      contentsOfFile: "\(Self.folder)/\(name)/expected.txt", encoding: .utf8)
    #expect(text == expected)
  }

  @Test func `there are cases`() { #expect(Self.names.count >= 30) }

  /// The two forms of one list, written by Python's plistlib, say the same.
  @Test(arguments: ["good", "bad-entries", "wrong-types", "payment", "eu-payment", "nothing-left"])
  func `a binary list declares what its XML form does`(name: String) throws {
    let xml = try Self.read(name)
    let binary = try Self.read(name + "-binary")
    #expect(Self.text(xml.declarations) == Self.text(binary.declarations))
    #expect(xml.findings.all.map(\.code) == binary.findings.all.map(\.code))
    #expect(xml.findings.all.allSatisfy { $0.place?.line ?? 0 > 0 })
    #expect(binary.findings.all.allSatisfy { $0.place?.line == 0 })
  }
}
