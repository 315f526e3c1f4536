internal import Bytes
internal import Diagnostics
internal import TagFormats
internal import Templates
internal import YAMLTree

/// The keys of `expect`.
enum ExpectationKeys {
  static let kind = Key("kind", tagKind, "miFare, iso7816, feliCa, iso15693 or type1")
  static let chip = Key(
    "chip", Kind.oneOrMore(.chip), example: "NTAG213", "The chip, or any of several")
  static let uid = Key("uid", ValueTestKeys.hex, "The UID")
  static let initialSelectedAID = Key(
    "initialSelectedAID", ValueTestKeys.hex, "The application selected when the tag was found")
  static let systemCode = Key("systemCode", ValueTestKeys.hex, "The FeliCa system code")
  static let content = Key(
    "content", Kind.word(Expectation.Content.self), "What the tag holds at all")
  static let records = Key("records", Kind.list(RecordTestKeys.value), "All records, in order")
  static let contains = Key(
    "contains", Kind.list(RecordTestKeys.value, atLeast: 1), "Some of the records")
  static let message = Key("message", messageKind, "The whole message in hexadecimal, or `row`")
  static let locked = Key("locked", Kind.boolean, "Whether all is set that `lock` sets")
  static let protected = Key("protected", Kind.boolean, "Whether a password guards it")
  static let counter = Key("counter", counterKind, "The tag's read counter")
  static let capacity = Key("capacity", capacityKind, "Room for a message, in bytes")
  static let bytes = Key("bytes", Kind.list(bytesKind, atLeast: 1), "Exact bytes from a page on")

  static let shape = ObjectShape(
    "`expect`", "What the tag must be", count: 1...Int.max,
    [
      kind.shape, chip.shape, uid.shape, initialSelectedAID.shape, systemCode.shape, content.shape,
      records.shape, contains.shape, message.shape, locked.shape, protected.shape, counter.shape,
      capacity.shape, bytes.shape,
      KeyShape(
        name: "not", shape: .reference("`expect`"), doc: "What must not hold", fallback: nil,
        isRequired: false, isLater: false),
      .later("genuine", "Whether the chip's signature is good"),
    ])

  static let value = Kind<Expectation>(.object(shape)) { node, reading in
    checks(node, &reading).map { Expectation(checks: $0) }
  }

  private typealias Subject = Expectation.Subject

  /// The checks of a map, in its order.
  private static func checks(_ node: YAMLNode, _ reading: inout Reading) -> [Expectation.Check]? {
    guard let fields = Fields(node, as: shape, &reading) else { return nil }
    if fields.entries.isEmpty {
      reading.error("out-of-range", "\(reading.subject) needs at least one key", at: node.place)
      return nil
    }
    return fields.entries.compactMap { entry in
      let subject: Subject? =
        switch entry.key {
        case "kind": fields.read(kind, &reading).map { .kind($0) }
        case "chip": fields.read(chip, &reading).map { .chip($0.map(\.rawValue)) }
        case "uid": fields.read(uid, &reading).map { .uid($0) }
        case "initialSelectedAID":
          fields.read(initialSelectedAID, &reading).map { .initialSelectedAID($0) }
        case "systemCode": fields.read(systemCode, &reading).map { .systemCode($0) }
        case "content": fields.read(content, &reading).map { .content($0) }
        case "records": fields.read(records, &reading).map { .records($0) }
        case "contains": fields.read(contains, &reading).map { .contains($0) }
        case "message": fields.read(message, &reading)
        case "locked": fields.read(locked, &reading).map { .locked($0) }
        case "protected": fields.read(protected, &reading).map { .protected($0) }
        case "counter": fields.read(counter, &reading)
        case "capacity": fields.read(capacity, &reading).map { .capacity(atLeast: $0) }
        case "bytes": nil
        case "not": checks(entry.value, &reading).map { .not($0) }
        default: nil
        }
      return subject.map { Expectation.Check(subject: $0, place: entry.keyPlace) }
    } + (fields.read(bytes, &reading) ?? [])
  }

  private static let tagKinds = ["miFare", "iso7816", "feliCa", "iso15693", "type1"]

  /// A kind of tag, compared as a text; a literal that is none would never fit.
  private static let tagKind = ValueTestKeys.plain.map {
    (test, node, reading) -> Expectation.ValueTest? in
    guard case .equals(let template) = test, template.isLiteral, !tagKinds.contains(template.text)
    else { return test }
    reading.error(
      "unknown-word", "\(reading.subject) cannot be `\(template.text)`", at: node.place,
      help: Reading.suggestion(for: template.text, among: tagKinds))
    return nil
  }

  private static let messageKind = Kind<Expectation.Subject>(
    .either([.words(["row"]), .text(.hex(0...(1 << 20)))])
  ) { node, reading in
    if node.scalar?.text == "row" { return .messageOfRow }
    return Kind.hex().read(node, &reading).map { .message($0) }
  }

  private static let atLeast = Key("atLeast", Kind.integer(0...Int.max), "No less than this")
  private static let atMost = Key("atMost", Kind.integer(0...Int.max), "No more than this")

  private static let counterKind = Kind<Expectation.Subject>.object(
    ObjectShape(
      "`counter`", "The tag's read counter", count: 1...Int.max, [atLeast.shape, atMost.shape])
  ) { fields, reading in
    let low = fields.read(atLeast, &reading)
    let high = fields.read(atMost, &reading)
    if let low, let high, low > high {
      reading.error(
        "out-of-range", "`atLeast` is more than `atMost`", at: fields.place(of: atLeast))
    }
    if low == nil && high == nil && fields.entries.isEmpty {
      reading.error("missing-key", "`counter` needs `atLeast` or `atMost`", at: fields.place)
    }
    return .counter(atLeast: low, atMost: high)
  }

  private static let room = Key(
    "atLeast", Kind.integer(0...Int.max), required: true, "No less than this")

  private static let capacityKind = Kind<Int>.object(
    ObjectShape("`capacity`", "Room for a message, in bytes", [room.shape])
  ) { fields, reading in
    fields.read(room, &reading)
  }

  private static let page = Key("at", Kind.integer(0...0xFFFF), required: true, "The page")
  private static let pageBytes = Key(
    "hex", Kind.hex(1...(1 << 16)), required: true, "The bytes from its start")

  private static let bytesKind = Kind<Expectation.Check>.object(
    ObjectShape("`bytes`", "Exact bytes from a page on", [page.shape, pageBytes.shape])
  ) { fields, reading in
    guard let at = fields.read(page, &reading), let hex = fields.read(pageBytes, &reading) else {
      return nil
    }
    return Expectation.Check(subject: .bytes(at: at, hex), place: fields.place)
  }
}
