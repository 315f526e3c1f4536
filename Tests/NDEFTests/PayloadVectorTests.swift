import Bytes
import Testing

@testable import NDEF

struct PayloadVectorTests {
  /// Payloads read otherwise than ndeflib's strict or relaxed mode does, and why.
  static let choices: [String: (taken: Bool, why: String)] = [
    "ndeflib-UriRecord-error-00": (true, "URI RTD 1.0 section 3.2.2 reads reserved codes as 0"),
    "ndeflib-UriRecord-error-01": (true, "URI RTD 1.0 section 3.2.2 reads reserved codes as 0"),
    "ndeflib-ActionRecord-relax-00": (false, "a reserved action is not taken for `do`"),
    "ndeflib-SmartposterRecord-relax-00": (true, "the poster is read without its reserved action"),
  ]

  /// The record types that have a reading of their own.
  static let interpreted: Set = ["U", "T", "Sp", "act", "s", "t"]

  static let vectors = VectorCase.all(layer: "payload")

  @Test(arguments: vectors.filter { interpreted.contains(name(of: $0)) })
  func `a payload is read, or refused, as the vectors say`(vector: VectorCase) throws {
    let choice = Self.choices[vector.name]
    let taken = choice?.taken ?? (vector.valid != .bool(false))
    let expect = choice == nil ? vector.expect : nil
    switch Self.name(of: vector) {
    case "U":
      let uri = URIPayload.decode(vector.bytes)
      #expect((uri != nil) == taken)
      if let expect { #expect(uri == expect["uri"]?.text) }
    case "T":
      let text = try? NDEFText.decode(vector.bytes).get()
      #expect((text != nil) == taken)
      #expect(text?.text == expect?["text"]?.text)
      #expect(text?.language == expect?["language"]?.text)
      #expect(text?.encoding.rawValue.uppercased() == expect?["encoding"]?.text)
    case "act":
      let action = SmartPoster.action(vector.bytes)
      #expect((action != nil) == taken)
      #expect(action?.name == (expect?["action"]?.text).map { $0 == "exec" ? "do" : $0 })
    case "s":
      #expect(SmartPoster.size(vector.bytes).map { Int($0) } == expect?["size"]?.number)
    case "t":
      #expect(SmartPoster.type(vector.bytes) == expect?["type"]?.text)
    default:
      let poster = try? SmartPoster.decode(vector.bytes).get()
      #expect((poster != nil) == taken)
      if let poster, let list = expect?.list { check(poster, against: list) }
    }
  }

  /// ndeflib's attributes: URI, title or titles, action, icons, size, type.
  private func check(_ poster: SmartPoster, against list: [Value]) {
    #expect(poster.uri == list[0].text)
    func attribute(_ index: Int) -> Value? {
      list.count > index && list[index] != .null ? list[index] : nil
    }
    let titles = attribute(1)
    let expected = titles?.map ?? titles.map { ["en": $0] } ?? [:]
    #expect(poster.titles.map(\.language) == Array(expected.keys))
    #expect(poster.titles.map(\.text) == expected.values.compactMap(\.text))
    #expect(poster.action == nil)
    let icons = attribute(3)?.map ?? [:]
    #expect(poster.icons.map(\.mediaType) == Array(icons.keys))
    #expect(poster.icons.map(\.bytes) == icons.values.compactMap { $0["hex"]?.bytes })
    #expect(poster.size == nil)
    #expect(poster.type == attribute(5)?.text)
  }

  @Test func `a reserved action leaves the poster without one`() throws {
    let bytes = try #require([UInt8](hex: "9101015500510301616374ff"))
    #expect(try SmartPoster.decode(bytes).get() == SmartPoster(uri: ""))
  }

  @Test(arguments: vectors.filter { !interpreted.contains(name(of: $0)) })
  func `other payloads are carried as they are`(vector: VectorCase) throws {
    let name = Self.name(of: vector)
    if name.contains("/") {
      let record = try NDEFRecord.mime(name, vector.bytes)
      #expect(record.content == .mime(type: name, bytes: vector.bytes))
    } else {
      let record = try NDEFRecord(
        typeNameFormat: .wellKnown, type: Array(name.utf8), payload: vector.bytes)
      #expect(record.content == .other(type: name, bytes: vector.bytes))
      #expect(try NDEFMessage(parsing: NDEFMessage([record]).bytes).records == [record])
    }
  }

  private static func name(of vector: VectorCase) -> String {
    let type = vector.type ?? ""
    return type.hasPrefix("urn:nfc:wkt:") ? String(type.dropFirst(12)) : type
  }
}
