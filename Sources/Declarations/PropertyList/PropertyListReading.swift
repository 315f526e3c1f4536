package import Diagnostics

extension Declarations {
  /// The declarations in an app's property lists; `nil` where one of them cannot be read.
  ///
  /// Each entry that iOS would silently ignore is ignored here too, with a warning at its own place:
  /// line and column in XML, key path and index in a binary list. It is an error where the station
  /// cannot do as iOS does: a file or value of the wrong kind, a key given twice, a list whose
  /// entries are all ignored (an empty list may mean another thing), a payment application without
  /// `PAYMENT` and `region`. The declarations are given back beside such errors, without what is
  /// faulty, for those who only want to look.
  ///
  /// Without `entitlements` there are no formats.
  package static func read(
    infoPlist: PropertyListFile, entitlements: PropertyListFile?, region: String? = nil,
    findings: inout Findings
  ) -> Declarations? {
    let info = DeclaredValues(infoPlist, as: .infoPlist, &findings)
    let rights = entitlements.flatMap { DeclaredValues($0, as: .entitlements, &findings) }
    guard let info, rights != nil || entitlements == nil else { return nil }
    var declarations = Declarations(
      formats: [], usageDescription: nil, region: region, place: Place(file: infoPlist.path))
    declarations.origin = .propertyLists(
      infoPlist: infoPlist.path, entitlements: entitlements?.path)
    if let rights { declarations.formats = rights.formats(&findings) }
    declarations.usageDescription = info.usageDescription(&findings)
    declarations.systemCodes = info.systemCodes(&findings)
    declarations.selectIdentifiers = info.selectIdentifiers(
      &findings, refused: declarations.refused)
    return declarations
  }
}
