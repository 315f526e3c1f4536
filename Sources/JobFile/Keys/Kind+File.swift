internal import DataSource
internal import Diagnostics
internal import Glibc
internal import Platform
internal import YAMLTree

extension Kind where Value == [UInt8] {
  /// The largest file that goes into a record; no supported tag holds more.
  private static var largest: Int { 128 << 10 }

  /// The content of a file, read when the job is.
  static var fileContent: Kind {
    Kind(.text(.path)) { node, reading in
      guard let path = Kind<String>.path.read(node, &reading) else { return nil }
      do throws(SystemError) {
        return try Files.read(path, limit: largest)
      } catch {
        let isLarge = error.code == EFBIG
        reading.error(
          isLarge ? "too-large" : "unreadable",
          isLarge ? "the file is larger than 128 KiB" : "cannot read \(path): \(error.reason)",
          at: node.place, help: NearFile.suggestion(for: path))
        return nil
      }
    }
  }
}

extension Kind where Value == (type: String, bytes: [UInt8]) {
  /// A picture with the media type that its first bytes say.
  static var icon: Kind {
    Kind<[UInt8]>.fileContent.map { bytes, node, reading in
      if let type = mediaType(of: bytes) { return (type, bytes) }
      reading.error(
        "icon", "the file is no picture that a phone shows", at: node.place,
        help: "PNG, JPEG, GIF, WebP or SVG")
      return nil
    }
  }

  private static func mediaType(of bytes: [UInt8]) -> String? {
    if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47]) { return "image/png" }
    if bytes.starts(with: [0xFF, 0xD8, 0xFF]) { return "image/jpeg" }
    if bytes.starts(with: "GIF8".utf8) { return "image/gif" }
    if bytes.starts(with: "RIFF".utf8), bytes.dropFirst(8).starts(with: "WEBP".utf8) {
      return "image/webp"
    }
    let head = String(decoding: bytes.prefix(1024), as: UTF8.self)
    return head.contains("<svg") ? "image/svg+xml" : nil
  }
}

extension [UInt8] {
  /// The bytes that `text` writes in Base64 (RFC 4648 section 4); `nil` if it writes none.
  ///
  /// Line breaks and spaces are passed over; the padding may be left out.
  init?(base64 text: String) {
    var bytes: [UInt8] = []
    var bits: UInt32 = 0
    var count = 0
    var padding = 0
    for character in text.utf8 {
      let value: UInt8
      switch character {
      case UInt8(ascii: "A")...UInt8(ascii: "Z"): value = character - UInt8(ascii: "A")
      case UInt8(ascii: "a")...UInt8(ascii: "z"): value = character - UInt8(ascii: "a") + 26
      case UInt8(ascii: "0")...UInt8(ascii: "9"): value = character - UInt8(ascii: "0") + 52
      case UInt8(ascii: "+"): value = 62
      case UInt8(ascii: "/"): value = 63
      case UInt8(ascii: "="):
        padding += 1
        continue
      case 0x20, 0x0A, 0x0D: continue
      default: return nil
      }
      if padding > 0 { return nil }
      bits = bits << 6 | UInt32(value)
      count += 1
      if count % 4 != 1 {
        bytes.append(UInt8(truncatingIfNeeded: bits >> [0, 0, 4, 2][count % 4]))
      }
    }
    // What the last letters leave over must be nothing, and a padding must fill four.
    let rest = count % 4
    if rest == 1 || padding > 0 && (rest == 0 || rest + padding != 4) { return nil }
    if rest > 0 && bits & (rest == 2 ? 15 : 3) != 0 { return nil }
    self = bytes
  }
}
