internal import Bytes
internal import Diagnostics

/// Why an entry of a declared list does not count, in the same words wherever the list is written.
package enum EntryFault: Error, Sendable, Equatable {
  /// Nothing is there where this was needed.
  case empty(String)
  case oddLength(String)
  case notHexadecimal(String)
  /// Spaces or signs stand around or between the digits of what was meant.
  case otherCharacters(String, meant: String)
  /// So many bytes, and how many this needs.
  case length(String, Int, ClosedRange<Int>)
  case wildcard
  case unknownFormat(String)
  /// A name that Xcode replaces by a value.
  case buildSetting(String)
  /// A payment application where payment is not declared.
  case payment([UInt8])

  /// A stable name for the kind of fault.
  package var code: String {
    switch self {
    case .empty: "empty"
    case .length, .oddLength, .notHexadecimal, .otherCharacters: "hex"
    case .wildcard: "system-code"
    case .unknownFormat: "unknown-word"
    case .buildSetting: "build-setting"
    case .payment: "payment"
    }
  }

  /// One sentence without a full stop.
  package var message: String {
    switch self {
    case .empty(let what): "\(what) cannot be empty"
    case .oddLength(let text): "`\(Self.short(text))` has an odd number of digits"
    case .notHexadecimal(let text): "`\(Self.short(text))` is not hexadecimal"
    case .otherCharacters(let text, _): "`\(Self.short(text))` has more in it than digits"
    case .length(let what, let count, let lengths):
      "\(what) has \(Self.words(lengths)) bytes, not \(count)"
    case .wildcard: "a system code cannot have the wildcard `FF`"
    case .unknownFormat(let text): "no format is called `\(Self.short(text))`"
    case .buildSetting(let text):
      "`\(Self.short(text))` is filled in when Xcode builds the app"
    case .payment(let identifier):
      "the payment application `\(identifier.hex)` needs `PAYMENT` in `formats` and `region: EU`"
    }
  }

  /// What to write instead, where it is known.
  package var help: String? {
    switch self {
    case .empty, .length: nil
    case .oddLength(let text), .notHexadecimal(let text): HexHelp.help(for: Self.short(text))
    case .otherCharacters(_, let meant): "write `\(meant)`"
    case .wildcard: "list the codes one by one"
    case .unknownFormat(let text):
      closest(to: text, in: DeclaredEntry.formats).map { "did you mean `\($0)`?" }
        ?? "one of `TAG`, `NDEF`, `PACE`, `PAYMENT`"
    case .buildSetting: "use the file inside the built app"
    case .payment: "only sessions of `kind: payment` select it; else leave it out"
    }
  }

  private static func words(_ lengths: ClosedRange<Int>) -> String {
    lengths.count == 1
      ? "\(lengths.lowerBound)" : "\(lengths.lowerBound) to \(lengths.upperBound)"
  }

  /// `text`, cut where it is long: it may come from anywhere.
  static func short(_ text: String) -> String {
    text.unicodeScalars.count <= 80
      ? text : String(String.UnicodeScalarView(text.unicodeScalars.prefix(79))) + "…"
  }
}

extension Declarations {
  /// The identifiers that may not stand in these declarations: payment applications without payment.
  package func refused(_ identifier: [UInt8]) -> EntryFault? {
    Self.isPayment(identifier) && !allowsPayment ? .payment(identifier) : nil
  }
}
