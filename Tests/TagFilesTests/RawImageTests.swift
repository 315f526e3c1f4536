import Bytes
import Diagnostics
import Foundation
import Platform
import TagFiles
import Testing

struct RawImageTests {
  @Test(arguments: [
    (64, ImageChip.ultralight), (80, .ultralightEV1Small), (164, .ultralightEV1Large),
    (168, .ntag203), (180, .ntag213), (192, .ultralightC), (540, .ntag215), (924, .ntag216),
  ])
  func `the size tells the chip`(size: Int, chip: ImageChip) throws {
    let bytes = (0..<size).map { UInt8(truncatingIfNeeded: $0) }
    let image = try TagFiles.image(in: bytes, of: "tag.mfd")
    #expect(image.chip == chip)
    #expect(image.uid == [0, 1, 2, 4, 5, 6, 7])
    #expect(image.version == chip.version)
    #expect(TagFiles.rawBytes(of: image) == bytes)
  }

  @Test func `a chip may be named where two have one size`() throws {
    let image = try TagFiles.rawImage(
      in: [UInt8](repeating: 0, count: 80), of: "tag.bin", chip: .ntag210)
    #expect(image.chip == .ntag210)
  }

  @Test(arguments: [0, 1, 7, 63, 65, 532, 1024])
  func `another size is refused`(size: Int) {
    let error = #expect(throws: TagFileError.self) {
      try TagFiles.image(in: [UInt8](repeating: 0, count: size), of: "tag.bin")
    }
    #expect(
      error?.description
        == "tag.bin: the raw image has \(size) bytes, which is not the size of an NTAG or "
        + "Ultralight memory")
  }

  @Test func `a size that the named chip does not have is refused`() {
    let error = #expect(throws: TagFileError.self) {
      try TagFiles.rawImage(in: [1, 2], of: "tag.bin", chip: .ntag213)
    }
    #expect(
      error?.description
        == "tag.bin: the raw image has 2 bytes, which is not 180 bytes for NTAG213")
  }

  @Test func `a file that is missing, a folder or too large is an error`() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let large = folder.appending(path: "large.nfc").path
    try Data(count: (1 << 20) + 1).write(to: URL(filePath: large))
    for path in [folder.path, folder.appending(path: "none.nfc").path, large] {
      let error = #expect(throws: TagFileError.self) { try TagFiles.read(path) }
      guard case .unreadable = error else {
        Issue.record("\(path): \(String(describing: error))")
        continue
      }
    }
  }
}
