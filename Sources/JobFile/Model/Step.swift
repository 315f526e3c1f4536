package import Diagnostics
package import Templates

/// One thing done to a tag.
package struct Step: Sendable {
  /// The kinds of steps.
  package enum Kind: Sendable {
    case read(ReadStep)
    case expect(Expectation)
    case write(MessageSpec)
    case verify
    case lock
    case protect(ProtectStep)
    /// With the password that is on the tag.
    case unprotect(SecretReference)
  }

  /// What is done.
  package var kind: Kind
  /// Where it stands.
  package var place: Place

  /// The step's name in job files and events.
  package var name: String {
    switch kind {
    case .read: "read"
    case .expect: "expect"
    case .write: "write"
    case .verify: "verify"
    case .lock: "lock"
    case .protect: "protect"
    case .unprotect: "unprotect"
    }
  }

  /// Whether it changes the tag.
  package var writes: Bool {
    switch kind {
    case .write, .lock, .protect, .unprotect: true
    case .read, .expect, .verify: false
    }
  }
}

/// The `read` step: what was read is kept in the event, and in a file where one is named.
package struct ReadStep: Sendable {
  /// A file in the output folder, `.csv` or `.jsonl`.
  package var into: Template?
  /// Field names of grammar.md `fields`, or `row.NAME`.
  package var fields: [String]
}

/// The message that a `write` step puts on the tag.
package enum MessageSpec: Sendable {
  case records([RecordSpec])
  /// A whole message as bytes; valid NDEF, checked when the job is read.
  case bytes([UInt8])
}

/// One record of a message, with templates still to fill.
package struct RecordSpec: Sendable {
  /// The kinds of records.
  package enum Content: Sendable {
    case uri(Template)
    case text(Template, language: Template, encoding: TextEncoding)
    case smartPoster(SmartPosterSpec)
    case mime(type: Template, DataTemplate)
    /// `domain:type`.
    case external(type: Template, DataTemplate)
    /// An Android package name.
    case application(Template)
    case record(tnf: Int, type: [UInt8], payload: DataTemplate)
  }

  /// What the record is.
  package var content: Content
  /// The record's id.
  package var id: Template?
  /// Where it stands.
  package var place: Place
}

/// How a text record is encoded.
package enum TextEncoding: String, Sendable, CaseIterable {
  case utf8 = "utf-8"
  case utf16 = "utf-16"
}

/// Bytes that a record carries, as the job names them.
package enum DataTemplate: Sendable {
  case text(Template)
  case hex(Template)
  case base64(Template)
  /// The content of a file, read when the job was checked.
  case bytes([UInt8])
}

/// The `smartPoster` record.
package struct SmartPosterSpec: Sendable {
  /// What a phone should do with the URI.
  package enum Action: String, Sendable, CaseIterable {
    case `do` = "do"
    case save, edit
  }

  /// Where it leads.
  package var uri: Template
  /// Titles by language, in the order of the file.
  package var titles: [(language: String, text: Template)]
  /// What a phone should do with it.
  package var action: Action?
  /// The media type of what it leads to.
  package var type: Template?
  /// The size in bytes of what it leads to.
  package var size: UInt32?
  /// MIME type and content of the icon.
  package var icon: (type: String, bytes: [UInt8])?
}
