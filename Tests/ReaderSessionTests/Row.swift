import Bytes
import Readers
import Testing

@testable import ReaderSession

/// One row of a table: what is done, and what comes of it.
struct Row: CustomTestStringConvertible, Sendable {
  /// Where the table stands in the description of Core NFC's behaviour.
  let section: String
  let what: String
  let expected: String
  let play: @Sendable (Stage) throws -> String

  init(
    _ section: String, _ what: String, _ expected: String,
    _ play: @escaping @Sendable (Stage) throws -> String
  ) {
    self.section = section
    self.what = what
    self.expected = expected
    self.play = play
  }

  var testDescription: String { "\(section) \(what): \(expected)" }

  /// Plays the row on a reader of its own.
  func check() throws {
    let outcome: String
    do {
      outcome = try play(try Stage())
    } catch let error as Invalidation {
      outcome = error.summary
    }
    #expect(outcome == expected, "\(section) \(what)")
  }
}

extension Invalidation {
  /// Number, name without its group, and who ended it.
  var summary: String { "\(code.rawValue) \(code.shortName) by \(by)" }
}

extension ReaderErrorCode {
  var shortName: String {
    for group in ["readerSessionInvalidationError", "readerTransceiveError", "readerError"]
    where name.hasPrefix(group) {
      return String(name.dropFirst(group.count))
    }
    return name
  }
}

extension ReaderSession.Discovery {
  /// What was found, for comparison.
  var summary: String {
    switch self {
    case .nothing: "nothing"
    case .tag(let tag): tag.summary
    case .crowded(let uids): "crowded \(uids.map { "\($0.last ?? 0)" }.joined(separator: " "))"
    case .ended(let end): end.summary
    }
  }
}

extension SessionTag {
  /// Its class with family, identifier or code.
  var summary: String {
    ([kind.rawValue, family?.rawValue, initialSelectedAID?.hex, systemCode?.hex] as [String?])
      .compactMap(\.self).joined(separator: " ")
  }

  /// What a command that a job names comes to: the answer, or the code it fails with.
  func outcome(of command: [UInt8]) -> String {
    do throws(ReaderError) {
      return try send(command).hex
    } catch {
      switch error {
      case .stale(let code): return "\(code)"
      case .violation: return "2"
      case .noAnswer: return "no answer"
      default: return "\(error)"
      }
    }
  }

  /// SELECT by name.
  func select(_ name: [UInt8]) -> String {
    outcome(of: [0x00, 0xA4, 0x04, 0x00, UInt8(name.count)] + name + [0x00])
  }
}
