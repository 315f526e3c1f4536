/// Where a template's values come from.
package protocol TemplateValues {
  /// The value at `path`, `missing` where there is none now, `unknown` where there can never be
  /// one.
  func value(at path: [String]) -> TemplateValue
}

/// What a path stands for.
package enum TemplateValue: Sendable, Equatable {
  case text(String)
  /// Bytes, printed as upper-case hex.
  case bytes([UInt8])
  /// A moment, as seconds since 1970 in UTC; printed by `date`, else as RFC 3339.
  case moment(Double)
  case missing
  case unknown
}
