/// Where a deck stands: decides when its tag is taken away and when the next one is placed.
struct DeckState: Sendable {
  private enum Phase: Equatable {
    /// `found` listings in a row found the tag; the first of all did at `since`.
    case presented(found: Int, since: Duration?)
    /// Taken away at `at`; `empty` listings have found nothing since.
    case between(empty: Int, at: Duration)
    case usedUp
  }

  private let hold: DeckHold
  private let gap: Duration
  private let count: Int
  private var phase: Phase
  /// The place of the tag presented last, from 1.
  private(set) var last = 0

  /// A deck of `count` tags of which none lies on the reader yet; `next` gives the first.
  init(count: Int, hold: DeckHold, gap: Duration) {
    self.count = count
    self.hold = hold
    self.gap = gap
    phase = count == 0 ? .usedUp : .between(empty: 2, at: .zero - gap)
  }

  var isUsedUp: Bool { phase == .usedUp }
  /// The place of the tag that lies on the reader, 0 if none.
  var position: Int {
    if case .presented = phase { return last }
    return 0
  }

  /// Whether the next tag is to be placed now; if so, it counts as placed.
  mutating func takesNext(at now: Duration) -> Bool {
    guard case .between(let empty, let at) = phase, empty >= 2, now - at >= gap else {
      return false
    }
    last += 1
    phase = .presented(found: 0, since: nil)
    return true
  }

  /// Whether the tag's time on the reader is over.
  func isOver(at now: Duration) -> Bool {
    guard case .presented(let found, let since) = phase else { return false }
    switch hold {
    case .done: return found >= 2
    case .forever: return false
    case .duration(let duration): return since.map { now - $0 >= duration } ?? false
    }
  }

  /// The tag was taken away.
  mutating func taken(at now: Duration) {
    guard case .presented = phase else { return }
    phase = last == count ? .usedUp : .between(empty: 0, at: now)
  }

  /// The next tag is to be placed at once.
  mutating func hurry(at now: Duration) {
    if case .between = phase { phase = .between(empty: 2, at: now - gap) }
  }

  /// No tag can be made any more.
  mutating func fail() { phase = .usedUp }

  /// A listing that any tag might answer has found the deck's tag.
  mutating func found(at now: Duration) {
    if case .presented(let found, let since) = phase {
      phase = .presented(found: found + 1, since: since ?? now)
    }
  }

  /// A listing has found nothing; `mayHave` if the deck's tag is of the kind that was looked for.
  mutating func missed(mayHave: Bool) {
    switch phase {
    case .presented(_, let since):
      if mayHave { phase = .presented(found: 0, since: since) }
    case .between(let empty, let at): phase = .between(empty: empty + 1, at: at)
    case .usedUp: break
    }
  }

  /// A tag command other than a listing was sent.
  mutating func commanded() {
    if case .presented(_, let since) = phase { phase = .presented(found: 0, since: since) }
  }
}
