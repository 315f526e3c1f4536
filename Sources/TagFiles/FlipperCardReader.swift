internal import Diagnostics

/// Reads DESFire, MIFARE Plus and other cards with ISO/IEC 14443-4 from a Flipper file.
///
/// Flipper keeps no names of applications and, but for DESFire, no files. Where the lines that say them
/// are missing, a DESFire application with a capability container is taken for the NDEF application.
struct FlipperCardReader {
  private static let mostApplications = 28
  private static let mostFiles = 32

  let fields: FlipperFields

  /// Adds what the card holds to `image`, which has the chip that the device type tells.
  func read(into image: inout TagImage) throws(TagFileError) {
    let interface: CardImage.Interface
    if image.chip == .type4B {
      interface = .typeB(
        applicationData: try fields.bytes("Application data", count: 4),
        protocolInfo: try fields.bytes("Protocol info", count: 3))
    } else {
      interface = .typeA(ats: try answerToSelect())
    }
    var card = CardImage(interface: interface)
    switch image.chip {
    case .desfireEV1:
      image.version = try fields.bytes("PICC Version", count: 28)
      card.applications = try desfireApplications()
    case .plus: try checkLevel()
    default:
      card.applications = try applications()
      if image.chip == .type4A && card.applications.map(\.name) != [CardImage.ndefName] {
        image.chip = .iso7816
      }
    }
    if let named = fields.lines.entries["Chip"], let chip = ImageChip(rawValue: named.text),
      chip.flipperType == image.chip.flipperType
    {
      image.chip = chip
    }
    image.card = card
  }

  /// The documentation has one line `ATS`, programs write its parts.
  private func answerToSelect() throws(TagFileError) -> [UInt8] {
    if let whole = try fields.optionalBytes("ATS") {
      return whole.first.map(Int.init) == whole.count ? whole : Self.withLength(whole)
    }
    guard let format = try fields.optionalBytes("T0", count: 1)?.first else { return [0x01] }
    var parts = [format]
    for (bit, key) in [(0x10, "TA(1)"), (0x20, "TB(1)"), (0x40, "TC(1)")]
    where Int(format) & bit != 0 {
      parts += try fields.bytes(key, count: 1)
    }
    return Self.withLength(parts + (try fields.optionalBytes("T1...Tk") ?? []))
  }

  private static func withLength(_ parts: [UInt8]) -> [UInt8] {
    [UInt8(truncatingIfNeeded: parts.count + 1)] + parts
  }

  private func checkLevel() throws(TagFileError) {
    guard let level = fields.lines.entries["Security Level"] else { return }
    guard level.text.hasSuffix("3") else {
      throw .content(
        "only security level 3 of MIFARE Plus can be read", at: fields.place(of: level))
    }
  }

  // MARK: DESFire

  private func desfireApplications() throws(TagFileError) -> [CardImage.Application] {
    guard let numbers = try fields.optionalBytes("Application IDs") else { return [] }
    guard numbers.count % 3 == 0, numbers.count / 3 <= Self.mostApplications else {
      let entry = try fields.required("Application IDs")
      throw .content("\"Application IDs\" has three bytes each", at: fields.place(of: entry))
    }
    var applications: [CardImage.Application] = []
    for start in stride(from: 0, to: numbers.count, by: 3) {
      applications.append(try desfireApplication(Array(numbers[start..<start + 3])))
    }
    return applications
  }

  private func desfireApplication(
    _ number: [UInt8]
  ) throws(TagFileError) -> CardImage.Application {
    let prefix = FlipperCardWriter.prefix(number)
    var files: [CardImage.File] = []
    for id in try fields.optionalBytes("\(prefix) File IDs") ?? [] where id < Self.mostFiles {
      let file = "\(prefix) File \(id)"
      // Values and records are no transparent files; what needs a key is not in the file.
      guard try fields.optionalBytes("\(file) Type", count: 1)?.first ?? 0 <= 1 else { continue }
      let size = try fields.optionalNumber("\(file) Size", upTo: 0xFF_FFFF) ?? 0
      guard size <= 0xFFFF else { continue }
      var bytes = Array((try fields.optionalBytes(file) ?? []).prefix(size))
      bytes += [UInt8](repeating: 0, count: size - bytes.count)
      files.append(
        CardImage.File(id: try identifier("\(file) ISO ID") ?? 0, number: id, bytes: bytes))
    }
    if let name = try fields.optionalBytes("\(prefix) ISO Name") {
      return CardImage.Application(name: name, number: number, files: files)
    }
    return Self.recognised(CardImage.Application(name: [], number: number, files: files))
  }

  /// Gives an application that has a capability container the names of an NDEF application.
  private static func recognised(_ application: CardImage.Application) -> CardImage.Application {
    var application = application
    guard
      let container = application.files.firstIndex(where: {
        $0.bytes.count >= 15 && $0.bytes[0] == 0 && $0.bytes[2] & 0xF0 == 0x20
          && $0.bytes[7..<9] == [0x04, 0x06]
      })
    else { return application }
    let bytes = application.files[container].bytes
    let size = Int(bytes[11]) << 8 | Int(bytes[12])
    application.name = CardImage.ndefName
    application.files[container].id = CardImage.File.container
    if let ndef = application.files.indices.first(where: {
      $0 != container && application.files[$0].bytes.count >= size
    }) {
      application.files[ndef].id = UInt16(bytes[9]) << 8 | UInt16(bytes[10])
    }
    return application
  }

  // MARK: Other cards

  private func applications() throws(TagFileError) -> [CardImage.Application] {
    let count = try fields.optionalNumber("ISO Applications", upTo: Self.mostApplications) ?? 0
    var applications: [CardImage.Application] = []
    for index in 0..<count {
      let prefix = "ISO Application \(index)"
      var application = CardImage.Application(name: try fields.bytes("\(prefix) Name"))
      let number = try fields.optionalNumber("\(prefix) Files", upTo: Self.mostFiles) ?? 0
      for file in 0..<number {
        application.files.append(
          CardImage.File(
            id: try identifier("\(prefix) File \(file) ID") ?? 0,
            number: try fields.optionalBytes("\(prefix) File \(file) Number", count: 1)?.first ?? 0,
            bytes: try fields.bytes("\(prefix) File \(file)")))
      }
      applications.append(application)
    }
    return applications
  }

  private func identifier(_ key: String) throws(TagFileError) -> UInt16? {
    try fields.optionalBytes(key, count: 2).map { UInt16($0[0]) << 8 | UInt16($0[1]) }
  }
}
