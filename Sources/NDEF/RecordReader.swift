/// The flags in a record's first byte (NDEF 1.0 section 3.2).
enum RecordFlags {
  static let messageBegin: UInt8 = 0x80
  static let messageEnd: UInt8 = 0x40
  static let chunk: UInt8 = 0x20
  static let short: UInt8 = 0x10
  static let idLength: UInt8 = 0x08
}

/// A record as it stands in the bytes: whole, or one chunk.
struct RecordPiece: Equatable {
  var offset: Int
  var flags: UInt8
  var format: TypeNameFormat
  var type: [UInt8]
  var id: [UInt8]
  var payload: [UInt8]

  func has(_ flag: UInt8) -> Bool { flags & flag != 0 }

  /// The record that this piece is, by itself or with the chunks after it joined on.
  var record: NDEFRecord {
    get throws(NDEFError) {
      if let field = format.forbidden(type: type, id: id, payload: payload) {
        throw .fieldNotAllowed(field, format: format, offset: offset)
      }
      return NDEFRecord(checked: format, type: type, id: id, payload: payload)
    }
  }
}

/// Takes pieces from the front of bytes, one after the other.
///
/// A length is compared with what is left before anything is copied, so a piece never takes more memory
/// than its bytes do.
struct RecordReader {
  private let bytes: ArraySlice<UInt8>
  private(set) var offset = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes[...] }

  var isAtEnd: Bool { offset == bytes.count }
  var remaining: Int { bytes.count - offset }

  mutating func next() throws(NDEFError) -> RecordPiece {
    let start = offset
    let flags = try byte(of: start)
    let typeLength = Int(try byte(of: start))
    var payloadLength = 0
    for _ in 0..<(flags & RecordFlags.short == 0 ? 4 : 1) {
      payloadLength = payloadLength << 8 | Int(try byte(of: start))
    }
    let idLength = flags & RecordFlags.idLength == 0 ? 0 : Int(try byte(of: start))
    let length = typeLength + idLength + payloadLength
    guard length <= remaining else {
      throw .recordCut(offset: start, length: length, available: remaining)
    }
    let piece = RecordPiece(
      offset: start, flags: flags, format: TypeNameFormat(flags: flags),
      type: take(typeLength), id: take(idLength), payload: take(payloadLength))
    if let field = piece.format.forbidden(type: piece.type, id: piece.id, payload: piece.payload) {
      throw .fieldNotAllowed(field, format: piece.format, offset: start)
    }
    return piece
  }

  private mutating func byte(of record: Int) throws(NDEFError) -> UInt8 {
    guard !isAtEnd else { throw .headerCut(offset: record) }
    defer { offset += 1 }
    return bytes[offset]
  }

  private mutating func take(_ count: Int) -> [UInt8] {
    defer { offset += count }
    return Array(bytes[offset..<offset + count])
  }
}
