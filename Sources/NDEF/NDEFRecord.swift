/// One whole record of a message, with fields that its encoding can carry.
///
/// Records come from a parsed message or from makers such as ``uri(_:)``; neither makes one that
/// cannot be written.
package struct NDEFRecord: Sendable, Hashable {
  /// What the type names; never `unchanged`.
  package let typeNameFormat: TypeNameFormat
  /// At most 255 bytes.
  package let type: [UInt8]
  /// At most 255 bytes; none where the record has no identifier.
  package let id: [UInt8]
  /// At most 2^32 - 1 bytes.
  package let payload: [UInt8]

  /// A record of these fields, refused where NDEF 1.0 sections 3.2 and 3.3 have no encoding for them.
  ///
  /// A type of no bytes is taken with every type name format, as Android does.
  package init(
    typeNameFormat: TypeNameFormat, type: [UInt8] = [], id: [UInt8] = [], payload: [UInt8] = []
  ) throws(NDEFError) {
    if typeNameFormat == .unchanged { throw .formatNotAllowed(.unchanged) }
    if let field = typeNameFormat.forbidden(type: type, id: id, payload: payload) {
      throw .fieldNotAllowed(field, format: typeNameFormat, offset: nil)
    }
    if type.count > 0xFF { throw .fieldTooLong(.type, length: type.count, limit: 0xFF) }
    if id.count > 0xFF { throw .fieldTooLong(.id, length: id.count, limit: 0xFF) }
    if payload.count > Int(UInt32.max) {
      throw .fieldTooLong(.payload, length: payload.count, limit: Int(UInt32.max))
    }
    self.init(checked: typeNameFormat, type: type, id: id, payload: payload)
  }

  /// A record whose fields are known to fit.
  init(checked format: TypeNameFormat, type: [UInt8], id: [UInt8] = [], payload: [UInt8]) {
    typeNameFormat = format
    self.type = type
    self.id = id
    self.payload = payload
  }

  /// The record of no content that stands for an empty message on some tags.
  package static let empty = NDEFRecord(checked: .empty, type: [], payload: [])

  /// The same record with another identifier.
  package func identified(by id: [UInt8]) throws(NDEFError) -> NDEFRecord {
    try NDEFRecord(typeNameFormat: typeNameFormat, type: type, id: id, payload: payload)
  }

  /// Appends the record's encoding: short where the payload allows, an id length only with an id.
  func write(to bytes: inout [UInt8], first: Bool, last: Bool) {
    let short = payload.count <= 0xFF
    var flags = typeNameFormat.rawValue
    if first { flags |= RecordFlags.messageBegin }
    if last { flags |= RecordFlags.messageEnd }
    if short { flags |= RecordFlags.short }
    if !id.isEmpty { flags |= RecordFlags.idLength }
    bytes.append(flags)
    bytes.append(UInt8(truncatingIfNeeded: type.count))
    for shift in short ? [0] : [24, 16, 8, 0] {
      bytes.append(UInt8(truncatingIfNeeded: payload.count >> shift))
    }
    if !id.isEmpty { bytes.append(UInt8(truncatingIfNeeded: id.count)) }
    bytes += type
    bytes += id
    bytes += payload
  }
}

extension TypeNameFormat {
  /// The first field that a record of this format must leave empty and does not (section 3.2.6).
  func forbidden(type: [UInt8], id: [UInt8], payload: [UInt8]) -> NDEFError.Field? {
    switch self {
    case .empty:
      if !type.isEmpty { return .type }
      if !id.isEmpty { return .id }
      return payload.isEmpty ? nil : .payload
    case .unknown:
      return type.isEmpty ? nil : .type
    case .unchanged:
      if !type.isEmpty { return .type }
      return id.isEmpty ? nil : .id
    case .wellKnown, .media, .absoluteURI, .external:
      return nil
    }
  }
}
