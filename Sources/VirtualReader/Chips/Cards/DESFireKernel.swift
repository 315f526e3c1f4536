/// A DESFire EV1 whose keys nobody knows: its directory, and what files give without authentication.
///
/// Commands come native, wrapped as `90 INS 00 00 [Lc data] 00`, or as ISO/IEC 7816-4 ones (MF3ICDx1 data
/// sheet).
struct DESFireKernel: CardKernel {
  /// Status bytes of the data sheet.
  enum Status: UInt8, Error {
    case done = 0x00
    case illegalCommand = 0x1C
    case noSuchKey = 0x40
    case lengthError = 0x7E
    case permissionDenied = 0x9D
    case parameterError = 0x9E
    case applicationNotFound = 0xA0
    case authenticationError = 0xAE
    case moreFollows = 0xAF
    case boundaryError = 0xBE
    case aborted = 0xCA
    case fileNotFound = 0xF0
  }

  /// What a command gives: status `moreFollows` where frames are left.
  typealias Reply = (status: Status, data: [UInt8])

  /// What AF goes on with.
  private enum Pending {
    case nothing
    case frames([[UInt8]])
    case authentication
    case writing(Writing)
  }

  /// A WriteData that is not whole yet.
  struct Writing {
    let application: Int
    let file: Int
    let offset: Int
    let length: Int
    var data: [UInt8]
  }

  /// The most data bytes of one frame.
  static let frame = 59
  /// Bytes of files that an empty card has room for.
  private static let capacity = 7936

  let version: [UInt8]
  var files: FileKernel
  /// The index of the application that is selected natively, `nil` at card level.
  private(set) var current: Int?
  private var pending = Pending.nothing
  private var programming = Duration.zero

  init(_ applications: [CardApplication], version: [UInt8]) {
    files = FileKernel(applications, takesPartialNames: false)
    self.version = version
  }

  var applications: [CardApplication] { files.applications }
  var revision: Int { files.revision }

  mutating func reset() {
    files.reset()
    current = nil
    pending = .nothing
  }

  /// Takes what a WriteData has brought, and writes when it is whole.
  mutating func goOn(_ writing: Writing) throws(Status) -> Reply {
    guard writing.data.count <= writing.length else { throw .lengthError }
    guard writing.data.count == writing.length else {
      pending = .writing(writing)
      return (.moreFollows, [])
    }
    files.put(
      writing.data, at: writing.offset, application: writing.application, file: writing.file)
    programming = CardAnswer.programming(writing.length)
    return (.done, [])
  }

  mutating func tear(_ command: [UInt8], leaving bytes: [UInt8]) {
    files.tear(command, leaving: bytes)
  }

  mutating func run(_ command: [UInt8]) -> CardAnswer {
    guard let code = command.first else { return CardAnswer(bytes: [Status.lengthError.rawValue]) }
    if code == 0x00 && command.count >= 4 {
      let answer = files.run(command)
      // ISO selection is selection: native commands go to that application too.
      if command[1] == 0xA4, answer.bytes.suffix(2) == [0x90, 0x00] { current = files.current }
      return answer
    }
    if code == 0x90 && command.count >= 5 {
      guard let apdu = CommandAPDU(command), apdu.expected != nil else {
        return CardAnswer(bytes: [0x91, Status.lengthError.rawValue])
      }
      let (status, data) =
        apdu.offset == 0 ? perform(apdu.instruction, apdu.data) : (Status.parameterError, [])
      return CardAnswer(bytes: data + [0x91, status.rawValue], programming: takeProgramming())
    }
    let (status, data) = perform(code, Array(command.dropFirst()))
    return CardAnswer(bytes: [status.rawValue] + data, programming: takeProgramming())
  }

  private mutating func takeProgramming() -> Duration {
    defer { programming = .zero }
    return programming
  }

  private mutating func perform(_ code: UInt8, _ data: [UInt8]) -> Reply {
    do throws(Status) {
      let waiting = pending
      pending = .nothing
      if code == 0xAF { return try goOn(waiting, data) }
      switch waiting {
      case .frames, .writing: throw .aborted
      case .nothing, .authentication: return try begin(code, data)
      }
    } catch {
      return (error, [])
    }
  }

  private mutating func goOn(_ waiting: Pending, _ data: [UInt8]) throws(Status) -> Reply {
    switch waiting {
    case .nothing: throw .illegalCommand
    case .authentication: throw .authenticationError
    case .frames(let frames):
      guard data.isEmpty else { throw .lengthError }
      return send(frames)
    case .writing(var writing):
      writing.data += data
      return try goOn(writing)
    }
  }

  /// The first of these frames; the others wait for AF.
  mutating func send(_ frames: [[UInt8]]) -> Reply {
    guard frames.count > 1 else { return (.done, frames.first ?? []) }
    pending = .frames(Array(frames.dropFirst()))
    return (.moreFollows, frames[0])
  }

  private mutating func begin(_ code: UInt8, _ data: [UInt8]) throws(Status) -> Reply {
    switch code {
    case 0x60:
      try expect(data, count: 0)
      return send([Array(version[..<7]), Array(version[7..<14]), Array(version[14...])])
    case 0x6A:
      try expect(data, count: 0)
      try atCardLevel()
      return send(Self.pieces(applications.flatMap(\.number), of: 57))
    case 0x6D:
      try expect(data, count: 0)
      try atCardLevel()
      let named = applications.filter { !$0.name.isEmpty }
      // The application's own file identifier, E110 as in AN11004.
      return send(named.map { $0.number + [0x10, 0xE1] + $0.name })
    case 0x5A:
      try expect(data, count: 3)
      if data == [0, 0, 0] {
        current = nil
      } else {
        guard let index = applications.firstIndex(where: { $0.number == data }) else {
          throw .applicationNotFound
        }
        current = index
      }
      return (.done, [])
    case 0x6E:
      try expect(data, count: 0)
      let used = applications.flatMap(\.files).reduce(0) { $0 + ($1.bytes.count + 31) / 32 * 32 }
      return (.done, Self.bytes(of: max(Self.capacity - used, 0)))
    case 0x45:
      try expect(data, count: 0)
      // One key; applications with file identifiers of ISO/IEC 7816-4. Listing is free.
      return (.done, current == nil ? [0x0B, 0x01] : [0x0B, 0x21])
    case 0x64:
      try expect(data, count: 1)
      guard data[0] == 0 else { throw .noSuchKey }
      return (.done, [0x00])
    case 0x0A, 0x1A:
      try expect(data, count: 1)
      guard data[0] == 0 else { throw .noSuchKey }
      pending = .authentication
      return (.moreFollows, (0..<8).map { UInt8(truncatingIfNeeded: 0x5D &+ $0 &* 0x3B) })
    case 0xAA, 0x51, 0x54, 0x5C, 0xC4, 0xCA, 0xCD, 0xDA, 0xDF, 0xFC:
      throw .authenticationError
    default: return try beginOnFiles(code, data)
    }
  }

  static func pieces(_ data: [UInt8], of size: Int) -> [[UInt8]] {
    stride(from: 0, to: data.count, by: size).map { Array(data[$0...].prefix(size)) }
  }

  /// Three bytes, low one first.
  static func bytes(of number: Int) -> [UInt8] {
    (0..<3).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
  }

  static func number(_ bytes: ArraySlice<UInt8>) -> Int {
    bytes.reversed().reduce(0) { $0 << 8 | Int($1) }
  }
}
