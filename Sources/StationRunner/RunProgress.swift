internal import Ledger

/// What a run has done so far, and what that means for going on: a pure state machine.
struct RunProgress: Sendable {
  let limits: Limits
  /// How many entries take turns.
  let entries: Int
  private(set) var entry = 0
  /// Batches begun, counted from 1 in events.
  private(set) var batch = 0
  private(set) var sessions = 0
  /// Tags with an outcome other than `skipped`.
  private(set) var position = 0
  private(set) var failuresInRow = 0
  private(set) var lastOutcomes: [[UInt8]: Outcome] = [:]
  private var batchTags: Set<[UInt8]> = []
  private var metTagInRound = false
  /// On the reader's clock.
  private(set) var idleSince: Duration = .zero
  private var needsBatch = true

  struct Limits: Sendable {
    var afterTags: Int?
    var whenIdleFor: Duration?
    var afterFailures: Int?
    /// For each entry, how many tags make a batch; `nil` for no limit.
    var batchTags: [Int?]
  }

  init(_ limits: Limits) {
    self.limits = limits
    entries = limits.batchTags.count
  }

  /// Different tags that came, done earlier or not.
  var differentTags: Int { lastOutcomes.count }

  /// Outcomes by their last for each tag.
  var counts: [Outcome: Int] {
    lastOutcomes.values.reduce(into: [:]) { $0[$1, default: 0] += 1 }
  }

  /// Whether a batch ended and the next one has not begun.
  var isBetweenBatches: Bool { needsBatch && batch > 0 }

  /// Whether the next session starts a batch; asked before every session, once.
  mutating func beginSession(at now: Duration) -> (batch: Int, isNew: Bool) {
    sessions += 1
    if sessions == 1 { idleSince = now }
    let isNew = needsBatch
    if isNew {
      batch += 1
      batchTags = []
      needsBatch = false
    }
    return (batch, isNew)
  }

  /// Takes a tag's outcome; `true` if the batch is full with it.
  mutating func took(_ outcome: Outcome, of uid: [UInt8], at now: Duration) -> Bool {
    idleSince = now
    metTagInRound = true
    let earlier = lastOutcomes[uid]
    if outcome != .skipped || earlier == nil { lastOutcomes[uid] = outcome }
    if outcome == .skipped { return false }
    position += 1
    failuresInRow = outcome == .passed ? 0 : failuresInRow + 1
    batchTags.insert(uid)
    guard let full = limits.batchTags[entry] else { return false }
    return batchTags.count >= full
  }

  /// Time goes on without idleness, for example while a person mends something.
  mutating func wasBusy(at now: Duration) { idleSince = now }

  /// Why the run should stop now, if it should; `idleLimit` where the job names none.
  func reasonToStop(at now: Duration, idleLimit: Duration?) -> StopReason? {
    if let most = limits.afterTags, position >= most { return .afterTags }
    if let most = limits.afterFailures, failuresInRow >= most { return .failures }
    if let idle = limits.whenIdleFor ?? idleLimit, now - idleSince >= idle { return .idle }
    return nil
  }

  /// A session ended; `true` if a whole round of entries met no tag.
  ///
  /// The next session belongs to another batch if this one is full and, where entries take turns, always.
  mutating func endSession(batchIsFull: Bool) -> Bool {
    if batchIsFull { needsBatch = true }
    guard entries > 1 else { return false }
    needsBatch = true
    entry = (entry + 1) % entries
    guard entry == 0 else { return false }
    defer { metTagInRound = false }
    return !metTagInRound
  }
}
