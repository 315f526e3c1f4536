internal import Bytes
internal import Declarations
internal import Diagnostics

/// Holds a session against the station's declarations.
struct DeclarationCheck {
  let station: Station
  private var declarations: Declarations { station.declarations }

  init(station: Station) { self.station = station }

  func check(_ session: SessionSpec, _ check: inout JobCheck) {
    if !declarations.hasUsageDescription {
      check.forbid(
        "no-usage-description", "the station does not say what its tags are read for",
        at: declarations.place,
        help: declarations.remedy(for: .usageDescription))
    }
    checkFormats(session, &check)
    if session.kind == .payment { checkPaymentIdentifiers(session, &check) }
    if session.kind != .tag { return }
    checkIdentifiers(session, &check)
    checkCodes(session, &check)
    if session.polling.contains(.iso15693) {
      check.note("polling", "no reader over libnfc finds `iso15693` tags", at: session.place)
    }
    if session.polling.contains(.pace) {
      check.note("polling", "`pace` does nothing here", at: session.place)
    }
  }

  private func checkFormats(_ session: SessionSpec, _ check: inout JobCheck) {
    let here = Diagnostic.Secondary(declarations.place, "the station's declarations")
    if session.kind == .payment {
      if declarations.allowsPayment { return }
      check.forbid(
        "declarations", "the station does not allow payment sessions", at: session.place,
        help: declarations.remedy(for: .payment), secondary: here)
    } else if !declarations.formats.contains("TAG") {
      check.forbid(
        "declarations", "the station does not declare the format `TAG`", at: session.place,
        help: declarations.remedy(for: .format), secondary: here)
    }
  }

  private func checkIdentifiers(_ session: SessionSpec, _ check: inout JobCheck) {
    guard session.polling.contains(.iso14443) else { return }
    for (index, value) in session.selectIdentifiers.enumerated()
    where Declarations.isPayment(value) {
      check.forbid(
        "payment", "`\(value.hex)` is a payment application, which a `tag` session leaves out",
        at: place(session.selectIdentifierPlaces, index, session), help: "use `kind: payment`")
    }
    let declared = declarations.tagSelectIdentifiers
    let wanted = session.selectIdentifiers
    tell(
      Narrowing(of: wanted, declared: declared), wanted, session.selectIdentifierPlaces, session,
      key: "selectIdentifiers", &check)
    if wanted.isEmpty && declared.isEmpty {
      check.note(
        "no-identifiers", "without `selectIdentifiers` no ISO 7816 tag arrives", at: session.place,
        help: "type 4 tags need `selectIdentifiers: [\"D2760000850101\"]` at the station")
    }
  }

  /// A payment session may name any identifier that is declared.
  private func checkPaymentIdentifiers(_ session: SessionSpec, _ check: inout JobCheck) {
    tell(
      Narrowing(
        of: session.selectIdentifiers, declared: declarations.paymentSelectIdentifiers),
      session.selectIdentifiers, session.selectIdentifierPlaces, session,
      key: "selectIdentifiers", &check)
  }

  private func checkCodes(_ session: SessionSpec, _ check: inout JobCheck) {
    guard session.polling.contains(.iso18092) else { return }
    if declarations.systemCodes.isEmpty && session.systemCodes.isEmpty {
      check.forbid(
        "declarations", "`iso18092` needs system codes, and the station declares none",
        at: session.place, help: declarations.remedy(for: .systemCodes),
        secondary: Diagnostic.Secondary(declarations.place, "the station's declarations"))
    }
    tell(
      Narrowing(of: session.systemCodes, declared: declarations.systemCodes), session.systemCodes,
      session.systemCodePlaces, session, key: "systemCodes", &check)
  }

  private func tell(
    _ narrowing: Narrowing, _ wanted: [[UInt8]], _ places: [Place], _ session: SessionSpec,
    key: String, _ check: inout JobCheck
  ) {
    // What a `tag` session may never have is told already.
    for index in narrowing.unknown
    where session.kind == .payment || !Declarations.isPayment(wanted[index]) {
      let message = "`\(wanted[index].hex)` is not declared by the station"
      let spot = place(places, index, session)
      if narrowing.isAllUnknown {
        check.forbid(
          "declarations", message, at: spot,
          help: "declare it at the station: none of `\(key)` is left, and an empty list means all",
          secondary: Diagnostic.Secondary(declarations.place, "the station's declarations"))
      } else {
        check.warning(
          "dropped", message + " and is left out", at: spot,
          help: "add it to `\(key)` of the station, or take it out here")
      }
    }
    for index in narrowing.repeated {
      check.warning(
        "dropped", "`\(wanted[index].hex)` stands there twice and is left out",
        at: place(places, index, session))
    }
  }

  private func place(_ places: [Place], _ index: Int, _ session: SessionSpec) -> Place {
    places.indices.contains(index) ? places[index] : session.place
  }
}
