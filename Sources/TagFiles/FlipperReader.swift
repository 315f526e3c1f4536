internal import Bytes
internal import Diagnostics

/// Reads a tag from a Flipper `.nfc` file of version 2, 3 or 4.
///
/// Keys are found by name wherever they stand, and unknown ones are passed over. What old versions
/// do not have (chip type, data format version, version, signature, counters) is taken as the chip's own.
struct FlipperReader {
  private let fields: FlipperFields

  init(_ bytes: [UInt8], of path: String) {
    fields = FlipperFields(path: path, lines: FlipperLines(bytes))
  }

  func image() throws(TagFileError) -> TagImage {
    let format = try formatVersion()
    let givenVersion = try fields.optionalBytes("Mifare version", count: 8)
    let chip = try chip(version: givenVersion ?? [])
    var image = TagImage(
      chip: chip, uid: try uid(of: chip), pages: chip.isType2 ? try pages(of: chip) : [])
    if !chip.isType2 { (image.atqa, image.sak) = (0, 0) }
    if let version = givenVersion { image.version = version }
    if let atqa = try fields.optionalBytes("ATQA", count: 2) {
      // On air the low byte comes first; version 2 kept that order, later ones write a number.
      let number = format == 2 ? (atqa[1], atqa[0]) : (atqa[0], atqa[1])
      image.atqa = UInt16(number.0) << 8 | UInt16(number.1)
    }
    if let sak = try fields.optionalBytes("SAK", count: 1) { image.sak = sak[0] }
    switch chip.family {
    case .type2: try readType2(into: &image)
    case .card: try FlipperCardReader(fields: fields).read(into: &image)
    case .feliCa: try FlipperFeliCaReader(fields: fields).read(into: &image)
    }
    return image
  }

  private func readType2(into image: inout TagImage) throws(TagFileError) {
    if let signature = try fields.optionalBytes("Signature", count: 32) {
      image.signature = signature
    }
    for index in 0..<3 {
      if let count = try fields.optionalNumber("Counter \(index)", upTo: 0xFF_FFFF) {
        image.counters[index] = count
      }
      if let flag = try fields.optionalBytes("Tearing \(index)", count: 1) {
        image.tearing[index] = flag[0]
      }
    }
    if let failed = try fields.optionalNumber("Failed authentication attempts", upTo: 0xFFFF_FFFF) {
      image.failedAuthentications = failed
    }
  }

  /// The file's version, after what the file says it is.
  private func formatVersion() throws(TagFileError) -> Int {
    guard let filetype = fields.lines.entries["Filetype"] else {
      throw .content(
        "this is no Flipper file: the line \"Filetype: Flipper NFC device\" is missing",
        at: Place(file: fields.path))
    }
    guard filetype.text == "Flipper NFC device" else {
      throw .content("the file type is not \"Flipper NFC device\"", at: fields.place(of: filetype))
    }
    let version = try fields.required("Version")
    guard let number = Int(version.text), (2...4).contains(number) else {
      throw .content("only versions 2, 3 and 4 can be read", at: fields.place(of: version))
    }
    return number
  }

  /// The chip: in a field of its own in version 4, in the device type before.
  private func chip(version: [UInt8]) throws(TagFileError) -> ImageChip {
    let device = try fields.required("Device type")
    let entry =
      device.text == "NTAG/Ultralight" ? try fields.required("NTAG/Ultralight type") : device
    guard let chip = ImageChip(flipperType: entry.text, version: version) else {
      throw .content(
        "tags of this type cannot be read", at: fields.place(of: entry))
    }
    return chip
  }

  private func uid(of chip: ImageChip) throws(TagFileError) -> [UInt8] {
    let entry = try fields.required("UID")
    let (lengths, wanted) = chip.uidLengths
    guard let uid = [UInt8](hex: entry.text), lengths.contains(uid.count) else {
      throw .content("a UID is \(wanted) bytes in hexadecimal", at: fields.place(of: entry))
    }
    return uid
  }

  /// The chip's pages; those that the file leaves out are zero.
  ///
  /// `Pages total` is no more than a claim, and larger than the memory in some files: the lines count.
  private func pages(of chip: ImageChip) throws(TagFileError) -> [UInt8] {
    var pages: [UInt8] = []
    var found = 0
    for number in 0..<chip.pageCount {
      let bytes = try fields.optionalBytes("Page \(number)", count: 4)
      if bytes != nil { found += 1 }
      pages += bytes ?? [0, 0, 0, 0]
    }
    guard found > 0 else { throw .content("the file has no pages", at: Place(file: fields.path)) }
    let beyond = fields.lines.entries.filter { key, _ in
      key.hasPrefix("Page ") && (Int(key.dropFirst(5)) ?? 0) >= chip.pageCount
    }
    if let first = beyond.values.min(by: { $0.line < $1.line }) {
      throw .content(
        "\(chip.rawValue) has only \(chip.pageCount) pages, numbered from 0",
        at: fields.place(of: first))
    }
    return pages
  }
}
