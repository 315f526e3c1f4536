internal import Bytes

extension TagFiles {
  /// The image as a Flipper `.nfc` file of version 4; the same bytes for the same image.
  package static func flipperText(of image: TagImage) -> [UInt8] {
    var lines = [
      "Filetype: Flipper NFC device",
      "Version: 4",
      "Device type: \(image.chip.deviceType)",
      "UID: \(image.uid.spaced)",
    ]
    if image.chip.isTypeA {
      lines.append("ATQA: \([UInt8(image.atqa >> 8), UInt8(image.atqa & 0xFF)].spaced)")
      lines.append("SAK: \([image.sak].spaced)")
    }
    if let card = image.card {
      lines += FlipperCardWriter(image: image, card: card).lines
    } else if let feliCa = image.feliCa {
      lines += FlipperFeliCaWriter(idm: image.uid, content: feliCa).lines
    } else {
      lines += type2Lines(of: image)
    }
    return Array(lines.map { $0 + "\n" }.joined().utf8)
  }

  private static func type2Lines(of image: TagImage) -> [String] {
    var lines = [
      "Data format version: 2",
      "NTAG/Ultralight type: \(image.chip.flipperType)",
      "Signature: \(image.signature.spaced)",
      "Mifare version: \(image.version.spaced)",
    ]
    for (index, (count, flag)) in zip(image.counters, image.tearing).enumerated() {
      lines.append("Counter \(index): \(count)")
      lines.append("Tearing \(index): \([flag].spaced)")
    }
    let total = image.pages.count / 4
    lines.append("Pages total: \(total)")
    lines.append("Pages read: \(total)")
    for number in 0..<total { lines.append("Page \(number): \(image.page(number).spaced)") }
    lines.append("Failed authentication attempts: \(image.failedAuthentications)")
    return lines
  }
}

extension [UInt8] {
  /// Two digits a byte with spaces between.
  var spaced: String { map { [$0].hex }.joined(separator: " ") }
}
