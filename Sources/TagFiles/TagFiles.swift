internal import Diagnostics
internal import Platform

/// Tag files of other programs, read and written: Flipper `.nfc` and raw memory (`.mfd`, `.bin`).
package enum TagFiles {
  /// No image needs more: 492 pages of 20 characters a line, and room for comments.
  static let sizeLimit = 1 << 20

  /// The image in the file at `path`, whose content tells the format.
  package static func read(_ path: String) throws(TagFileError) -> TagImage {
    let bytes: [UInt8]
    do throws(SystemError) {
      bytes = try Files.read(path, limit: sizeLimit)
    } catch {
      throw .unreadable(error)
    }
    return try image(in: bytes, of: path)
  }

  /// The image in `bytes`, which are the content of the file named `path`.
  package static func image(
    in bytes: [UInt8], of path: String
  ) throws(TagFileError) -> TagImage {
    if path.hasSuffix(".nfc") || FlipperLines.isFlipper(bytes) {
      return try FlipperReader(bytes, of: path).image()
    }
    return try rawImage(in: bytes, of: path)
  }

  /// The image whose memory `bytes` are, for a `chip` or for the one that their number tells.
  ///
  /// The file has no room for a UID other than that in pages 0 and 1, for counters and signature.
  package static func rawImage(
    in bytes: [UInt8], of path: String, chip: ImageChip? = nil
  ) throws(TagFileError) -> TagImage {
    guard let chip = chip ?? ImageChip(rawSize: bytes.count), bytes.count == chip.pageCount * 4
    else {
      let expected =
        chip.map { "\($0.pageCount * 4) bytes for \($0.rawValue)" }
        ?? "the size of an NTAG or Ultralight memory"
      throw .content(
        "the raw image has \(bytes.count) bytes, which is not \(expected)", at: Place(file: path))
    }
    return TagImage(chip: chip, uid: Array(bytes[0..<3] + bytes[4..<8]), pages: bytes)
  }

  /// The image as raw memory.
  package static func rawBytes(of image: TagImage) -> [UInt8] { image.pages }
}
