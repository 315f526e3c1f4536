import Bytes
import Readers
import Testing
import VirtualReader

@testable import ReaderSession

/// How a tag would arrive, asked without a session.
@Suite struct InspectionTests {
  @Test(arguments: [
    ("NTAG213", "miFare ultralight", "miFare ultralight"),
    ("ISO7816", "iso7816 D2760000850101", "iso7816 A0000002471001"),
    ("Type4B", "iso7816 D2760000850101", "iso7816 A0000002471001"),
    ("DESFireEV1", "iso7816 D2760000850101", "miFare desfire"),
    ("Plus", "miFare plus", "miFare plus"), ("FeliCaLiteS", "feliCa 88B4", "not delivered"),
  ])
  func `a tag is told for each configuration`(
    _ chip: String, _ all: String, _ narrowed: String
  ) throws {
    let stage = try Stage()
    try stage.place(Stage.image(chip))
    let configurations = [
      try stage.configuration(polling: [.iso14443, .iso18092]),
      try stage.configuration(identifiers: [Stage.travel]),
    ]
    try stage.device.setField(on: true)
    let inspection = try #require(
      try TagInspection(on: stage.device, for: configurations))
    #expect(inspection.isAlone)
    let texts = inspection.arrivals.map { arrival in
      arrival.map {
        ([$0.kind.rawValue, $0.family?.rawValue, $0.initialSelectedAID?.hex, $0.systemCode?.hex]
          as [String?]).compactMap(\.self).joined(separator: " ")
      } ?? "not delivered"
    }
    #expect(texts == [all, narrowed])
  }

  @Test(arguments: ["NTAG213", "FeliCaLiteS"]) func `a second tag beside it is told`(
    _ chip: String
  ) throws {
    let stage = try Stage()
    try stage.place(Stage.image(chip, 1))
    try stage.place(Stage.image(chip, 2))
    try stage.device.setField(on: true)
    #expect(try TagInspection(on: stage.device, for: [])?.isAlone == false)
  }
}
