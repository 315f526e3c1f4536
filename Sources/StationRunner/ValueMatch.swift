internal import JobFile
internal import Patterns
internal import Templates

/// Holding one value against what a job expects.
enum ValueMatch {
  /// Why `found` is not as expected; `nil` if it is.
  static func miss(
    _ test: Expectation.ValueTest, _ found: String, _ values: any TemplateValues
  ) -> String? {
    do throws(TemplateError) {
      return try holds(test, found, values)
        ? nil : "expected \(test.text), found \(Excerpt.quoted(found))"
    } catch {
      return "the expected value cannot be filled: \(error.message)"
    }
  }

  private static func holds(
    _ test: Expectation.ValueTest, _ found: String, _ values: any TemplateValues
  ) throws(TemplateError) -> Bool {
    switch test {
    case .equals(let template): return try template.render(values) == found
    case .glob(let template): return Glob(try template.render(values)).matches(found)
    case .matches(let pattern):
      do throws(PatternError) {
        return try pattern.matches(found)
      } catch {
        throw TemplateError(error.message)
      }
    case .oneOf(let templates):
      for template in templates where try template.render(values) == found { return true }
      return false
    case .not(let inner): return try !holds(inner, found, values)
    }
  }
}

extension Expectation.ValueTest {
  /// What is expected, for people.
  var text: String {
    switch self {
    case .equals(let template): Excerpt.quoted(template.text)
    case .glob(let template): "like \(Excerpt.quoted(template.text))"
    case .matches(let pattern): "matching /\(pattern.text)/"
    case .oneOf(let templates):
      "one of " + templates.map { Excerpt.quoted($0.text) }.joined(separator: ", ")
    case .not(let inner): "not \(inner.text)"
    }
  }
}

extension Expectation.RecordTest {
  /// The kind of record, for people.
  var name: String {
    switch self {
    case .uri(let test): "uri \(test.text)"
    case .text(let test, _): "text \(test.text)"
    case .smartPoster: "smartPoster"
    case .mime(let type, _): "mime \(type?.text ?? "")"
    case .external(let type, _): "external \(type?.text ?? "")"
    case .application(let test): "application \(test.text)"
    case .record: "record"
    }
  }
}

extension Expectation.Subject {
  /// The key's name, for people.
  var name: String {
    switch self {
    case .kind: "kind"
    case .chip: "chip"
    case .uid: "uid"
    case .initialSelectedAID: "initialSelectedAID"
    case .systemCode: "systemCode"
    case .content: "content"
    case .records: "records"
    case .contains: "contains"
    case .message, .messageOfRow: "message"
    case .locked: "locked"
    case .protected: "protected"
    case .counter: "counter"
    case .capacity: "capacity"
    case .bytes: "bytes"
    case .not: "not"
    }
  }

  /// What is expected of it, for people.
  var text: String {
    switch self {
    case .kind(let test), .uid(let test), .initialSelectedAID(let test), .systemCode(let test):
      test.text
    case .chip(let names): names.joined(separator: " or ")
    case .content(let content): content.rawValue
    case .records(let tests): tests.map(\.name).joined(separator: ", ")
    case .contains(let tests): tests.map(\.name).joined(separator: ", ")
    case .message(let bytes): Excerpt.hex(bytes)
    case .messageOfRow: "of the row"
    case .locked(let wanted), .protected(let wanted): String(wanted)
    case .counter(let least, let most):
      [least.map { "at least \($0)" }, most.map { "at most \($0)" }].compactMap { $0 }
        .joined(separator: ", ")
    case .capacity(let least): "at least \(least)"
    case .bytes(let page, let bytes): "\(Excerpt.hex(bytes)) at page \(page)"
    case .not(let checks):
      checks.map { "\($0.subject.name) \($0.subject.text)" }.joined(separator: ", ")
    }
  }
}
