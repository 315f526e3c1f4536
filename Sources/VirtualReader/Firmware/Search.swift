/// A search for tags that may go on for several tries.
struct Search: Sendable {
  /// How a find is told to the host.
  enum Report: Sendable, Equatable {
    /// InListPassiveTarget, at most so many targets.
    case list(most: UInt8)
    /// InAutoPoll: the type that was asked for goes before the target data.
    case poll(types: [UInt8])
  }

  let report: Report
  /// What is looked for, one after another.
  let listings: [Listing]
  /// How long each try lasts if it finds nothing.
  let period: Duration
  /// Rounds left, `nil` for ever.
  var rounds: Int?
  /// The listing that comes next.
  var index = 0
}
