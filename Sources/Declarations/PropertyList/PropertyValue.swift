internal import Diagnostics

/// A value in a property list, with the place where it stands.
struct PropertyValue: Sendable {
  enum Content: Sendable {
    case text(String)
    case array([PropertyValue])
    /// In the order of the file; a key that is given twice is there twice.
    case dictionary([PropertyEntry])
    /// A value of another kind, which no declaration has, in words for a message.
    case other(String)
  }

  var content: Content
  /// In an XML list; a binary one has no lines.
  var place: Place?

  init(_ content: Content, at place: Place? = nil) {
    self.content = content
    self.place = place
  }

  /// What it is, in words for a message.
  var kindName: String {
    switch content {
    case .text: "a text"
    case .array: "a list"
    case .dictionary: "a dictionary"
    case .other(let name): name
    }
  }
}

/// One key of a dictionary with its value.
struct PropertyEntry: Sendable {
  var key: String
  var keyPlace: Place?
  var value: PropertyValue
}

/// Why a file is no property list that can be read.
struct PropertyListFault: Error {
  var code = "syntax"
  var message: String
  /// Where, in an XML list.
  var place: Place?
  var help: String?
}
