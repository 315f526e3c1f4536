package import Diagnostics
package import Patterns
package import Templates

/// The `expect` step: everything a tag must be, each check with its place.
package struct Expectation: Sendable {
  /// The checks, in the order of the file.
  package var checks: [Check]

  /// One thing to hold against the tag.
  package struct Check: Sendable {
    /// What is looked at, and what it must be.
    package var subject: Subject
    /// Where it stands.
    package var place: Place
  }

  /// What is looked at, and what it must be.
  package indirect enum Subject: Sendable {
    /// `miFare`, `iso7816`, `feliCa`, `type1`…
    case kind(ValueTest)
    case chip([String])
    case uid(ValueTest)
    case initialSelectedAID(ValueTest)
    case systemCode(ValueTest)
    case content(Content)
    /// All records, in order.
    case records([RecordTest])
    /// Some of them, in any order.
    case contains([RecordTest])
    case message([UInt8])
    /// What this series' job would write for this row.
    case messageOfRow
    case locked(Bool)
    case protected(Bool)
    case counter(atLeast: Int?, atMost: Int?)
    case capacity(atLeast: Int)
    /// Exact bytes from the start of a page.
    case bytes(at: Int, [UInt8])
    /// None of these may hold.
    case not([Check])
  }

  /// What a tag holds at all.
  package enum Content: String, Sendable, CaseIterable { case empty, message, unformatted }

  /// A value to compare.
  package indirect enum ValueTest: Sendable {
    /// Equal to the filled template.
    case equals(Template)
    /// `*` and `?`, the whole value.
    case glob(Template)
    /// A PCRE2 pattern that must match the whole value.
    case matches(Pattern)
    case oneOf([Template])
    case not(ValueTest)
  }

  /// What one record must be.
  package enum RecordTest: Sendable {
    case uri(ValueTest)
    case text(ValueTest, language: String?)
    case smartPoster(uri: ValueTest?)
    case mime(type: ValueTest?, text: ValueTest?)
    case external(type: ValueTest?, text: ValueTest?)
    case application(ValueTest)
    case record(tnf: Int?, type: [UInt8]?, payload: [UInt8]?)
  }
}

extension Expectation {
  /// Whether the row's message is looked at.
  package var looksAtRow: Bool { checks.contains { $0.subject.looksAtRow } }
}

extension Expectation.Subject {
  fileprivate var looksAtRow: Bool {
    switch self {
    case .messageOfRow: true
    case .not(let checks): checks.contains { $0.subject.looksAtRow }
    default: false
    }
  }
}
