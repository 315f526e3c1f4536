/// How fast tags go by: the median of the last cycles.
struct Pace {
  private var cycles: [Duration] = []
  private var last: Duration?

  /// A tag was done at this moment.
  mutating func tagDone(at now: Duration) {
    if let last { cycles.append(now - last) }
    if cycles.count > 20 { cycles.removeFirst() }
    last = now
  }

  /// A person is waited for; the time until the next tag counts for nothing.
  mutating func pause() { last = nil }

  /// How long `tags` more will take; `nil` before five cycles were seen.
  func remaining(_ tags: Int) -> Duration? {
    guard cycles.count >= 5 else { return nil }
    return cycles.sorted()[cycles.count / 2] * tags
  }
}
