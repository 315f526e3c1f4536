internal import Bytes
internal import Diagnostics
internal import NDEF
internal import ReaderSession
internal import Readers
internal import TagFiles
internal import TagFormats

/// What is on one tag, for people and programs.
struct TagSheet: Sendable {
  let uid: [UInt8]
  let chip: String
  /// How the tag arrives, for the station and for an app where one was named.
  let arrivals: [(who: String, arrival: Arrival?)]
  let isReadByPhones: Bool
  let content: TagContent
  let capacity: Int
  let isLocked: Bool
  let isProtected: Bool?
  let counter: Int?

  /// The memory as a tag file, where its kind has one.
  let image: TagImage?

  /// Reads the tag that was inspected.
  init(
    _ inspection: TagInspection, on device: any ReaderDevice, for names: [String]
  ) throws(TagError) {
    let format = try TagFormats.identify(DeviceLink(device, inspection.target))
    let survey = try format.survey()
    uid = inspection.target.uid
    chip = format.chip.rawValue
    arrivals = zip(names, inspection.arrivals).map { ($0, $1) }
    isReadByPhones = inspection.target.isReadByPhones
    content = survey.content
    capacity = survey.capacity
    isLocked = survey.isLocked
    isProtected = survey.isProtected
    image = TagImage(format, uid: inspection.target.uid)
    // A counter that may not be read is as good as none.
    counter = (try? format.counter()) ?? nil
  }

  private var message: [UInt8]? {
    if case .message(let bytes) = content { return bytes }
    return nil
  }

  private var records: [JSON]? {
    guard let message, case .array(let records)? = (try? NDEFMessage(parsing: message))?.json
    else { return nil }
    return records
  }

  private var state: (name: String, words: String) {
    switch content {
    case .blank: ("unformatted", "nothing, as the factory made it")
    case .unformatted(let why): ("unformatted", "no NDEF format: \(why)")
    case .empty: ("empty", "no message; there is room for \(capacity) bytes")
    case .message(let bytes):
      ("message", "a message of \(bytes.count) bytes; \(capacity) would fit")
    case .broken(let why): ("broken", "an NDEF format that is broken: \(why)")
    }
  }

  /// How a tag arrives, in words.
  private func words(of arrival: Arrival?) -> String {
    guard let arrival else { return "is not delivered: nothing declared matches it" }
    var words = "arrives as \(arrival.kind.rawValue)"
    if let family = arrival.family { words += " (\(family.rawValue))" }
    if let identifier = arrival.initialSelectedAID { words += ", selected \(identifier.hex)" }
    if let code = arrival.systemCode { words += ", system \(code.hex)" }
    return isReadByPhones ? words : words + ", which an iPhone does not read"
  }

  private func json(of arrival: Arrival?) -> JSON {
    guard let arrival else { return .null }
    return .object([
      ("kind", .string(arrival.kind.rawValue)),
      ("family", arrival.family.map { .string($0.rawValue) } ?? .null),
      ("initialSelectedAID", arrival.initialSelectedAID.map { .string($0.hex) } ?? .null),
      ("systemCode", arrival.systemCode.map { .string($0.hex) } ?? .null),
    ])
  }

  /// The sheet for people.
  var lines: [String] {
    var rows = [
      ["uid", uid.hex], ["chip", chip],
      ["content", shown(state.words)], ["locked", isLocked ? "yes" : "no"],
    ]
    for (who, arrival) in arrivals.reversed() { rows.insert([who, words(of: arrival)], at: 2) }
    if let isProtected { rows.append(["password", isProtected ? "yes" : "no"]) }
    if let counter { rows.append(["counter", String(counter)]) }
    if let records {
      for (index, record) in records.enumerated() {
        rows.append(["record \(index + 1)", shown(record.text)])
      }
    } else if let message {
      rows.append(["message", "\(shown(message.hex)), which is no NDEF message"])
    }
    return table(rows)
  }

  /// The sheet for programs.
  var json: JSON {
    .object([
      ("v", .integer(1)), ("uid", .string(uid.hex)), ("chip", .string(chip)),
      ("phone", .bool(isReadByPhones)),
      ("arrives", .object(arrivals.map { ($0.who, json(of: $0.arrival)) })),
      ("content", .string(state.name)), ("capacity", .integer(Int64(capacity))),
      ("locked", .bool(isLocked)), ("protected", isProtected.map { .bool($0) } ?? .null),
      ("counter", counter.map { .integer(Int64($0)) } ?? .null),
      ("message", message.map { .string($0.hex) } ?? .null),
      ("records", records.map { .array($0) } ?? .null),
    ])
  }
}

extension TagImage {
  /// The memory of a type 2 tag, its signature included; `nil` for another kind or an unreadable one.
  fileprivate init?(_ format: any TagFormat, uid: [UInt8]) {
    guard let chip = ImageChip(rawValue: format.chip.rawValue),
      let pages = try? format.bytes(at: 0, count: chip.pageCount)
    else { return nil }
    self.init(chip: chip, uid: uid, pages: pages)
    // READ_SIG: 32 bytes (NTAG21x and MF0ULx1 data sheets).
    if let signature = try? format.link.exchange([0x3C, 0x00], framing: .raw),
      signature.count == 32
    {
      self.signature = signature
    } else {
      // A refusal halts the tag.
      try? format.link.reselect()
    }
  }
}
