internal import Diagnostics
internal import TagFormats

/// Holds the steps that need a password against the chips that a batch accepts.
struct PasswordCheck {
  let batch: Batch

  func check(_ check: inout JobCheck) {
    guard let chips = batch.accept.chips else { return }
    for step in batch.steps {
      guard step.secret != nil else { continue }
      let without = chips.filter { $0.lastGuardedPage == nil }
      if !without.isEmpty {
        check.error(
          "no-password", "\(Self.names(without)) cannot have a password", at: step.place,
          help: "take it out of `accept.chips`")
      }
      guard case .protect(let protection) = step.kind else { continue }
      let small = chips.filter { $0.lastGuardedPage.map { $0 < protection.from } ?? false }
      if small.isEmpty { continue }
      let ends = small.map { "\($0.rawValue) (\($0.lastGuardedPage ?? 0))" }
      check.error(
        "page",
        "page \(protection.from) lies behind the last one that can be guarded of "
          + ends.joined(separator: ", "),
        at: step.place, help: "name a page before it, or leave `from` out to guard all")
    }
  }

  private static func names(_ chips: [Chip]) -> String {
    chips.map(\.rawValue).joined(separator: ", ")
  }
}
