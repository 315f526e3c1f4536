import Declarations
import Diagnostics
import ReaderSession
import Testing

/// Narrowing what the station declares.
@Suite struct NarrowingTests {
  static let identifiers: [[UInt8]] = [
    [0xD2, 0x76, 0x00, 0x00, 0x85, 0x01, 0x01], [0xA0, 0x00, 0x00, 0x24, 0x71, 0x00, 0x01],
  ]

  static func declarations(_ formats: [String] = ["TAG"]) -> Declarations {
    Declarations(
      formats: formats, usageDescription: "Test tags", selectIdentifiers: identifiers,
      place: Place(file: "station.yaml", line: 1, column: 1))
  }

  private func narrow(
    _ identifiers: [[UInt8]], polling: [SessionConfiguration.Technology] = [.iso14443],
    _ declarations: Declarations = NarrowingTests.declarations()
  ) throws(Invalidation) -> SessionConfiguration {
    try SessionConfiguration(
      kind: .tag, polling: polling, selectIdentifiers: identifiers, systemCodes: [],
      of: declarations)
  }

  @Test func `an empty list means all that is declared`() throws {
    #expect(try narrow([]).selectIdentifiers == Self.identifiers)
  }

  @Test func `order is kept, unknown and repeated entries are dropped and said`() throws {
    let wanted = [Self.identifiers[1], [0xA1], Self.identifiers[0], Self.identifiers[1]]
    let configuration = try narrow(wanted)
    #expect(configuration.selectIdentifiers == [Self.identifiers[1], Self.identifiers[0]])
    #expect(configuration.dropped == ["A1", "A0000024710001"])
  }

  @Test func `a list of which nothing is declared is code 2`() {
    #expect(code { () throws(Invalidation) in try narrow([[0xA1]]) } == 2)
  }

  @Test func `a missing format is code 2`() {
    #expect(
      code { () throws(Invalidation) in try narrow([], Self.declarations(["PACE"])) } == 2)
  }

  @Test func `FeliCa without system codes is code 2`() {
    #expect(code { () throws(Invalidation) in try narrow([], polling: [.iso18092]) } == 2)
  }

  private func code(
    _ body: () throws(Invalidation) -> SessionConfiguration
  ) -> Int? {
    do throws(Invalidation) {
      _ = try body()
      return nil
    } catch {
      return error.code.rawValue
    }
  }
}
