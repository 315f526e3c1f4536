import Declarations
import Diagnostics
import Foundation
import Testing

@testable import JobFile

/// Declarations that a station takes from an app's property lists.
@Suite struct AppDeclarationTests {
  static let cases = SchemaTests.rejected + "/app"
  static let examples = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "examples").path()

  @Test func `a station declares what an app declares`() throws {
    let (station, findings) = StationFile.read(Self.examples + "/app-station.yaml")
    #expect(findings.all == [])
    let declarations = try #require(station).declarations
    #expect(declarations.formats == ["TAG"])
    #expect(declarations.usageDescription == "Check the loyalty cards of example.com")
    #expect(declarations.selectIdentifiers == [[0xD2, 0x76, 0, 0, 0x85, 1, 1]])
    #expect(declarations.systemCodes == [[0x12, 0xFC]])
    #expect(declarations.place.file.hasSuffix("app-station.yaml") && declarations.place.line == 5)
  }

  @Test func `an app can be looked at without a station`() throws {
    let app = Self.examples + "/app"
    let (declarations, findings) = AppDeclarations.read(
      infoPlist: app + "/Info.plist", entitlements: nil)
    #expect(findings.all == [])
    #expect(try #require(declarations).formats == [])
    #expect(declarations?.systemCodes == [[0x12, 0xFC]])
  }

  @Test func `payment applications of an app need the region`() {
    let (info, rights) = (Self.cases + "/Payment.plist", Self.cases + "/App.entitlements")
    let (declarations, findings) = AppDeclarations.read(
      infoPlist: info, entitlements: rights, region: "EU")
    #expect(findings.all.map(\.code) == ["payment", "payment"])
    #expect(declarations?.selectIdentifiers == [[0xD2, 0x76, 0, 0, 0x85, 1, 1]])
  }

  @Test(arguments: ["", "None.plist"]) func `a file that cannot be read is told`(name: String) {
    let path = Self.cases + (name.isEmpty ? "" : "/" + name)
    let (declarations, findings) = AppDeclarations.read(infoPlist: path, entitlements: path)
    #expect(declarations == nil)
    #expect(findings.all.map(\.code) == ["unreadable", "unreadable"])
    #expect(findings.all.first?.place == Place(file: path))
  }

  /// What a session lacks is to be added where the app declares it.
  @Test func `help names the app's files`() throws {
    let (declarations, _) = AppDeclarations.read(
      infoPlist: Self.cases + "/Keys.plist", entitlements: Self.cases + "/App.entitlements")
    let app = try #require(declarations)
    #expect(
      app.remedy(for: .usageDescription)
        == "add `NFCReaderUsageDescription` to \(Self.cases)/Keys.plist; "
        + "no session begins without it")
    #expect(app.remedy(for: .payment).contains("\(Self.cases)/App.entitlements"))
    let (bare, _) = AppDeclarations.read(
      infoPlist: Self.cases + "/Keys.plist", entitlements: nil)
    #expect(try #require(bare).remedy(for: .format).contains("`entitlements: …`"))
  }
}
