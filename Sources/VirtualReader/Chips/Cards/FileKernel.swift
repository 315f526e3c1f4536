/// Applications with transparent files, selected, read and updated by ISO/IEC 7816-4 commands.
struct FileKernel: CardKernel {
  /// Status words of ISO/IEC 7816-4 table 5 and 6.
  enum Status: UInt16, Error {
    case done = 0x9000
    case endReached = 0x6282
    case wrongLength = 0x6700
    case notAllowed = 0x6982
    case noFileSelected = 0x6986
    case notFound = 0x6A82
    case notEnoughSpace = 0x6A84
    case wrongParameters = 0x6A86
    case beyondEnd = 0x6B00
    case unknownInstruction = 0x6D00
    case unknownClass = 0x6E00

    var bytes: [UInt8] { [UInt8(rawValue >> 8), UInt8(rawValue & 0xFF)] }
  }

  private(set) var applications: [CardApplication]
  private(set) var revision = 0
  /// Whether SELECT takes the first bytes of a name for the name.
  private let takesPartialNames: Bool
  /// The index of the application that is selected.
  private(set) var current: Int?
  /// The index of the file that is selected in it.
  private var file: Int?

  init(_ applications: [CardApplication], takesPartialNames: Bool) {
    self.applications = applications
    self.takesPartialNames = takesPartialNames
  }

  mutating func reset() {
    current = nil
    file = nil
  }

  mutating func run(_ command: [UInt8]) -> CardAnswer {
    do throws(Status) {
      return try perform(command)
    } catch {
      return CardAnswer(bytes: error.bytes)
    }
  }

  private mutating func perform(_ command: [UInt8]) throws(Status) -> CardAnswer {
    guard let apdu = CommandAPDU(command) else { throw .wrongLength }
    guard apdu.instructionClass == 0x00 else { throw .unknownClass }
    switch apdu.instruction {
    case 0xA4: return CardAnswer(bytes: try select(apdu) + Status.done.bytes)
    case 0xB0: return CardAnswer(bytes: try read(apdu))
    case 0xD6: return try update(apdu)
    default: throw .unknownInstruction
    }
  }

  // MARK: SELECT

  private mutating func select(_ apdu: CommandAPDU) throws(Status) -> [UInt8] {
    switch apdu.p1 {
    case 0x04: return try selectApplication(apdu)
    case 0x00, 0x02:
      guard apdu.p2 == 0x00 || apdu.p2 == 0x0C else { throw .wrongParameters }
      guard apdu.data.count == 2 else { throw .wrongLength }
      let id = UInt16(apdu.data[0]) << 8 | UInt16(apdu.data[1])
      if id == 0x3F00 && apdu.p1 == 0x00 {
        reset()
        return []
      }
      guard let current,
        let index = applications[current].files.firstIndex(where: { $0.id == id })
      else { throw .notFound }
      file = index
      return []
    default: throw .wrongParameters
    }
  }

  /// By name: the first application that has it, or the next one after the one that is selected.
  private mutating func selectApplication(_ apdu: CommandAPDU) throws(Status) -> [UInt8] {
    guard [0x00, 0x02, 0x0C, 0x0E].contains(apdu.p2) else { throw .wrongParameters }
    guard apdu.data.count <= 16 else { throw .wrongLength }
    let start = apdu.p2 & 0x02 == 0 ? 0 : current.map { $0 + 1 } ?? 0
    guard
      let found = applications[start...].firstIndex(where: {
        takesPartialNames && !$0.name.isEmpty
          ? $0.name.starts(with: apdu.data) : !apdu.data.isEmpty && $0.name == apdu.data
      })
    else { throw .notFound }
    current = found
    file = nil
    let name = applications[found].name
    guard takesPartialNames, apdu.expected != nil, apdu.p2 & 0x0C == 0 else { return [] }
    // File control information with the DF name.
    return [0x6F, UInt8(name.count + 2), 0x84, UInt8(name.count)] + name
  }

  // MARK: READ BINARY and UPDATE BINARY

  private func selected() throws(Status) -> CardFile {
    guard let current, let file else { throw .noFileSelected }
    return applications[current].files[file]
  }

  /// A number in the capability container of the selected application: MLe is at 3, MLc at 5.
  private func limit(at offset: Int) -> Int? {
    guard let bytes = container, bytes.count > offset + 1 else { return nil }
    return Int(bytes[offset]) << 8 | Int(bytes[offset + 1])
  }

  private var container: [UInt8]? {
    current.flatMap { index in
      applications[index].files.first { $0.id == CardFile.container }?.bytes
    }
  }

  private func read(_ apdu: CommandAPDU) throws(Status) -> [UInt8] {
    let bytes = try selected().bytes
    guard apdu.p1 & 0x80 == 0 else { throw .wrongParameters }
    guard let wanted = apdu.expected, apdu.data.isEmpty else { throw .wrongLength }
    let most = limit(at: 3) ?? 256
    // Le 00 stands for as much as there is.
    guard wanted <= most || wanted == 256 else { throw .wrongLength }
    guard apdu.offset < bytes.count else { throw .beyondEnd }
    let piece = Array(bytes[apdu.offset...].prefix(min(wanted, most)))
    let isShort = piece.count < wanted && wanted != 256
    return piece + (isShort ? Status.endReached : .done).bytes
  }

  private mutating func update(_ apdu: CommandAPDU) throws(Status) -> CardAnswer {
    let size = try checkWriting().bytes.count
    guard apdu.p1 & 0x80 == 0 else { throw .wrongParameters }
    guard !apdu.data.isEmpty, apdu.data.count <= limit(at: 5) ?? 255 else { throw .wrongLength }
    guard apdu.offset < size else { throw .beyondEnd }
    guard apdu.offset + apdu.data.count <= size else { throw .notEnoughSpace }
    put(apdu.data, at: apdu.offset)
    return CardAnswer(
      bytes: Status.done.bytes, programming: CardAnswer.programming(apdu.data.count))
  }

  /// The selected file, if it may be written to.
  ///
  /// The last byte of an NDEF file's control TLV is its access condition for writing; the container itself
  /// is read-only (NFC Forum Type 4 Tag).
  private func checkWriting() throws(Status) -> CardFile {
    let file = try selected()
    if file.id == CardFile.container { throw .notAllowed }
    if let container, container.count >= 15, file.id == Self.ndefFile(container),
      container[14] != 0x00
    {
      throw .notAllowed
    }
    return file
  }

  /// The file that a capability container names.
  static func ndefFile(_ container: [UInt8]) -> UInt16 {
    UInt16(container[9]) << 8 | UInt16(container[10])
  }

  private mutating func put(_ data: [UInt8], at offset: Int) {
    guard let current, let file else { return }
    put(data, at: offset, application: current, file: file)
  }

  /// Puts `data` into a file that has room for it there.
  mutating func put(_ data: [UInt8], at offset: Int, application: Int, file: Int) {
    let range = offset..<offset + data.count
    if Array(applications[application].files[file].bytes[range]) != data { revision += 1 }
    applications[application].files[file].bytes.replaceSubrange(range, with: data)
  }

  mutating func tear(_ command: [UInt8], leaving bytes: [UInt8]) {
    guard let apdu = CommandAPDU(command), apdu.instruction == 0xD6, apdu.p1 & 0x80 == 0,
      let size = try? checkWriting().bytes.count,
      apdu.offset + bytes.count <= size
    else { return }
    put(bytes, at: apdu.offset)
  }
}
