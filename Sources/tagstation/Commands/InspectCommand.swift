internal import Bytes
internal import Declarations
internal import Diagnostics
internal import JobFile
internal import Platform
internal import ReaderSession
internal import Readers
internal import StationRunner
internal import TagFiles
internal import TagFormats

/// `tagstation inspect`: one tag, read as a phone would read it.
struct InspectCommand: Command {
  enum Format: String, CaseIterable, Sendable { case human, json }

  let station: String?
  /// A name in the station file, or a libnfc connection string.
  let reader: String?
  /// An app's property lists, for which it is said too how the tag arrives.
  let infoPlist: String?
  let entitlements: String?
  /// Where to keep the tag's memory.
  let save: String?
  let format: Format

  private static let infoPlist = OptionSyntax.text(
    "info-plist", "FILE", "an app's Info.plist: how would the tag arrive there")
  private static let entitlements = OptionSyntax.text(
    "entitlements", "FILE", "the app's entitlements; without them TAG is taken for granted")
  private static let save = OptionSyntax.text(
    "save", "FILE", "keep the memory: Flipper's format, or its pages alone as .bin or .mfd")
  private static let reader = OptionSyntax.text(
    "reader", "NAME", "the station's reader, or a libnfc connection string")
  private static let format = OptionSyntax.choice(
    "format", Format.allCases.map(\.rawValue), "json: one object")

  static let syntaxes = [
    CommandSyntax(
      "inspect", summary: "read the next tag and show what is on it; nothing is written",
      details: """
        exit status: 0 a tag was read, 1 none came within a minute or it could not be read,
        69 no reader, 75 the reader is in use, 77 no permission, 78 not declared
        """,
      options: [.station, reader, infoPlist, entitlements, save, format])
  ]

  init(_ arguments: ParsedArguments) throws(UsageError) {
    station = arguments.value(.station)
    reader = arguments.value(Self.reader)
    infoPlist = arguments.value(Self.infoPlist)
    entitlements = arguments.value(Self.entitlements)
    save = arguments.value(Self.save)
    if entitlements != nil, infoPlist == nil {
      throw arguments.error("--entitlements goes with --info-plist")
    }
    format = arguments.choice(Self.format, else: .human)
  }

  func run(_ console: Console) -> ExitStatus {
    LibNFCContext.prepare()
    do throws(SourceFault) {
      let (source, own) = try choose(console)
      var views = [(name: "station", configuration: own)]
      if let app = try appConfiguration(console) { views.append((name: "app", configuration: app)) }
      let reader = Reader(source)
      try hearSignals(console, reader)
      let look = Look(views: views, console: console)
      let tag = try Waiting.forResult { await look.read(reader) }.get()
      try keep(tag)
      for line in format == .json ? [tag.json.text] : tag.lines { console.result(line) }
      return .success
    } catch {
      return error.message.isEmpty ? error.status : console.fail(error.status, error.message)
    }
  }

  private func hearSignals(_ console: Console, _ reader: Reader) throws(SourceFault) {
    do throws(SystemError) {
      try Person.hearSignals(console, ending: nil) { reader.cancel() }
    } catch {
      throw SourceFault(status: .programFault, message: "\(error)")
    }
  }

  // MARK: Which reader

  private func choose(
    _ console: Console
  ) throws(SourceFault) -> (ReaderSource, SessionConfiguration) {
    if let text = reader, text.contains(":") {
      do throws(ReaderError) {
        return (
          ReaderSource(name: text, .connection(try ConnectionString(text))), SessionConfiguration()
        )
      } catch {
        throw SourceFault(status: .usage, message: "\(error)")
      }
    }
    let station: Station
    do throws(Ending) {
      station = try StationChoice.read(flag: self.station, console)
    } catch {
      throw SourceFault(status: error.status, message: "")
    }
    return (
      try ReaderSource(try named(reader, at: station), of: station),
      try Self.configuration(for: station)
    )
  }

  private func named(
    _ name: String?, at station: Station
  ) throws(SourceFault) -> StationReader {
    let names = station.readers.map(\.name)
    guard let name else {
      let real = station.readers.filter { !$0.isVirtual }
      if let only = real.count == 1 ? real.first : nil { return only }
      if station.readers.count == 1 { return station.readers[0] }
      throw SourceFault(
        status: .usage,
        message: "which reader? --reader takes one of: \(names.joined(separator: ", "))")
    }
    if let found = station.readers.first(where: { $0.name == name }) { return found }
    let meant = closest(to: name, in: names).map { "did you mean `\($0)`?" }
    throw SourceFault(
      status: .usage,
      message: "the station `\(station.name)` has no reader `\(name)`; "
        + (meant ?? "it has \(names.joined(separator: ", "))"))
  }

