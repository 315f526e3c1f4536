internal import Platform
internal import TagFiles
internal import VirtualReader

/// Makes a deck's tags when their turn comes, and keeps them where a folder is named.
struct TagMaker: Sendable {
  let station: String
  let reader: String
  /// The folder of kept tags, `<reader>-<position>.nfc` in Flipper format 4.
  let keep: String?

  /// The tag at `position`, counted from 1: as it was kept, else as the deck has it.
  func image(_ tag: DeckTag, position: Int) throws(DeckFault) -> ChipImage {
    var image: ChipImage
    if let path = path(position), Files.exists(path) {
      image = try read(path)
      if case .chip(let name) = tag.content, name != image.chip {
        // A file says of a card with ISO/IEC 14443-4 that it is one, not which.
        let kept = image.chip
        image.chip = name
        guard image.card != nil, VirtualChips.canMake(image) else {
          throw DeckFault(
            "\(path) is a kept \(kept), but the deck has \(name) there: remove the file")
        }
      }
    } else {
      image = try fresh(tag, position)
    }
    if case .random = tag.uid {
      var generator = SystemRandomNumberGenerator()
      image.uid = DerivedUID.random(using: &generator)
      image.atqa = 0x0004
    }
    return image
  }

  /// Keeps the tag as it is now: the same bytes as long as the memory is the same.
  func save(_ image: ChipImage, position: Int) throws(SystemError) {
    guard let path = path(position), let kept = TagImage(image) else { return }
    try Files.replace(
      path, with: TagFiles.flipperText(of: kept), mode: image.hasPassword ? 0o600 : 0o660,
      durable: false)
  }

  private func path(_ position: Int) -> String? {
    keep.map { Files.resolve("\(reader)-\(position).nfc", in: $0) }
  }

  private func fresh(_ tag: DeckTag, _ position: Int) throws(DeckFault) -> ChipImage {
    let derived = DerivedUID.uid(station: station, reader: reader, position: position)
    switch tag.content {
    case .chip(let name):
      var uid = derived
      if case .fixed(let bytes) = tag.uid { uid = bytes }
      guard let image = VirtualChips.make(name: name, uid: uid) else {
        throw DeckFault("no virtual \(name) with a UID of \(uid.count) bytes can be made")
      }
      return image
    case .file(let path):
      var image = try read(path)
      guard case .fixed(let bytes) = tag.uid else { return image }
      guard bytes.count == 7 else {
        throw DeckFault("\(path): a UID of \(bytes.count) bytes cannot be given, only one of 7")
      }
      image.uid = bytes
      image.pages.replaceSubrange(0..<9, with: Self.firstBytes(bytes))
      return image
    }
  }

  /// The UID and its check bytes as they lie from page 0 on (ISO/IEC 14443-3; NTAG213 data sheet 8.5.1).
  private static func firstBytes(_ uid: [UInt8]) -> [UInt8] {
    let first = 0x88 ^ uid[0] ^ uid[1] ^ uid[2]
    let second = uid[3] ^ uid[4] ^ uid[5] ^ uid[6]
    return Array(uid[0..<3]) + [first] + Array(uid[3..<7]) + [second]
  }

  private func read(_ path: String) throws(DeckFault) -> ChipImage {
    let file: TagImage
    do throws(TagFileError) {
      file = try TagFiles.read(path)
    } catch {
      if case .unreadable(let error) = error {
        throw DeckFault(error.description, isMissing: error.isMissing)
      }
      throw DeckFault(error.description)
    }
    guard let image = ChipImage(file) else {
      throw DeckFault("\(path): a virtual \(file.chip.rawValue) cannot be made")
    }
    return image
  }
}
