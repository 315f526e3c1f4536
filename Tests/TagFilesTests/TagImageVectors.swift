import Bytes
import Foundation
import TagFiles
import Testing

/// One tag image of Fixtures/tag-images.json.
struct ImageVector: Decodable, Sendable, CustomTestStringConvertible {
  var name: String
  var chip: String
  var uid: String
  var unit: Int
  var units: [String]

  var testDescription: String { name }
  var bytes: [UInt8] { units.flatMap { [UInt8](hex: $0) ?? [] } }

  /// The chip, of the names that the file uses.
  var imageChip: ImageChip? {
    switch chip {
    case "MF0ICU1": .ultralight
    case "MF0ICU2": .ultralightC
    case "MF0UL11": .ultralightEV1Small
    default: ImageChip(rawValue: chip)
    }
  }

  static let type2: [ImageVector] = {
    struct File: Decodable { var images: [ImageVector] }
    let file = try? JSONDecoder().decode(File.self, from: Data(fixture("tag-images.json")))
    return file?.images.filter { $0.unit == 4 } ?? []
  }()
}

/// The path of a file in Fixtures.
func path(_ name: String) -> String {
  Bundle.module.bundleURL.appending(path: "Fixtures/\(name)").path
}

/// The content of a file in Fixtures; empty if it is missing.
func fixture(_ name: String) -> [UInt8] {
  FileManager.default.contents(atPath: path(name)).map { [UInt8]($0) } ?? []
}
