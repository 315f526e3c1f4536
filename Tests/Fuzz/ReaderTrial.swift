import Diagnostics
import TagFiles
import VirtualReader

/// The virtual reader and its chips, and the files that tags are kept in.
enum ReaderTrial {
  private static let uid: [UInt8] = [0x04, 0xA1, 0xB2, 0xC3, 0xD4, 0xE5, 0xF6]

  private static func reader(_ choice: UInt8) -> BareReader {
    let name = VirtualChips.names[Int(choice) % VirtualChips.names.count]
    return BareReader(VirtualChips.make(name: name, uid: uid).map { [$0] } ?? [])
  }

  /// The first byte chooses the chip, the rest comes over the line in pieces of up to 64 bytes.
  static func line(_ bytes: [UInt8]) {
    guard let choice = bytes.first else { return }
    var reader = reader(choice)
    var rest = bytes.dropFirst()
    while !rest.isEmpty {
      _ = reader.receive(Array(rest.prefix(64)))
      rest = rest.dropFirst(64)
    }
  }

  /// The first byte chooses the chip, which is listed; then a length byte and a command each.
  static func commands(_ bytes: [UInt8]) {
    guard let choice = bytes.first else { return }
    var reader = reader(choice)
    for listing: [UInt8] in [
      [0x4A, 1, 0], [0x4A, 1, 1, 0, 0xFF, 0xFF, 1, 0], [0x4A, 1, 3, 0], [0x4A, 1, 4],
    ] {
      if let answer = reader.send(listing).last, answer.count > 7, answer[7] == 1 { break }
    }
    var rest = bytes.dropFirst()
    while let length = rest.popFirst() {
      // Most commands go to the chip: the high bit leaves the code to the input.
      let command = Array(rest.prefix(Int(length & 0x7F)))
      rest = rest.dropFirst(command.count)
      _ = reader.send(length & 0x80 == 0 ? [0x40, 1] + command : command)
    }
  }

  /// A tag file, and where it can be read what is written of it.
  static func tagFile(_ bytes: [UInt8], named name: String) {
    guard let image = try? TagFiles.image(in: bytes, of: name) else { return }
    let text = TagFiles.flipperText(of: image)
    precondition((try? TagFiles.image(in: text, of: "again.nfc")) == image, "a tag file changes")
  }
}
