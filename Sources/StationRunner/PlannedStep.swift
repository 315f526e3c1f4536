package import Bytes
internal import JobFile
internal import NDEF

/// A step that a dry run leaves out, and what it would do.
package struct PlannedStep: Sendable {
  /// The step, counted from 1.
  package var step: Int
  /// The step's name.
  package var action: String
  /// What would be written, or to which file; `nil` where the action says all.
  package var detail: String?
  /// The message that would be written.
  package var message: [UInt8]?

  /// As it stands in an event.
  package var json: JSON {
    var members: [(key: String, value: JSON)] = [
      ("step", .integer(Int64(step))), ("action", .string(action)),
      ("detail", detail.map { .string($0) } ?? .null),
    ]
    if let message {
      members.append(("message", .string(message.hex)))
      if let records = try? NDEFMessage(parsing: message) {
        members.append(("records", records.json))
      }
    }
    return .object(members)
  }
}

extension ProtectStep {
  /// What it guards, in words.
  var text: String {
    "\(reading ? "reading and writing" : "writing") from page \(from) on"
      + (tries == 0 ? "" : ", \(tries) tries")
  }
}
