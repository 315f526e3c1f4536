internal import Bytes
internal import Diagnostics

/// What one property list has under the keys of declarations.
struct DeclaredValues {
  private let path: String
  private let list: DeclaredKey.List
  private var entries: [DeclaredKey: PropertyEntry] = [:]
  /// Keys that may still be told as faulty; a hostile list could have any number.
  private var untoldKeys = 20

  /// The values in `file`; `nil`, with the reason told, where it cannot be read.
  init?(_ file: PropertyListFile, as list: DeclaredKey.List, _ findings: inout Findings) {
    path = file.path
    self.list = list
    let root: PropertyValue
    do throws(PropertyListFault) {
      root = try file.root()
    } catch {
      findings.error(
        error.code, error.message, at: error.place ?? Place(file: file.path), help: error.help)
      return nil
    }
    guard case .dictionary(let all) = root.content else {
      findings.error(
        "wrong-type", "a property list of an app is a dictionary, not \(root.kindName)",
        at: root.place ?? Place(file: file.path),
        help: "name the app's Info.plist or entitlements")
      return nil
    }
    for entry in all { keep(entry, &findings) }
  }

  // MARK: Keys

  private mutating func keep(_ entry: PropertyEntry, _ findings: inout Findings) {
    let before = findings.all.count
    defer { untoldKeys -= findings.all.count - before }
    guard let key = DeclaredKey.allCases.first(where: { $0.propertyListKey == entry.key }) else {
      if untoldKeys > 0 { tellNear(entry, &findings) }
      return
    }
    if untoldKeys <= 0, key.list != list || entries[key] != nil { return }
    if key.list != list {
      findings.warning(
        "wrong-file", "iOS looks for `\(entry.key)` in \(key.list.name), not here; it is ignored",
        at: entry.keyPlace ?? Place(file: path))
    } else if let before = entries[key] {
      findings.error(
        "duplicate-key", "the key `\(entry.key)` is given twice",
        at: entry.keyPlace ?? Place(file: path),
        secondary: before.keyPlace.map { Diagnostic.Secondary($0, "first given here") })
    } else {
      entries[key] = entry
    }
  }

  /// Tells a key that was probably meant to be one of those that are read.
  private func tellNear(_ entry: PropertyEntry, _ findings: inout Findings) {
    let place = entry.keyPlace ?? Place(file: path)
    let known = DeclaredKey.allCases.map(\.propertyListKey)
    let trimmed = entry.key.trimmed
    if known.contains(trimmed) {
      findings.warning(
        "stray-space", "the key `\(EntryFault.short(entry.key))` has a stray space; iOS ignores it",
        at: place,
        help: "write `\(trimmed)`")
    } else if let near = Self.near(entry.key, among: known) {
      findings.warning(
        "unknown-key", "iOS ignores the key `\(EntryFault.short(entry.key))`", at: place,
        help: "did you mean `\(near)`?")
    }
  }

  /// Keys of one family are told apart by what follows their common beginning.
  private static func near(_ key: String, among known: [String]) -> String? {
    let family = "com.apple.developer.nfc.readersession."
    guard key.hasPrefix(family) else { return closest(to: key, in: known) }
    let ends = known.filter { $0.hasPrefix(family) }.map { String($0.dropFirst(family.count)) }
    return closest(to: String(key.dropFirst(family.count)), in: ends).map { family + $0 }
  }

  // MARK: Values

  /// The formats, with those that do nothing told.
  func formats(_ findings: inout Findings) -> [String] {
    values(of: .formats, &findings) { text throws(EntryFault) in
      try DeclaredEntry.format(text)
    } note: { format in
      DeclaredEntry.isWithoutEffect(format: format)
        ? "`\(format)` in the formats does nothing here" : nil
    }
  }

  /// The system codes.
  func systemCodes(_ findings: inout Findings) -> [[UInt8]] {
    values(of: .systemCodes, &findings) { text throws(EntryFault) in
      try DeclaredEntry.systemCode(text, .exact)
    }
  }

  /// The application identifiers, without those that `refused` says something against.
  func selectIdentifiers(
    _ findings: inout Findings, refused: ([UInt8]) -> EntryFault?
  ) -> [[UInt8]] {
    values(of: .selectIdentifiers, &findings) { text throws(EntryFault) in
      let identifier = try DeclaredEntry.identifier(text, .exact)
      if let fault = refused(identifier) { throw fault }
      return identifier
    }
  }

  /// The text that says what tags are read for; tells where there is none.
  func usageDescription(_ findings: inout Findings) -> String? {
    guard let entry = entries[.usageDescription] else {
      findings.warning(
        "no-usage-description", "the app does not say what its tags are read for",
        at: Place(file: path),
        help: Declarations.listRemedy(for: .usageDescription, infoPlist: path, entitlements: nil))
      return nil
    }
    let place = entry.value.place ?? Place(file: path)
    guard case .text(let text) = entry.value.content else {
      findings.error(
        "wrong-type", "`\(entry.key)` needs a text, not \(entry.value.kindName)", at: place)
      return nil
    }
    if text.trimmed.isEmpty {
      findings.warning(
        "no-usage-description", "`\(entry.key)` is empty, which counts as none", at: place,
        help: "say in one sentence what tags are read for; no session begins without it")
    }
    return text
  }

  /// The entries of a list that `read` takes, each once; what is wrong with the others is told.
  private func values<Value: Hashable>(
    of key: DeclaredKey, _ findings: inout Findings, read: (String) throws(EntryFault) -> Value,
    note: (Value) -> String? = { _ in nil }
  ) -> [Value] {
    guard let entry = entries[key] else { return [] }
    guard case .array(let items) = entry.value.content else {
      findings.error(
        "wrong-type", "`\(entry.key)` needs a list, not \(entry.value.kindName)",
        at: entry.value.place ?? Place(file: path), help: "put what it holds into an `<array>`")
      return []
    }
    var told = EntryFindings(path: path, key: entry.key)
    var kept: [Value] = []
    var indexes: [Value: Int] = [:]
    for (index, item) in items.enumerated() {
      guard case .text(let text) = item.content else {
        told.ignored("wrong-type", "an entry is a text, not \(item.kindName)", index, item)
        continue
      }
      do throws(EntryFault) {
        let value = try read(text)
        if let first = indexes[value] {
          told.repeated(text, index, item, first, items[first])
        } else {
          indexes[value] = index
          kept.append(value)
          if let words = note(value) { told.note(words, index, item) }
        }
      } catch {
        told.fault(error, index, item)
      }
    }
    told.finish(items.count, keptNothing: kept.isEmpty, at: entry.keyPlace, &findings)
    return kept
  }
}
