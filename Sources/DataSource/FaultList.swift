internal import Diagnostics

/// Faults of one data file; beyond a number of them they are counted only.
struct FaultList {
  /// How many faults of a file are told one by one.
  static let limit = 50

  private(set) var count = 0

  mutating func add(
    to findings: inout Findings, _ code: String, _ message: String, at place: Place,
    help: String? = nil, secondary: Diagnostic.Secondary? = nil
  ) {
    count += 1
    if count <= Self.limit {
      findings.error(code, message, at: place, help: help, secondary: secondary)
    }
  }

  /// Says how many faults were not told.
  func finish(_ findings: inout Findings, file: String) {
    if count > Self.limit {
      findings.error(
        "data-more", "\(count - Self.limit) more faults are not listed", at: Place(file: file))
    }
  }
}
