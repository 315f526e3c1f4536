internal import Bytes

/// Writes cards with ISO/IEC 14443-4 as Flipper does, with lines of its own for what Flipper does not keep:
/// names and identifiers of applications and files, and the chip where a device type stands for several.
struct FlipperCardWriter {
  let image: TagImage
  let card: CardImage

  /// The lines after those of the whole tag.
  var lines: [String] {
    var lines: [String]
    switch card.interface {
    case .typeA(let ats): lines = Self.parts(of: ats)
    case .typeB(let applicationData, let protocolInfo):
      lines = [
        "Application data: \(applicationData.spaced)", "Protocol info: \(protocolInfo.spaced)",
      ]
    }
    switch image.chip {
    case .desfireEV1: lines += desfireLines
    case .plus:
      lines += [
        "PICC Version: \([UInt8](repeating: 0, count: 28).spaced)", "Security Level: SL3",
        "Card Type: Mifare Plus X", "Memory Size: 2K",
      ]
    default: lines += applicationLines
    }
    return lines
  }

  private static func parts(of ats: [UInt8]) -> [String] {
    var rest = ats.dropFirst()
    guard let format = rest.popFirst() else { return [] }
    var lines = ["T0: \([format].spaced)"]
    for (bit, key) in [(0x10, "TA(1)"), (0x20, "TB(1)"), (0x40, "TC(1)")]
    where Int(format) & bit != 0 {
      if let part = rest.popFirst() { lines.append("\(key): \([part].spaced)") }
    }
    if !rest.isEmpty { lines.append("T1...Tk: \(Array(rest).spaced)") }
    return lines
  }

  /// What the lines of a DESFire application begin with.
  static func prefix(_ number: [UInt8]) -> String { "Application \(number.hex.lowercased())" }

  private var desfireLines: [String] {
    let numbers = card.applications.flatMap(\.number)
    var lines = ["PICC Version: \(image.version.spaced)"]
    lines += Self.keySettings("PICC", flags: 0)
    lines.append("Application Count: \(card.applications.count)")
    if !numbers.isEmpty { lines.append("Application IDs: \(numbers.spaced)") }
    for application in card.applications {
      let prefix = Self.prefix(application.number)
      lines += Self.keySettings(prefix, flags: 2)
      lines.append("\(prefix) ISO Name: \(application.name.spaced)")
      lines.append("\(prefix) File IDs: \(application.files.map(\.number).spaced)")
      for file in application.files {
        let name = "\(prefix) File \(file.number)"
        let rights: [UInt8] = file.id == CardImage.File.container ? [0x00, 0xE0] : [0xE0, 0xEE]
        lines += [
          "\(name) Type: 00", "\(name) Communication Settings: 00",
          "\(name) Access Rights: \(rights.spaced)", "\(name) Size: \(file.bytes.count)",
          "\(name): \(file.bytes.spaced)", "\(name) ISO ID: \(Self.bytes(of: file.id).spaced)",
        ]
      }
    }
    return lines
  }

  /// One key, which nothing but creation and deletion of applications needs.
  private static func keySettings(_ prefix: String, flags: UInt8) -> [String] {
    [
      "\(prefix) Change Key ID: 00", "\(prefix) Config Changeable: true",
      "\(prefix) Free Create Delete: false", "\(prefix) Free Directory List: true",
      "\(prefix) Key Changeable: true", "\(prefix) Flags: \([flags].spaced)",
      "\(prefix) Max Keys: 01", "\(prefix) Key 0 Version: 00",
    ]
  }

  private var applicationLines: [String] {
    var lines = [
      "Chip: \(image.chip.rawValue)", "ISO Applications: \(card.applications.count)",
    ]
    for (index, application) in card.applications.enumerated() {
      let prefix = "ISO Application \(index)"
      lines.append("\(prefix) Name: \(application.name.spaced)")
      lines.append("\(prefix) Files: \(application.files.count)")
      for (number, file) in application.files.enumerated() {
        lines += [
          "\(prefix) File \(number) ID: \(Self.bytes(of: file.id).spaced)",
          "\(prefix) File \(number) Number: \([file.number].spaced)",
          "\(prefix) File \(number): \(file.bytes.spaced)",
        ]
      }
    }
    return lines
  }

  private static func bytes(of id: UInt16) -> [UInt8] { [UInt8(id >> 8), UInt8(id & 0xFF)] }
}
