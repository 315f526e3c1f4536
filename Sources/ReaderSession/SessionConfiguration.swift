internal import Bytes
package import Declarations

/// What one session looks for, narrowed from what the station declares.
package struct SessionConfiguration: Sendable, Equatable {
  package enum Kind: String, Sendable { case tag, ndef, payment }
  package enum Technology: String, Sendable { case iso14443, iso15693, iso18092, pace }

  package var kind: Kind
  package var polling: [Technology]
  /// In SELECT order.
  package var selectIdentifiers: [[UInt8]]
  /// In polling order.
  package var systemCodes: [[UInt8]]
  /// Narrowed entries that are not declared or stand twice, in hexadecimal.
  package var dropped: [String] = []
  package var invalidateAfterFirstRead: Bool = false
  /// Whether the session only reads; a reading `ndef` session ends itself with 204.
  package var reads: Bool = true
  package var timeout: Duration = .seconds(60)
  /// Whether a second tag in the field is looked for at selection.
  package var alone: Bool = true
  /// Whether tags may change their UID whenever the field was off.
  package var randomUIDs: Bool = false

  /// A configuration whose lists are taken as they are.
  package init(
    kind: Kind = .tag, polling: [Technology] = [.iso14443], selectIdentifiers: [[UInt8]] = [],
    systemCodes: [[UInt8]] = []
  ) {
    self.kind = kind
    self.polling = polling
    self.selectIdentifiers = selectIdentifiers
    self.systemCodes = systemCodes
  }

  /// Narrows the station's declarations, or refuses with code 2 or 7 before any session begins.
  ///
  /// An empty list means all that is declared; order is kept; unknown and repeated entries are dropped and
  /// said; a list of which nothing is left is refused, since an empty one would silently mean all.
  package init(
    kind: Kind, polling: [Technology], selectIdentifiers: [[UInt8]], systemCodes: [[UInt8]],
    of declarations: Declarations
  ) throws(Invalidation) {
    self.init(kind: kind, polling: polling)
    let needed = kind == .payment ? "PAYMENT" : "TAG"
    guard declarations.formats.contains(needed) else {
      throw Self.violation("the declarations' formats lack \(needed)")
    }
    if kind == .payment, declarations.region != "EU" {
      throw Invalidation(
        .readerErrorIneligible, by: .system, message: "payment sessions need region: EU")
    }
    if kind == .ndef {
      // Every type that the reader can, by the application and the system that hold NDEF on each.
      self.polling = [.iso14443, .iso18092]
      self.selectIdentifiers = [[0xD2, 0x76, 0x00, 0x00, 0x85, 0x01, 0x01]]
      self.systemCodes = [[0x12, 0xFC]]
      return
    }
    if kind == .payment { self.polling = [.iso14443] }
    // Payment applications are left out of "all" in a tag session, and refused by name.
    let named = kind == .tag ? selectIdentifiers.first(where: Declarations.isPayment) : nil
    if let named {
      throw Self.violation(
        "\(named.hex) is a payment application, which needs kind: payment")
    }
    self.selectIdentifiers = try narrow(
      selectIdentifiers,
      of: kind == .payment
        ? declarations.paymentSelectIdentifiers : declarations.tagSelectIdentifiers,
      name: "selectIdentifiers")
    self.systemCodes = try narrow(systemCodes, of: declarations.systemCodes, name: "systemCodes")
    if polling.contains(.iso18092), self.systemCodes.isEmpty {
      throw Self.violation("iso18092 polling needs systemCodes in the declarations")
    }
  }

  private mutating func narrow(
    _ wanted: [[UInt8]], of declared: [[UInt8]], name: String
  ) throws(Invalidation) -> [[UInt8]] {
    let narrowing = Narrowing(of: wanted, declared: declared)
    let left = (narrowing.unknown + narrowing.repeated).sorted().map { wanted[$0].hex }
    if narrowing.isAllUnknown {
      throw Self.violation(
        "none of the session's \(name) is declared: \(left.joined(separator: " "))")
    }
    dropped += left
    return narrowing.used
  }

  private static func violation(_ message: String) -> Invalidation {
    Invalidation(.readerErrorSecurityViolation, by: .system, message: message)
  }
}
