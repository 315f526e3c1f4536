internal import Digests

/// UIDs of virtual tags.
enum DerivedUID {
  /// The UID of the tag at `position`: the same in every run, never the same on two readers.
  ///
  /// NXP's manufacturer code 04 and six bytes of a digest. The first byte of a cascade level is never 88,
  /// which stands for "the UID goes on" (ISO/IEC 14443-3, cascade tag).
  static func uid(station: String, reader: String, position: Int) -> [UInt8] {
    let digest = SHA256.digest(of: Array("\(station)\0\(reader)\0\(position)".utf8))
    var uid = [0x04] + digest.prefix(6)
    if uid[3] == 0x88 { uid[3] = 0x89 }
    return uid
  }

  /// A random UID: four bytes that begin with 08 (ISO/IEC 14443-3, table of single-size UIDs).
  static func random(using generator: inout some RandomNumberGenerator) -> [UInt8] {
    [0x08] + (0..<3).map { _ in UInt8.random(in: 0...255, using: &generator) }
  }
}
