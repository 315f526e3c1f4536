package import Bytes

/// An NDEF message: its records in order; none for the message of an empty tag.
///
/// Where implementations disagree about bytes, this one decides so:
///
/// | bytes | decision |
/// | --- | --- |
/// | none at all | a message of no records, as a tag with a message of length zero holds it |
/// | bytes after the record with the message end flag | refused, as Android does |
/// | a type of no bytes with formats 1 to 4 | taken; the record's content is `malformed` |
/// | type bytes that are no US-ASCII | taken |
/// | chunked records | joined into one record; a later chunk has format 6, no type and no id |
/// | format 6 outside a run of chunks | refused |
/// | reserved format 7 | read as format 5, so with a type refused |
/// | an id length of zero | read as no id |
package struct NDEFMessage: Sendable, Hashable {
  /// The records, in the order of the message.
  package var records: [NDEFRecord]

  /// A message of these records.
  package init(_ records: [NDEFRecord] = []) {
    self.records = records
  }

  /// The message that `bytes` are from their first to their last.
  package init(parsing bytes: [UInt8]) throws(NDEFError) {
    records = []
    var reader = RecordReader(bytes)
    var open: RecordPiece?
    var ended = false
    while !reader.isAtEnd {
      if ended { throw .bytesAfterEnd(offset: reader.offset, count: reader.remaining) }
      let piece = try reader.next()
      try Self.checkOrder(of: piece, after: open)
      ended = piece.has(RecordFlags.messageEnd)
      var whole = piece
      if var begun = open.take() {
        begun.payload += piece.payload
        whole = begun
      }
      if piece.has(RecordFlags.chunk) {
        open = whole
      } else {
        records.append(try whole.record)
      }
    }
    if !ended && !bytes.isEmpty { throw .noMessageEnd(offset: bytes.count) }
  }

  /// The canonical encoding: unchunked, each record as short as it can be; empty without records.
  package var bytes: [UInt8] {
    var bytes: [UInt8] = []
    for (index, record) in records.enumerated() {
      record.write(to: &bytes, first: index == 0, last: index == records.count - 1)
    }
    return bytes
  }

  /// Whether it says nothing: no record, or one empty record.
  package var isEmpty: Bool { records.isEmpty || records == [.empty] }

  /// The records' descriptions in an array.
  package var json: JSON { .array(records.map(\.json)) }

  /// Refuses a piece whose flags do not fit its position (sections 2.3 and 3.2).
  private static func checkOrder(
    of piece: RecordPiece, after open: RecordPiece?
  ) throws(NDEFError) {
    let begins = piece.has(RecordFlags.messageBegin)
    if piece.offset == 0 && !begins { throw .noMessageBegin }
    if piece.offset > 0 && begins { throw .secondMessageBegin(offset: piece.offset) }
    if open == nil && piece.format == .unchanged { throw .chunkWithoutStart(offset: piece.offset) }
    if open != nil && piece.format != .unchanged { throw .chunkExpected(offset: piece.offset) }
    if piece.has(RecordFlags.chunk) && piece.has(RecordFlags.messageEnd) {
      throw .endBeforeLastChunk(offset: piece.offset)
    }
  }
}
