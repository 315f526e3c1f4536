internal import Bytes
package import NDEF
package import Templates

extension MessageSpec {
  /// The message with every place filled from `values`.
  ///
  /// Refused where a value is empty and has no `default`, and where a record cannot be made of the
  /// values.
  package func message(values: any TemplateValues) throws(TemplateError) -> NDEFMessage {
    switch self {
    case .bytes(let bytes):
      do throws(NDEFError) {
        return try NDEFMessage(parsing: bytes)
      } catch {
        throw TemplateError(error.description)
      }
    case .records(let specs):
      var records: [NDEFRecord] = []
      for spec in specs { records.append(try spec.record(values: values)) }
      return NDEFMessage(records)
    }
  }
}

extension RecordSpec {
  /// The record with every place filled from `values`.
  package func record(values: any TemplateValues) throws(TemplateError) -> NDEFRecord {
    let filling = Filling(values: values)
    let identifier = try id.map { (id) throws(TemplateError) in Array(try filling.text(id).utf8) }
    let fields = try content.fields(filling)
    do throws(NDEFError) {
      let record = try fields.record()
      guard let identifier else { return record }
      return try record.identified(by: identifier)
    } catch {
      throw TemplateError(error.description)
    }
  }
}

/// Fills templates of a writing step, in which nothing may stay empty unseen.
private struct Filling {
  let values: any TemplateValues

  func text(_ template: Template) throws(TemplateError) -> String {
    try template.render(values, emptyValues: .refused)
  }

  func uri(_ template: Template) throws(TemplateError) -> String {
    let text = try text(template)
    if let fault = URISyntax.fault(in: text) {
      throw TemplateError(fault.message, offset: 0, help: fault.help)
    }
    return text
  }

  func bytes(_ data: DataTemplate) throws(TemplateError) -> [UInt8] {
    switch data {
    case .bytes(let bytes): return bytes
    case .text(let template): return Array(try text(template).utf8)
    case .hex(let template):
      let text = try text(template)
      if let bytes = [UInt8](hex: text) { return bytes }
      throw TemplateError(
        "`\(text)` is not hexadecimal", help: "two digits 0–9, A–F for each byte")
    case .base64(let template):
      if let bytes = [UInt8](base64: try text(template)) { return bytes }
      throw TemplateError("the content is not Base64")
    }
  }
}

/// What a record is made of, with all templates filled.
private enum RecordFields {
  case uri(String)
  case text(String, language: String, encoding: NDEFText.Encoding)
  case smartPoster(SmartPoster)
  case mime(String, [UInt8])
  case external(String, [UInt8])
  case application(String)
  case raw(tnf: Int, type: [UInt8], payload: [UInt8])

  func record() throws(NDEFError) -> NDEFRecord {
    switch self {
    case .uri(let uri): return try .uri(uri)
    case .text(let text, let language, let encoding):
      return try .text(text, language: language, encoding: encoding)
    case .smartPoster(let poster): return try .smartPoster(poster)
    case .mime(let type, let bytes): return try .mime(type, bytes)
    case .external(let type, let bytes): return try .external(type, bytes)
    case .application(let name): return try .application(name)
    case .raw(let tnf, let type, let payload):
      let format = UInt8(exactly: tnf).flatMap { TypeNameFormat(rawValue: $0) } ?? .unchanged
      return try NDEFRecord(typeNameFormat: format, type: type, payload: payload)
    }
  }
}

extension RecordSpec.Content {
  fileprivate func fields(_ filling: Filling) throws(TemplateError) -> RecordFields {
    switch self {
    case .uri(let template): return .uri(try filling.uri(template))
    case .text(let template, let language, let encoding):
      return .text(
        try filling.text(template), language: try filling.text(language), encoding: encoding.ndef)
    case .smartPoster(let spec): return .smartPoster(try spec.poster(filling))
    case .mime(let type, let data):
      return .mime(try filling.text(type), try filling.bytes(data))
    case .external(let type, let data):
      return .external(try filling.text(type), try filling.bytes(data))
    case .application(let name): return .application(try filling.text(name))
    case .record(let tnf, let type, let payload):
      return .raw(tnf: tnf, type: type, payload: try filling.bytes(payload))
    }
  }
}

extension SmartPosterSpec {
  fileprivate func poster(_ filling: Filling) throws(TemplateError) -> SmartPoster {
    var poster = SmartPoster(uri: try filling.uri(uri))
    for title in titles {
      poster.titles.append(NDEFText(try filling.text(title.text), language: title.language))
    }
    switch action {
    case .do: poster.action = .do
    case .save: poster.action = .save
    case .edit: poster.action = .edit
    case nil: break
    }
    poster.size = size
    if let type { poster.type = try filling.text(type) }
    if let icon { poster.icons = [SmartPoster.Icon(mediaType: icon.type, bytes: icon.bytes)] }
    return poster
  }
}

extension TextEncoding {
  fileprivate var ndef: NDEFText.Encoding {
    switch self {
    case .utf8: .utf8
    case .utf16: .utf16
    }
  }
}
