internal import Bytes
internal import Diagnostics

/// Reads a FeliCa from a Flipper file: format 1 is Lite and Lite-S, 2 Standard.
struct FlipperFeliCaReader {
  private static let mostSystems = 16

  let fields: FlipperFields

  /// Adds what the card holds to `image`, and sets its chip.
  func read(into image: inout TagImage) throws(TagFileError) {
    let pmm = try fields.bytes("Manufacture parameter", count: 8)
    if let idm = try fields.optionalBytes("Manufacture id", count: 8) { image.uid = idm }
    let format = try fields.optionalNumber("Data format version", upTo: 2) ?? 1
    if format == 2 && fields.lines.entries["Block 0"] == nil {
      image.chip = .feliCaStandard
      image.feliCa = FeliCaImage(pmm: pmm, memory: .systems(try systems()))
      return
    }
    guard pmm[1] == 0xF1 || pmm[1] == 0xF2 else {
      let entry = try fields.required("Manufacture parameter")
      throw .content(
        "only FeliCa Lite-S and FeliCa Standard cards can be read", at: fields.place(of: entry))
    }
    image.chip = .feliCaLiteS
    var blocks: [[UInt8]] = []
    for number in 0..<FeliCaImage.liteBlocks {
      // Two status flags go before the data.
      let block = try fields.optionalBytes("Block \(number)", count: 18)
      blocks.append(block.map { Array($0[2...]) } ?? [UInt8](repeating: 0, count: 16))
    }
    image.feliCa = FeliCaImage(pmm: pmm, memory: .lite(blocks: blocks))
  }

  /// The tables of systems, services and public blocks, in the order of lines.
  private func systems() throws(TagFileError) -> [FeliCaImage.System] {
    var systems: [FeliCaImage.System] = []
    for (key, entry) in fields.lines.ordered {
      let words = key.split(separator: " ")
      guard words.count == 2, UInt16(words[1], radix: 16) != nil else { continue }
      switch words[0] {
      case "System":
        guard systems.count < Self.mostSystems, let code = UInt16(entry.text.prefix(4), radix: 16)
        else {
          throw .content("a system begins with its code, four digits", at: fields.place(of: entry))
        }
        systems.append(FeliCaImage.System(code: code))
      case "Service":
        let code = try code(after: "Code ", in: entry)
        guard let last = systems.indices.last else { throw outside(entry) }
        systems[last].services.append(FeliCaImage.Service(code: code, blocks: []))
      case "Block":
        let code = try code(after: "Service code ", in: entry)
        guard let system = systems.indices.last,
          let service = systems[system].services.firstIndex(where: { $0.code == code })
        else { throw outside(entry) }
        let data = entry.text.split(separator: "|").compactMap { part -> [UInt8]? in
          let words = part.split(separator: ":")
          guard words.count == 2, words[0].hasSuffix("Data") else { return nil }
          return [UInt8](hex: words[1])
        }
        guard data.first?.count == 16 else {
          throw .content("a block has 16 bytes of data", at: fields.place(of: entry))
        }
        systems[system].services[service].blocks += data.prefix(1)
      default: break
      }
    }
    guard !systems.isEmpty else {
      throw .content("the file has no systems", at: Place(file: fields.path))
    }
    return systems
  }

  private func outside(_ entry: FlipperLines.Entry) -> TagFileError {
    .content("the system or service of this line is missing", at: fields.place(of: entry))
  }

  private func code(
    after label: String, in entry: FlipperLines.Entry
  ) throws(TagFileError) -> UInt16 {
    for part in entry.text.split(separator: "|") {
      let text = part.drop { $0 == " " }
      if text.hasPrefix(label), let code = UInt16(text.dropFirst(label.count).prefix(4), radix: 16)
      {
        return code
      }
    }
    throw .content("the line has no \"\(label)\" with four digits", at: fields.place(of: entry))
  }
}

/// Writes a FeliCa as Flipper does.
struct FlipperFeliCaWriter {
  let idm: [UInt8]
  let content: FeliCaImage

  /// The lines after those of the whole tag.
  var lines: [String] {
    let head = ["Manufacture id: \(idm.spaced)", "Manufacture parameter: \(content.pmm.spaced)"]
    switch content.memory {
    case .lite(let blocks):
      return ["Data format version: 1"] + head
        + ["Blocks total: \(blocks.count)", "Blocks read: \(blocks.count)"]
        + blocks.enumerated().map { "Block \($0): \(([0, 0] + $1).spaced)" }
    case .systems(let systems):
      return ["Data format version: 2"] + head + ["System found: \(systems.count)"]
        + systems.enumerated().flatMap { Self.lines(of: $1, number: $0) }
    }
  }

  private static func lines(of system: FeliCaImage.System, number: Int) -> [String] {
    var lines = [
      "System \(digits(number, 2)): \(digits(Int(system.code), 4)) | Key version 0000 |",
      "Area found: 1", "Area 000: | Code 0000 | End FFFE |",
      "Service found: \(system.services.count)",
    ]
    for (index, service) in system.services.enumerated() {
      let code = Int(service.code)
      lines.append(
        "Service \(digits(index, 3)): | Code \(digits(code, 4)) | Attrib. \(digits(code & 0x3F, 2)) |"
      )
    }
    let blocks = system.services.flatMap { service in
      service.blocks.enumerated().map { (service.code, $0, $1) }
    }
    lines.append("Public blocks read: \(blocks.count)")
    for (index, (code, number, data)) in blocks.enumerated() {
      lines.append(
        "Block \(digits(index, 4)): | Service code \(digits(Int(code), 4)) | "
          + "Block index \(digits(number, 2)) | Data: \(data.spaced) |")
    }
    return lines
  }

  private static func digits(_ number: Int, _ count: Int) -> String {
    let text = String(number, radix: 16, uppercase: true)
    return String(repeating: "0", count: max(count - text.count, 0)) + text
  }
}
