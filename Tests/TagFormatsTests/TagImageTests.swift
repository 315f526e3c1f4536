import Bytes
import Foundation
import Testing

@testable import TagFormats

/// Memories of real and synthetic tags from public test suites, whose messages are known there.
@Suite struct TagImageTests {
  struct File: Decodable { var images: [Image] }

  struct Image: Decodable, Sendable, CustomTestStringConvertible {
    var name: String
    var chip: String
    var uid: String
    var units: [String]
    var ndef: String
    var testDescription: String { name }
  }

  static let images: [Image] = {
    guard let folder = Bundle.module.resourceURL,
      let data = try? Data(contentsOf: folder.appending(path: "Fixtures/type2-images.json")),
      let file = try? JSONDecoder().decode(File.self, from: data)
    else { return [] }
    return file.images
  }()

  @Test func `there are images`() { #expect(Self.images.count == 11) }

  @Test(arguments: images)
  func `an image reads as its source says`(_ image: Image) throws {
    let link = MemoryTag(
      pages: image.units.map { bytes($0) }, uid: bytes(image.uid),
      hasFastRead: image.chip.hasPrefix("NTAG") || image.chip == "MF0UL11")
    let chip: Chip =
      switch image.chip {
      case "MF0UL11": .ultralightEV1Small
      case "MF0ICU1": .ultralight
      case "MF0ICU2": .ultralightC
      default: Chip(rawValue: image.chip) ?? .unknown
      }
    let survey = try Type2Tag(link, chip: chip).survey()
    if !image.ndef.isEmpty {
      #expect(survey.content == .message(bytes(image.ndef)))
    } else if image.units[3].hasPrefix("e1") {
      #expect(survey.content == .empty)
    } else {
      guard case .unformatted = survey.content else {
        Issue.record("\(survey.content)")
        return
      }
    }
    if image.name.hasSuffix("readonly") {
      guard case .locked = survey.obstacle else {
        Issue.record("\(String(describing: survey.obstacle))")
        return
      }
    }
  }
}
