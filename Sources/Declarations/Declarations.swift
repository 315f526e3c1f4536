package import Diagnostics

/// What sessions at a station may touch: the counterpart of an app's Info.plist and entitlements.
package struct Declarations: Sendable {
  /// `TAG`, `NDEF`, `PACE`, `PAYMENT`.
  package var formats: [String]
  /// What the tags are read for, in words for people.
  package var usageDescription: String?
  /// Application identifiers, as bytes, in SELECT order; those of payment applications among them.
  package var selectIdentifiers: [[UInt8]]
  /// System codes, two bytes each, in polling order.
  package var systemCodes: [[UInt8]]
  /// `EU`, or nothing.
  package var region: String?
  /// Where they stand.
  package var place: Place
  /// Which kind of file says them.
  package var origin: Origin = .stationFile

  /// Declarations that stand at `place`.
  package init(
    formats: [String], usageDescription: String?, selectIdentifiers: [[UInt8]] = [],
    systemCodes: [[UInt8]] = [], region: String? = nil, place: Place
  ) {
    self.formats = formats
    self.usageDescription = usageDescription
    self.selectIdentifiers = selectIdentifiers
    self.systemCodes = systemCodes
    self.region = region
    self.place = place
  }
}

extension Declarations {
  /// Whether it says what tags are read for; no session begins where it does not.
  package var hasUsageDescription: Bool {
    usageDescription.map { text in text.unicodeScalars.contains { !$0.properties.isWhitespace } }
      ?? false
  }

  /// The identifiers of a `tag` session that names none: all but payment applications.
  package var tagSelectIdentifiers: [[UInt8]] {
    selectIdentifiers.filter { !Self.isPayment($0) }
  }

  /// The identifiers of a payment session: all that are declared, in their order.
  package var paymentSelectIdentifiers: [[UInt8]] { selectIdentifiers }

  /// The same with each format, identifier and code where it first stands only.
  package var withoutRepeated: Declarations {
    func firsts<Value: Hashable>(_ values: [Value]) -> [Value] {
      var seen: Set<Value> = []
      return values.filter { seen.insert($0).inserted }
    }
    var other = self
    other.formats = firsts(formats)
    other.selectIdentifiers = firsts(selectIdentifiers)
    other.systemCodes = firsts(systemCodes)
    return other
  }
}
