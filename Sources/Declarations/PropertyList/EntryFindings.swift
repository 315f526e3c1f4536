internal import Diagnostics

/// What is to be told about the entries of one list.
struct EntryFindings {
  let path: String
  let key: String
  private var all: [Diagnostic] = []
  private var hasPayment = false
  private var untold = 0

  private static let most = 100

  init(path: String, key: String) {
    self.path = path
    self.key = key
  }

  mutating func fault(_ fault: EntryFault, _ index: Int, _ item: PropertyValue) {
    if case .payment = fault {
      hasPayment = true
      tell(.error, fault.code, fault.message, fault.help, index, item)
    } else {
      ignored(fault.code, fault.message, index, item, help: fault.help)
    }
  }

  mutating func ignored(
    _ code: String, _ message: String, _ index: Int, _ item: PropertyValue, help: String? = nil
  ) {
    tell(.warning, code, message + "; ignored, as on iOS", help, index, item)
  }

  mutating func repeated(
    _ text: String, _ index: Int, _ item: PropertyValue, _ first: Int, _ firstItem: PropertyValue
  ) {
    let message =
      item.place == nil
      ? "`\(text)` is given twice, first at [\(first)]" : "`\(text)` is given twice"
    tell(
      .warning, "repeated", message + "; ignored, as on iOS", nil, index, item,
      firstItem.place.map { Diagnostic.Secondary($0, "first given here") })
  }

  mutating func note(_ message: String, _ index: Int, _ item: PropertyValue) {
    tell(.note, "format", message, nil, index, item)
  }

  /// Hands over what was told, with an error where no entry is left.
  func finish(
    _ count: Int, keptNothing: Bool, at place: Place?, _ findings: inout Findings
  ) {
    for diagnostic in all { findings.add(diagnostic) }
    if untold > 0 {
      findings.warning(
        "too-many", "\(untold) more entries of `\(key)` are ignored", at: place ?? Place(file: path)
      )
    }
    if keptNothing, count > 0, !hasPayment {
      findings.error(
        "nothing-left", "no entry of `\(key)` is left", at: place ?? Place(file: path))
    }
  }

  /// Keeps a finding; where the list has no lines, with the entry's key path in front.
  private mutating func tell(
    _ severity: Diagnostic.Severity, _ code: String, _ message: String, _ help: String?,
    _ index: Int, _ item: PropertyValue, _ secondary: Diagnostic.Secondary? = nil
  ) {
    if all.count == Self.most {
      untold += 1
      return
    }
    let words = item.place == nil ? "`\(key)[\(index)]`: \(message)" : message
    all.append(
      Diagnostic(
        severity, code, words, at: item.place ?? Place(file: path), help: help,
        secondary: secondary))
  }
}
