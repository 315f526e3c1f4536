internal import Bytes
internal import JobFile
internal import NDEF
internal import Patterns
internal import ReaderSession
internal import TagFormats
internal import Templates

/// What an `expect` step is held against.
struct TagFacts {
  let tag: SessionTag
  let format: any TagFormat
  let survey: TagSurvey
  /// What the series' job would write for this row.
  let messageOfRow: [UInt8]?

  /// The first check that the tag does not meet, as expected and found; `nil` if it meets all.
  func firstMiss(
    of expectation: Expectation, values: any TemplateValues
  ) throws(TagError) -> String? {
    for check in expectation.checks {
      if let miss = try miss(check.subject, values) { return miss }
    }
    return nil
  }

  private func miss(
    _ subject: Expectation.Subject, _ values: any TemplateValues
  ) throws(TagError) -> String? {
    switch subject {
    case .kind(let test): return compare("kind", test, tag.kind.rawValue, values)
    case .chip(let names):
      if names.contains(format.chip.rawValue) { return nil }
      return expected("chip", names.joined(separator: " or "), found: format.chip.rawValue)
    case .uid(let test): return compare("uid", test, tag.uid.hex, values)
    case .initialSelectedAID(let test):
      return compare("initialSelectedAID", test, tag.initialSelectedAID?.hex, values)
    case .systemCode(let test): return compare("systemCode", test, tag.systemCode?.hex, values)
    case .content(let content): return contentMiss(content)
    case .records(let tests): return recordsMiss(tests, values)
    case .contains(let tests): return containsMiss(tests, values)
    case .message(let bytes): return messageMiss(bytes, "message")
    case .messageOfRow:
      guard let messageOfRow else { return "expected the row's message, but there is no row" }
      return messageMiss(messageOfRow, "the row's message")
    case .locked(let wanted):
      return wanted == survey.isLocked
        ? nil : expected("locked", String(wanted), found: String(survey.isLocked))
    case .protected(let wanted):
      let found = survey.isProtected ?? false
      return wanted == found ? nil : expected("protected", String(wanted), found: String(found))
    case .counter(let least, let most):
      guard let count = try format.counter() else { return "expected a counter, found none" }
      if let least, count < least {
        return expected("counter", "at least \(least)", found: "\(count)")
      }
      if let most, count > most { return expected("counter", "at most \(most)", found: "\(count)") }
      return nil
    case .capacity(let least):
      return survey.capacity >= least
        ? nil : expected("capacity", "at least \(least)", found: "\(survey.capacity)")
    case .bytes(let page, let wanted):
      let pages = (wanted.count + 3) / 4
      let found = Array(try format.bytes(at: page, count: pages).prefix(wanted.count))
      return found == wanted ? nil : Excerpt.difference("bytes at page \(page)", wanted, found)
    case .not(let checks):
      for check in checks where try miss(check.subject, values) == nil {
        return "expected not \(check.subject.name) \(check.subject.text), found it so"
      }
      return nil
    }
  }

  // MARK: Content

  /// The message's records; `nil` where there is no message that can be read.
  private var records: [NDEFRecord]? {
    guard case .message(let bytes) = survey.content else { return nil }
    return (try? NDEFMessage(parsing: bytes))?.records
  }

  private var foundContent: String {
    switch survey.content {
    case .message: "a message"
    case .empty, .blank: "no message"
    case .unformatted(let why): "no NDEF format (\(why))"
    case .broken(let why): "a broken message (\(why))"
    }
  }

  private func contentMiss(_ content: Expectation.Content) -> String? {
    let holds =
      switch (content, survey.content) {
      case (.empty, .empty), (.empty, .blank), (.message, .message), (.unformatted, .unformatted),
        (.unformatted, .blank):
        true
      default: false
      }
    return holds ? nil : expected("content", content.rawValue, found: foundContent)
  }

  private func messageMiss(_ wanted: [UInt8], _ name: String) -> String? {
    guard case .message(let found) = survey.content else {
      if wanted.isEmpty, survey.content == .empty { return nil }
      return expected(name, Excerpt.hex(wanted), found: foundContent)
    }
    return found == wanted ? nil : Excerpt.difference(name, wanted, found)
  }

  private func recordsMiss(
    _ tests: [Expectation.RecordTest], _ values: any TemplateValues
  ) -> String? {
    func count(_ number: Int) -> String { "\(number) record\(number == 1 ? "" : "s")" }
    guard let records else { return "expected \(count(tests.count)), found \(foundContent)" }
    guard records.count == tests.count else {
      return "expected \(count(tests.count)), found \(records.count)"
    }
    for (index, (test, record)) in zip(tests, records).enumerated() {
      if let miss = RecordMatch(record).miss(test, values) { return "record \(index + 1): \(miss)" }
    }
    return nil
  }

  private func containsMiss(
    _ tests: [Expectation.RecordTest], _ values: any TemplateValues
  ) -> String? {
    let records = records ?? []
    for test in tests {
      let misses = records.map { RecordMatch($0).miss(test, values) }
      if misses.contains(where: { $0 == nil }) { continue }
      guard let found = misses.compactMap({ $0 }).first else {
        return "expected a record \(test.name), found \(foundContent)"
      }
      return records.count == 1
        ? "expected a record \(test.name), found another: \(found)"
        : "expected a record \(test.name), found none of \(records.count)"
    }
    return nil
  }

  private func compare(
    _ name: String, _ test: Expectation.ValueTest, _ found: String?, _ values: any TemplateValues
  ) -> String? {
    guard let found else { return "expected \(name) \(test.text), found none" }
    return ValueMatch.miss(test, found, values).map { "\(name): \($0)" }
  }

  private func expected(_ name: String, _ wanted: String, found: String) -> String {
    "expected \(name) \(wanted), found \(found)"
  }
}
