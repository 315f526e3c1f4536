internal import Bytes
internal import DataSource
internal import Declarations
internal import Diagnostics
internal import Platform
internal import YAMLTree

/// The keys of `declarations`.
enum DeclarationKeys {
  static let formats = Key(
    "formats", Kind.list(format), default: "[]", example: "[TAG]",
    "`TAG`, and `PAYMENT` for payment sessions; `NDEF` and `PACE` do nothing")
  static let usageDescription = Key(
    "usageDescription", Kind.text, "What the tags are read for, shown when a run starts")
  static let selectIdentifiers = Key(
    "selectIdentifiers", Kind.list(.applicationIdentifier), default: "[]",
    example: "[\"D2760000850101\"]",
    "ISO 7816 application identifiers, in SELECT order")
  static let systemCodes = Key(
    "systemCodes", Kind.list(.systemCode), default: "[]", example: "[\"12FC\"]",
    "FeliCa system codes")
  static let region = Key(
    "region", Kind.word(Region.self), "Where payment sessions are allowed")

  static let infoPlist = Key(
    "infoPlist", Kind.propertyList,
    "An app's Info.plist, in place of `usageDescription`, `selectIdentifiers` and `systemCodes`")
  static let entitlements = Key(
    "entitlements", Kind.propertyList, "The app's entitlements, in place of `formats`")

  enum Region: String, Sendable, CaseIterable { case eu = "EU" }

  /// What an app's property lists say in place of the station file.
  private static let own = [
    formats.name, usageDescription.name, selectIdentifiers.name, systemCodes.name,
  ]

  static let shape = ObjectShape(
    "`declarations`", "What sessions at this station may touch",
    rules: [.excludes(infoPlist.name, own), .needs(entitlements.name, [infoPlist.name])],
    [
      formats.shape, usageDescription.shape, selectIdentifiers.shape, systemCodes.shape,
      region.shape, infoPlist.shape, entitlements.shape,
    ])

  static let value = Kind<Declarations>.object(shape) { fields, reading in
    if fields.has(infoPlist) || fields.has(entitlements) { return fromApp(fields, &reading) }
    let declarations = Declarations(
      formats: fields.read(formats, &reading) ?? [],
      usageDescription: fields.read(usageDescription, &reading),
      selectIdentifiers: fields.read(selectIdentifiers, &reading) ?? [],
      systemCodes: fields.read(systemCodes, &reading) ?? [],
      region: fields.read(region, &reading)?.rawValue, place: fields.place)
    checkPayment(declarations, fields, &reading)
    checkRepeated(fields.node(formats), &reading) { $0 }
    checkRepeated(fields.node(selectIdentifiers), &reading) { [UInt8](hex: $0)?.hex }
    checkRepeated(fields.node(systemCodes), &reading) { [UInt8](hex: $0)?.hex }
    return declarations.withoutRepeated
  }

  /// The declarations of an app, where the map names its property lists.
  private static func fromApp(_ fields: Fields, _ reading: inout Reading) -> Declarations? {
    for entry in fields.entries where own.contains(entry.key) {
      reading.error(
        "declarations", "`\(entry.key)` cannot stand beside an app's property lists",
        at: entry.keyPlace, help: "leave it out, or leave out `infoPlist` and `entitlements`")
    }
    let region = fields.read(region, &reading)?.rawValue
    let entitlements = fields.read(entitlements, &reading)
    if !fields.has(infoPlist) {
      reading.error(
        "missing-key", "`entitlements` needs `infoPlist` beside it", at: fields.place,
        help: "an app's Info.plist has what `entitlements` has not")
      return nil
    }
    guard let infoPlist = fields.read(infoPlist, &reading),
      entitlements != nil || !fields.has(Self.entitlements)
    else { return nil }
    var findings = Findings()
    let declarations = Declarations.read(
      infoPlist: infoPlist, entitlements: entitlements, region: region, findings: &findings)
    for finding in findings.all { reading.add(finding) }
    return declarations
  }

  private static let format = Kind<String>(.words(DeclaredEntry.formats)) { node, reading in
    guard let text = node.text(&reading)?.text else { return nil }
    do throws(EntryFault) {
      let format = try DeclaredEntry.format(text)
      if DeclaredEntry.isWithoutEffect(format: format) {
        reading.note("format", "`\(text)` in `formats` does nothing here", at: node.place)
      }
      return format
    } catch {
      reading.error(error.code, error.message, at: node.place, help: error.help)
      return nil
    }
  }

  /// Payment applications need the format and the region.
  private static func checkPayment(
    _ declarations: Declarations, _ fields: Fields, _ reading: inout Reading
  ) {
    guard case .sequence(let nodes) = fields.node(selectIdentifiers)?.content else { return }
    for node in nodes {
      guard let bytes = node.scalar.flatMap({ [UInt8](hex: $0.text) }),
        let fault = declarations.refused(bytes)
      else { continue }
      reading.error(fault.code, fault.message, at: node.place, help: fault.help)
    }
  }

  /// Tells entries that stand there before; the order is that of the first.
  private static func checkRepeated(
    _ node: YAMLNode?, _ reading: inout Reading, meaning: (String) -> String?
  ) {
    guard case .sequence(let nodes) = node?.content else { return }
    var seen: Set<String> = []
    for node in nodes {
      guard let value = node.scalar.flatMap({ meaning($0.text) }) else { continue }
      if !seen.insert(value).inserted {
        reading.warning("repeated", "`\(value)` is declared twice", at: node.place)
      }
    }
  }
}

extension Kind where Value == [UInt8] {
  /// An application identifier, as `DeclaredEntry` has it.
  static var applicationIdentifier: Kind {
    declared(DeclaredEntry.identifierLengths) { text throws(EntryFault) in
      try DeclaredEntry.identifier(text, .loose)
    }
  }

  /// A FeliCa system code, as `DeclaredEntry` has it.
  static var systemCode: Kind {
    declared(DeclaredEntry.codeLengths) { text throws(EntryFault) in
      try DeclaredEntry.systemCode(text, .loose)
    }
  }

  private static func declared(
    _ lengths: ClosedRange<Int>,
    read: @escaping @Sendable (String) throws(EntryFault) -> [UInt8]
  ) -> Kind {
    Kind(.text(.hex(lengths))) { node, reading in
      guard let scalar = node.hexScalar(&reading) else { return nil }
      do throws(EntryFault) {
        return try read(scalar.text)
      } catch {
        reading.error(error.code, error.message, at: node.place, help: error.help)
        return nil
      }
    }
  }
}

extension Kind where Value == PropertyListFile {
  /// An app's property list, read when the station file is.
  static var propertyList: Kind {
    Kind(.text(.path)) { node, reading in
      guard let path = Kind<String>.path.read(node, &reading) else { return nil }
      do throws(SystemError) {
        return try PropertyListFile(reading: path)
      } catch {
        let fault = AppDeclarations.fault(error, path)
        reading.error(
          fault.code, fault.message, at: node.place, help: NearFile.suggestion(for: path))
        return nil
      }
    }
  }
}
