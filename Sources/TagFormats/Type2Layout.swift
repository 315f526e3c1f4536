/// Where a message lies in a type 2 tag's data area (NFC Forum Type 2 Tag 1.2, sections 4 to 6).
struct Type2Layout: Sendable, Equatable {
  /// The memory addresses, in bytes, of the data area without reserved bytes, in order.
  var addresses: [Int]
  /// The index into `addresses` of the NDEF TLV's type byte, or where one would be put.
  var position: Int
  /// The message's length; `nil` where there is no NDEF TLV.
  var length: Int?
  /// The index into `addresses` of the message's first byte.
  var start: Int
  /// Why the TLV cannot be, if it cannot.
  var fault: String?

  /// The largest message that fits into `space` bytes with its TLV's type and length.
  static func largestMessage(in space: Int) -> Int {
    if space - 4 >= 255 { return space - 4 }
    return max(0, min(254, space - 2))
  }

  /// The largest message, in bytes, at this layout's position.
  var capacity: Int { Self.largestMessage(in: addresses.count - position) }

  /// The address of the NDEF TLV's first length byte.
  var lengthAddress: Int? { position + 1 < addresses.count ? addresses[position + 1] : nil }

  /// Walks the TLVs of a data area of `size` bytes from page 4 on; `byte` reads memory as it is needed.
  static func walk<Failure: Error>(
    size: Int, _ byte: (Int) throws(Failure) -> UInt8
  ) throws(Failure) -> Type2Layout {
    var layout = Type2Layout(addresses: Array(16..<(16 + size)), position: 0, length: nil, start: 0)
    var index = 0
    var freeFrom = 0
    while index < layout.addresses.count {
      let type = try byte(layout.addresses[index])
      if type == 0x00 {
        index += 1
        continue
      }
      if type == 0xFE { break }
      guard let (length, valueStart) = try layout.length(at: index + 1, byte) else {
        layout.fault = "a TLV's length lies past the end of the data area"
        layout.position = index
        return layout
      }
      if type == 0x03 {
        layout.position = index
        layout.length = length
        layout.start = valueStart
        if valueStart + length > layout.addresses.count {
          layout.fault = "the message's length, \(length), is more than the data area holds"
        }
        return layout
      }
      if valueStart + length > layout.addresses.count {
        layout.fault = "a TLV's value lies past the end of the data area"
        layout.position = index
        return layout
      }
      if (type == 0x01 || type == 0x02) && length == 3 {
        var value: [UInt8] = []
        for offset in 0..<3 { value.append(try byte(layout.addresses[valueStart + offset])) }
        layout.reserve(value, inBits: type == 0x01, after: valueStart + length)
      }
      index = valueStart + length
      freeFrom = index
    }
    layout.position = freeFrom
    return layout
  }

  /// The TLV length that starts at `index`: one byte, or FF and two more, most significant first.
  private func length<Failure: Error>(
    at index: Int, _ byte: (Int) throws(Failure) -> UInt8
  ) throws(Failure) -> (length: Int, valueStart: Int)? {
    guard index < addresses.count else { return nil }
    let first = try byte(addresses[index])
    if first != 0xFF { return (Int(first), index + 1) }
    guard index + 2 < addresses.count else { return nil }
    let high = try byte(addresses[index + 1])
    let low = try byte(addresses[index + 2])
    return (Int(high) << 8 | Int(low), index + 3)
  }

  /// Takes the area that a lock or memory control TLV names out of the data area.
  ///
  /// Byte 0: page address and offset nibbles; byte 1: size in bits or bytes (0 is 256); byte 2: its low
  /// nibble is the exponent of bytes a page.
  private mutating func reserve(_ value: [UInt8], inBits: Bool, after index: Int) {
    let first = Int(value[0] >> 4) << Int(value[2] & 0x0F) + Int(value[0] & 0x0F)
    let size = value[1] == 0 ? 256 : Int(value[1])
    let reserved = first..<(first + (inBits ? (size + 7) / 8 : size))
    let kept = addresses[..<index]
    addresses = kept + addresses[index...].filter { !reserved.contains($0) }
  }
}