  private static func configuration(
    for station: Station
  ) throws(SourceFault) -> SessionConfiguration {
    let declarations = station.declarations
    if !declarations.hasUsageDescription {
      throw SourceFault(
        status: .notDeclared,
        message: "\(declarations.place.text): the declarations have no usageDescription; "
          + declarations.remedy(for: .usageDescription))
    }
    do throws(Invalidation) {
      return try SessionConfiguration(
        kind: .tag, polling: [.iso14443], selectIdentifiers: [], systemCodes: [],
        of: declarations)
    } catch {
      throw SourceFault(
        status: .notDeclared,
        message: "\(declarations.place.text): \(error.message ?? error.code.name)")
    }
  }

  /// The session of an app that looks for all that it declares.
  private func appConfiguration(_ console: Console) throws(SourceFault) -> SessionConfiguration? {
    guard let infoPlist else { return nil }
    let app = AppDeclarations.read(infoPlist: infoPlist, entitlements: entitlements)
    guard var declared = app.declarations else {
      throw SourceFault(status: console.report(app.findings), message: "")
    }
    if !app.findings.all.isEmpty { _ = console.report(app.findings) }
    if entitlements == nil { declared.formats = ["TAG"] }
    do throws(Invalidation) {
      return try SessionConfiguration(
        kind: .tag, polling: declared.systemCodes.isEmpty ? [.iso14443] : [.iso14443, .iso18092],
        selectIdentifiers: [], systemCodes: [], of: declared)
    } catch {
      throw SourceFault(
        status: .notDeclared, message: "\(infoPlist): \(error.message ?? error.code.name)")
    }
  }

  private func keep(_ tag: TagSheet) throws(SourceFault) {
    guard let save else { return }
    guard let image = tag.image else {
      throw SourceFault(
        status: .someFailed, message: "the memory of \(tag.chip) cannot be kept in a tag file")
    }
    let isRaw = save.hasSuffix(".bin") || save.hasSuffix(".mfd")
    do throws(SystemError) {
      try Files.replace(
        save, with: isRaw ? TagFiles.rawBytes(of: image) : TagFiles.flipperText(of: image))
    } catch {
      throw SourceFault(status: .cannotCreate, message: "\(error)")
    }
  }
}

/// Waits for a tag and reads it, on the reader's thread.
private struct Look: Sendable {
  /// How the tag arrives is said for each of these.
  let views: [(name: String, configuration: SessionConfiguration)]
  let console: Console

  func read(_ reader: Reader) async -> Result<TagSheet, SourceFault> {
    do throws(ReaderError) {
      try await reader.open()
    } catch {
      return .failure(SourceFault(error))
    }
    let result: Result<TagSheet, SourceFault> = await reader.run { device in
      do throws(ReaderError) {
        guard let found = try next(on: device) else {
          return .failure(SourceFault(status: .someFailed, message: "no tag came within a minute"))
        }
        return sheet(found, on: device)
      } catch {
        return .failure(SourceFault(error))
      }
    }
    await reader.close()
    return result
  }

  /// The next tag that lies alone; `nil` if none comes within a minute.
  private func next(on device: any ReaderDevice) throws(ReaderError) -> TagInspection? {
    if console.style.isTerminal { console.say("Present a tag") }
    let end = device.clock.now + .seconds(60)
    var toldCrowd = false
    try device.setField(on: true)
    while device.clock.now < end {
      if console.cancellation.level != .none { throw .canceled }
      if let found = try TagInspection(on: device, for: views.map(\.configuration)) {
        if found.isAlone { return found }
        if !toldCrowd { console.say("more than one tag lies on the reader: take all but one away") }
        toldCrowd = true
        try device.setField(on: false)
        try device.setField(on: true)
      }
      device.clock.sleep(.milliseconds(20), until: console.cancellation)
    }
    return nil
  }

  private func sheet(
    _ found: TagInspection, on device: any ReaderDevice
  ) -> Result<TagSheet, SourceFault> {
    do throws(TagError) {
      return .success(try TagSheet(found, on: device, for: views.map(\.name)))
    } catch {
      return .failure(
        SourceFault(status: .someFailed, message: "the tag could not be read: \(error)"))
    }
  }
}

extension SourceFault {
  /// What a reader's failure to open means.
  fileprivate init(_ error: ReaderError) {
    let status: ExitStatus =
      switch error {
      case .busy: .tryAgain
      case .permission: .noPermission
      case .canceled: .interrupted
      default: .noReader
      }
    self.init(status: status, message: error == .canceled ? "" : "\(error)")
  }
}
