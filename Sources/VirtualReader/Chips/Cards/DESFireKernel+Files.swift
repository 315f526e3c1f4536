// Files of the application that is selected natively.
extension DESFireKernel {
  mutating func beginOnFiles(_ code: UInt8, _ data: [UInt8]) throws(Status) -> Reply {
    switch code {
    case 0x6F:
      try expect(data, count: 0)
      return (.done, try application().files.map(\.number))
    case 0x61:
      try expect(data, count: 0)
      return (
        .done,
        try application().files.flatMap { [UInt8($0.id & 0xFF), UInt8($0.id >> 8)] }
      )
    case 0xF5:
      try expect(data, count: 1)
      let file = try file(data[0])
      return (.done, [0x00, 0x00] + file.desfireRights + Self.bytes(of: file.bytes.count))
    case 0xBD:
      try expect(data, count: 7)
      let file = try file(data[0])
      let offset = Self.number(data[1..<4])
      let length = Self.number(data[4..<7])
      guard offset <= file.bytes.count, offset + length <= file.bytes.count else {
        throw .boundaryError
      }
      let end = length == 0 ? file.bytes.count : offset + length
      return send(Self.pieces(Array(file.bytes[offset..<end]), of: Self.frame))
    case 0x3D: return try write(data)
    case 0x3B, 0x0C, 0xBB, 0xC7: throw .authenticationError
    default: throw .illegalCommand
    }
  }

  /// WriteData: number, offset and length of three bytes each, and as much data as a frame holds.
  private mutating func write(_ data: [UInt8]) throws(Status) -> Reply {
    guard data.count >= 8 else { throw .lengthError }
    let file = try file(data[0])
    let offset = Self.number(data[1..<4])
    let length = Self.number(data[4..<7])
    guard file.isFreeToWrite else { throw .authenticationError }
    guard length > 0 else { throw .parameterError }
    guard offset + length <= file.bytes.count else { throw .boundaryError }
    guard let current,
      let index = applications[current].files.firstIndex(where: { $0.number == data[0] })
    else { throw .fileNotFound }
    return try goOn(
      Writing(
        application: current, file: index, offset: offset, length: length,
        data: Array(data[7...])))
  }

  func application() throws(Status) -> CardApplication {
    guard let current else { throw .permissionDenied }
    return applications[current]
  }

  func file(_ number: UInt8) throws(Status) -> CardFile {
    guard let file = try application().files.first(where: { $0.number == number }) else {
      throw .fileNotFound
    }
    return file
  }

  func atCardLevel() throws(Status) {
    if current != nil { throw .permissionDenied }
  }

  func expect(_ data: [UInt8], count: Int) throws(Status) {
    guard data.count == count else { throw .lengthError }
  }
}

extension CardFile {
  /// Access rights as DESFire gives them: all may read, nobody may write the capability container, all the
  /// rest; key 0 changes rights (AN11004).
  var desfireRights: [UInt8] { isFreeToWrite ? [0xE0, 0xEE] : [0x00, 0xE0] }

  var isFreeToWrite: Bool { id != Self.container }
}
