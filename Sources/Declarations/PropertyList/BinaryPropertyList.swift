/// Reads binary property lists, version `00`, as CoreFoundation's CFBinaryPList.c lays them out.
///
/// The last 32 bytes say how wide offsets and references are, how many objects there are, which one
/// is the root and where the table of their offsets is. Each object begins with a marker: its kind
/// in the high half, its size in the low one, or F and an integer object where it is larger.
///
/// Objects may be shared; what is read is bounded by the number of values and bytes that a tree of
/// them has, and by its depth, which also ends a list that holds itself.
struct BinaryPropertyList {
  private let bytes: [UInt8]
  private let offsetWidth: Int
  private let referenceWidth: Int
  private let count: Int
  private let top: Int
  private let table: Int
  private var values = 0
  private var copied = 0

  private static let mostBytes = 4 << 20

  init(_ bytes: [UInt8]) throws(PropertyListFault) {
    guard bytes.starts(with: "bplist00".utf8) else {
      throw PropertyListFault(message: "only version 00 of binary property lists is read")
    }
    guard bytes.count >= 40 else {
      throw PropertyListFault(message: "the binary property list is cut short")
    }
    let trailer = bytes.count - 32
    self.bytes = bytes
    offsetWidth = Int(bytes[trailer + 6])
    referenceWidth = Int(bytes[trailer + 7])
    guard (1...8).contains(offsetWidth), (1...8).contains(referenceWidth),
      let count = Self.number(bytes[trailer + 8..<trailer + 16]),
      let top = Self.number(bytes[trailer + 16..<trailer + 24]),
      let table = Self.number(bytes[trailer + 24..<trailer + 32]),
      table >= 8, table <= trailer, count > 0, count <= (trailer - table) / offsetWidth,
      top < count
    else {
      throw PropertyListFault(
        message: "the binary property list is cut short, or its end is damaged")
    }
    self.count = count
    self.top = top
    self.table = table
  }

  /// The root object.
  mutating func root() throws(PropertyListFault) -> PropertyValue {
    try value(of: top, depth: 1)
  }

  private mutating func value(
    of object: Int, depth: Int
  ) throws(PropertyListFault) -> PropertyValue {
    values += 1
    if values > PropertyListFile.mostValues { throw Self.tooMany }
    if depth > PropertyListFile.deepest {
      throw PropertyListFault(code: "too-deep", message: "values are nested more than 64 deep")
    }
    var offset = try offset(of: object)
    let marker = bytes[offset]
    offset += 1
    switch marker >> 4 {
    case 0x0: return PropertyValue(.other(marker == 0 ? "nothing" : "true or false"))
    case 0x1, 0x2: return PropertyValue(.other("a number"))
    case 0x3: return PropertyValue(.other("a date"))
    case 0x4: return PropertyValue(.other("data"))
    case 0x8: return PropertyValue(.other("a reference"))
    case 0x5:
      let size = try size(marker, &offset)
      return PropertyValue(.text(String(decoding: try take(size, at: offset), as: UTF8.self)))
    case 0x6:
      let size = try size(marker, &offset)
      return PropertyValue(.text(try wideText(size, at: offset)))
    case 0xA:
      let size = try size(marker, &offset)
      let items = try references(size, at: offset)
      var array: [PropertyValue] = []
      for item in items { array.append(try value(of: item, depth: depth + 1)) }
      return PropertyValue(.array(array))
    case 0xD:
      let size = try size(marker, &offset)
      return try dictionary(size, at: offset, depth: depth)
    default: throw damaged("object \(object) is of no known kind")
    }
  }

  private mutating func dictionary(
    _ size: Int, at offset: Int, depth: Int
  ) throws(PropertyListFault) -> PropertyValue {
    let keys = try references(size, at: offset)
    let items = try references(size, at: offset + size * referenceWidth)
    var entries: [PropertyEntry] = []
    for (key, item) in zip(keys, items) {
      guard case .text(let name) = try value(of: key, depth: depth + 1).content else {
        throw damaged("a key of a dictionary is no text")
      }
      entries.append(
        PropertyEntry(key: name, keyPlace: nil, value: try value(of: item, depth: depth + 1)))
    }
    return PropertyValue(.dictionary(entries))
  }

  // MARK: Pieces

  /// Where an object begins: before the table, where objects are.
  private func offset(of object: Int) throws(PropertyListFault) -> Int {
    guard object < count else { throw damaged("there is no object \(object)") }
    let entry = table + object * offsetWidth
    guard let offset = Self.number(bytes[entry..<entry + offsetWidth]), offset >= 8,
      offset < table
    else { throw damaged("object \(object) lies outside the file") }
    return offset
  }

  /// The size of the object whose marker was read; moves `offset` behind it.
  private func size(_ marker: UInt8, _ offset: inout Int) throws(PropertyListFault) -> Int {
    let low = Int(marker & 15)
    if low < 15 { return low }
    guard offset < table, bytes[offset] >> 4 == 1, bytes[offset] & 15 <= 3 else {
      throw damaged("the size of an object is no number")
    }
    let width = 1 << Int(bytes[offset] & 15)
    let digits = offset + 1..<offset + 1 + width
    guard digits.upperBound <= table, let size = Self.number(bytes[digits]),
      size <= bytes.count
    else { throw damaged("an object is larger than the file") }
    offset = digits.upperBound
    return size
  }

  private mutating func take(
    _ size: Int, at offset: Int
  ) throws(PropertyListFault) -> ArraySlice<UInt8> {
    copied += size
    if copied > Self.mostBytes {
      throw PropertyListFault(code: "too-large", message: "the texts of the file exceed 4 MiB")
    }
    guard offset + size <= table else { throw damaged("an object is larger than the file") }
    return bytes[offset..<offset + size]
  }

  /// UTF-16, the high byte first; `size` counts its units.
  private mutating func wideText(_ size: Int, at offset: Int) throws(PropertyListFault) -> String {
    let raw = Array(try take(size * 2, at: offset))
    let units = (0..<size).map { UInt16(raw[2 * $0]) << 8 | UInt16(raw[2 * $0 + 1]) }
    return String(decoding: units, as: UTF16.self)
  }

  private func references(_ size: Int, at offset: Int) throws(PropertyListFault) -> [Int] {
    guard offset <= table, size <= (table - offset) / referenceWidth else {
      throw damaged("an object is larger than the file")
    }
    if size > PropertyListFile.mostValues - values { throw Self.tooMany }
    var references: [Int] = []
    for index in 0..<size {
      let start = offset + index * referenceWidth
      guard let object = Self.number(bytes[start..<start + referenceWidth]) else {
        throw damaged("a reference leads nowhere")
      }
      references.append(object)
    }
    return references
  }

  private static var tooMany: PropertyListFault {
    PropertyListFault(code: "too-many-nodes", message: "the file has more than 100,000 values")
  }

  private func damaged(_ detail: String) -> PropertyListFault {
    PropertyListFault(message: "the binary property list is damaged: \(detail)")
  }

  /// A number of up to eight bytes, the highest first; `nil` beyond what an `Int` holds.
  private static func number(_ digits: ArraySlice<UInt8>) -> Int? {
    Int(exactly: digits.reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
  }
}
