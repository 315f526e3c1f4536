import Bytes
import Foundation
import Testing

@testable import VirtualReader

/// Images of real tags go into virtual chips and come out the same.
struct ChipImageTests {
  struct Vectors: Decodable {
    struct Image: Decodable {
      let name: String
      let chip: String
      let uid: String
      let units: [String]
      let signature: String?
    }
    let images: [Image]
  }

  private func images() throws -> [(name: String, image: ChipImage)] {
    let file = try #require(
      Bundle.module.url(
        forResource: "tag-images", withExtension: "json", subdirectory: "Fixtures"))
    let vectors = try JSONDecoder().decode(Vectors.self, from: Data(contentsOf: file))
    let names = ["MF0ICU1": "Ultralight", "MF0UL11": "UltralightEV1-48"]
    return try vectors.images.map { vector in
      let uid = try #require([UInt8](hex: vector.uid))
      var image = try #require(
        VirtualChips.make(name: names[vector.chip] ?? vector.chip, uid: uid))
      image.pages = try vector.units.flatMap { try #require([UInt8](hex: $0)) }
      if let signature = vector.signature { image.signature = [UInt8](hex: signature) ?? [] }
      return (vector.name, image)
    }
  }

  @Test func `an image comes out of a chip as it went in`() throws {
    for (name, image) in try images() {
      #expect(try Bench(image).chip.image == image, "\(name)")
    }
  }

  @Test func `check bytes of the UID are those of real tags`() throws {
    for (name, image) in try images() {
      let made = try #require(VirtualChips.make(name: image.chip, uid: image.uid))
      #expect(made.pages[..<9] == image.pages[..<9], "\(name)")
    }
  }

  @Test func `a factory-new NTAG216 is like a real one`() throws {
    let real = try #require(try images().first { $0.name == "proxmark3-ntag216-empty" }?.image)
    let made = try #require(VirtualChips.make(name: "NTAG216", uid: real.uid))
    #expect(made.version.hex == "0004040201001303")
    // User memory and lock bytes; a reader cannot see PWD and PACK.
    #expect(made.pages.prefix(227 * 4).hex == real.pages.prefix(227 * 4).hex)
  }

  @Test func `the formatted read-only Ultralight refuses to be written`() throws {
    let image = try #require(
      try images().first { $0.name == "nfctools-mful_formatted_readonly" }?.image)
    var bench = try Bench(image)
    for page in 2...15 {
      let answer = bench.fresh("A2" + [UInt8(page)].hex + "00000000")
      #expect(answer == (page == 2 ? "ACK" : "NAK 0"))
    }
    #expect(bench.chip.image == image)
  }

  @Test func `images that fit no chip are refused`() throws {
    var image = try #require(VirtualChips.make(name: "NTAG213", uid: Host.uid))
    #expect(VirtualChips.canMake(image))
    image.pages.removeLast()
    #expect(!VirtualChips.canMake(image))
    #expect(VirtualChips.make(name: "NTAG999", uid: Host.uid) == nil)
    #expect(VirtualChips.make(name: "NTAG213", uid: [0x04]) == nil)
  }
}
