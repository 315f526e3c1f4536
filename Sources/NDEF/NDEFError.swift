/// Why bytes are no NDEF message, or why a record cannot be made.
///
/// Offsets are those of the record or byte meant, counted from 0 in the bytes given to the parser.
package enum NDEFError: Error, Sendable, Equatable {
  /// The bytes end inside the header of the record at `offset`.
  case headerCut(offset: Int)
  /// The record at `offset` says it is `length` bytes long beyond its header, and `available` follow.
  case recordCut(offset: Int, length: Int, available: Int)
  /// The first record does not have the message begin flag.
  case noMessageBegin
  /// A record or chunk after the first has the message begin flag.
  case secondMessageBegin(offset: Int)
  /// No record has the message end flag.
  case noMessageEnd(offset: Int)
  /// `count` bytes follow the record with the message end flag.
  case bytesAfterEnd(offset: Int, count: Int)
  /// A record of type name format 6 where no chunk precedes.
  case chunkWithoutStart(offset: Int)
  /// A record that is no chunk, where the last one said that a chunk follows.
  case chunkExpected(offset: Int)
  /// A chunk that says both that another follows and that the message ends.
  case endBeforeLastChunk(offset: Int)
  /// A field that this type name format must not have; without an offset, in a record to be made.
  case fieldNotAllowed(Field, format: TypeNameFormat, offset: Int?)
  /// A field that is longer than its length field can say.
  case fieldTooLong(Field, length: Int, limit: Int)
  /// A type name format that only a chunk has.
  case formatNotAllowed(TypeNameFormat)
  /// A language code that is not 1 to 63 letters, digits or hyphens.
  case language(String)
  /// Two titles of a smart poster in the same language.
  case titleTwice(language: String)
  /// No `type/subtype` of visible US-ASCII characters.
  case mediaType(String)
  /// No `domain:type` of visible US-ASCII characters.
  case externalType(String)
  /// No Android package name.
  case packageName(String)
  /// An absolute URI record without a URI.
  case emptyURI

  /// The parts of a record that have a length.
  package enum Field: String, Sendable, Equatable {
    case type, id, payload
  }
}

extension NDEFError: CustomStringConvertible {
  /// One sentence without full stop.
  package var description: String {
    switch self {
    case .headerCut(let offset):
      "the message ends inside the header of the record at byte \(offset)"
    case .recordCut(let offset, let length, let available):
      "the record at byte \(offset) announces \(length) bytes after its header, but \(available) follow"
    case .noMessageBegin:
      "the record at byte 0 does not have the message begin flag"
    case .secondMessageBegin(let offset):
      "the record at byte \(offset) has the message begin flag, but is not the first"
    case .noMessageEnd(let offset):
      "the message ends at byte \(offset) without a record that has the message end flag"
    case .bytesAfterEnd(let offset, let count):
      "the message ends at byte \(offset), but \(count) more \(count == 1 ? "byte follows" : "bytes follow")"
    case .chunkWithoutStart(let offset):
      "the record at byte \(offset) continues a chunked record, but none was begun"
    case .chunkExpected(let offset):
      "the record at byte \(offset) should continue the chunked record before it"
    case .endBeforeLastChunk(let offset):
      "the chunk at byte \(offset) has the message end flag, but announces another chunk"
    case .fieldNotAllowed(let field, let format, let offset):
      "the record\(offset.map { " at byte \($0)" } ?? "") has the type name format "
        + "\(format.rawValue), which allows no \(field.rawValue)"
    case .fieldTooLong(let field, let length, let limit):
      "the \(field.rawValue) of the record has \(length) bytes, but at most \(limit) are possible"
    case .formatNotAllowed(let format):
      "a whole record cannot have the type name format \(format.rawValue)"
    case .language(let code):
      "the language code \"\(code)\" is not 1 to 63 letters, digits or hyphens"
    case .titleTwice(let language):
      "the smart poster has two titles in the language \"\(language)\""
    case .mediaType(let type):
      "\"\(type)\" is not a media type of the form type/subtype"
    case .externalType(let type):
      "\"\(type)\" is not an external type of the form domain:type"
    case .packageName(let name):
      "\"\(name)\" is not the name of an Android package"
    case .emptyURI:
      "the absolute URI record has no URI"
    }
  }
}
