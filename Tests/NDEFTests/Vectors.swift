import Bytes
import Foundation
import NDEF
import Testing

/// A value of a JSON file.
enum Value: Decodable, Sendable, Hashable {
  case null
  case bool(Bool)
  case number(Int)
  case text(String)
  case list([Value])
  case map([String: Value])

  init(from decoder: any Decoder) throws {
    let box = try decoder.singleValueContainer()
    if box.decodeNil() {
      self = .null
    } else if let value = try? box.decode(Bool.self) {
      self = .bool(value)
    } else if let value = try? box.decode(Int.self) {
      self = .number(value)
    } else if let value = try? box.decode(String.self) {
      self = .text(value)
    } else if let value = try? box.decode([Value].self) {
      self = .list(value)
    } else {
      self = .map(try box.decode([String: Value].self))
    }
  }

  var text: String? { if case .text(let value) = self { value } else { nil } }
  var number: Int? { if case .number(let value) = self { value } else { nil } }
  var list: [Value]? { if case .list(let value) = self { value } else { nil } }
  var map: [String: Value]? { if case .map(let value) = self { value } else { nil } }

  /// The bytes of a hex text.
  var bytes: [UInt8]? { text.flatMap { [UInt8](hex: $0) } }

  subscript(key: String) -> Value? { map?[key] }
}

/// One case of Fixtures/ndef.json.
struct VectorCase: Decodable, Sendable, CustomTestStringConvertible {
  var name: String
  var layer: String
  var hex: String
  /// `true`, `false`, or "relaxed".
  var valid: Value
  var why: String?
  var expect: Value?
  var canonical: Bool?
  var disputed: Bool?
  var type: String?

  var bytes: [UInt8] { [UInt8](hex: hex) ?? [] }
  var testDescription: String { "\(name): \(why ?? hex)" }

  static func all(layer: String) -> [VectorCase] {
    struct File: Decodable { var cases: [VectorCase] }
    do {
      let url = try #require(
        Bundle.module.url(forResource: "Fixtures/ndef", withExtension: "json"))
      let file = try JSONDecoder().decode(File.self, from: Data(contentsOf: url))
      return file.cases.filter { $0.layer == layer }
    } catch {
      Issue.record("the vectors cannot be read: \(error)")
      return []
    }
  }
}

/// A record's fields as the vectors write them.
struct Fields: Equatable {
  var format: Int
  var type: [UInt8]
  var id: [UInt8]
  var payload: [UInt8]

  init?(_ value: Value) {
    guard let format = value["tnf"]?.number, let type = value["type"]?.bytes,
      let id = value["id"]?.bytes, let payload = value["payload"]?.bytes
    else { return nil }
    self.format = format
    self.type = type
    self.id = id
    self.payload = payload
  }

  init(_ record: NDEFRecord) {
    format = Int(record.typeNameFormat.rawValue)
    type = record.type
    id = record.id
    payload = record.payload
  }
}
