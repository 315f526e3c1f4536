internal import Bytes
internal import JobFile
internal import NDEF
internal import Templates

/// Holding one record against what a job expects.
struct RecordMatch {
  let record: NDEFRecord

  init(_ record: NDEFRecord) { self.record = record }

  /// Why the record is not as expected; `nil` if it is.
  func miss(_ test: Expectation.RecordTest, _ values: any TemplateValues) -> String? {
    switch (test, record.content) {
    case (.uri(let wanted), .uri(let found)):
      return ValueMatch.miss(wanted, found, values)
    case (.text(let wanted, let language), .text(let found)):
      if let language, language != found.language {
        return "expected language \"\(language)\", found \"\(found.language)\""
      }
      return ValueMatch.miss(wanted, found.text, values)
    case (.smartPoster(let uri), .smartPoster(let found)):
      guard let uri else { return nil }
      return ValueMatch.miss(uri, found.uri, values)
    case (.mime(let type, let text), .mime(let foundType, let bytes)),
      (.external(let type, let text), .external(let foundType, let bytes)):
      if let type, let miss = ValueMatch.miss(type, foundType, values) { return miss }
      guard let text else { return nil }
      guard let found = String(validating: bytes, as: UTF8.self) else {
        return "expected text \(text.text), found bytes \(Excerpt.hex(bytes))"
      }
      return ValueMatch.miss(text, found, values)
    case (.application(let wanted), .application(let found)):
      return ValueMatch.miss(wanted, found, values)
    case (.record(let tnf, let type, let payload), _):
      return plainMiss(tnf, type, payload)
    default:
      return "expected \(test.name), found \(Excerpt.quoted(record.json.text))"
    }
  }

  private func plainMiss(_ tnf: Int?, _ type: [UInt8]?, _ payload: [UInt8]?) -> String? {
    if let tnf, tnf != Int(record.typeNameFormat.rawValue) {
      return "expected tnf \(tnf), found \(record.typeNameFormat.rawValue)"
    }
    if let type, type != record.type {
      return "expected type \(Excerpt.hex(type)), found \(Excerpt.hex(record.type))"
    }
    if let payload, payload != record.payload {
      return Excerpt.difference("payload", payload, record.payload)
    }
    return nil
  }
}
