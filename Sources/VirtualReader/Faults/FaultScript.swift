internal import Platform

/// Faults that come at their moments, each once: from a list, or drawn from a seed.
///
/// A value without clock or randomness of its own: the same points bring the same faults.
package struct FaultScript: Sendable {
  /// What happens, by its name in faults files.
  package enum Action: String, Sendable, CaseIterable {
    case unplug, lift, swap, second, noAck, ackOnly, late, garbage, badSum, badLength, badEnd, short
    case split, joined, nack, error, noise, nak, field, reset, speed, stuck, weak
  }

  /// When it happens.
  package enum Moment: Sendable, Equatable {
    /// At this command, counted from 1.
    case command(Int)
    /// At the first WRITE to this page.
    case page(Int)
    /// At the first command after this time on the reader's clock.
    case time(Duration)
  }

  /// One line of the script.
  package struct Entry: Sendable, Equatable {
    /// The place of a tag in its deck, from 1; `nil` for any tag.
    package var tag: Int?
    package var moment: Moment
    package var action: Action
    /// How long it lasts; its own default, or for ever, if `nil`.
    package var duration: Duration?

    /// An entry of these parts.
    package init(
      tag: Int? = nil, at moment: Moment = .command(1), _ action: Action,
      for duration: Duration? = nil
    ) {
      self.tag = tag
      self.moment = moment
      self.action = action
      self.duration = duration
    }
  }

  /// Something that goes on for a while, on the clock and on the wall.
  private struct Spell: Sendable {
    var end: Duration?
    var wallEnd: Duration?

    init(at point: FaultPoint, for duration: Duration?) {
      end = duration.map { point.now + $0 }
      wallEnd = duration.map { point.elapsed + $0 }
    }

    /// A reader that nobody hears may have a clock that nothing moves.
    func isOver(at point: FaultPoint) -> Bool {
      guard let end, let wallEnd else { return false }
      return point.now >= end || point.elapsed >= wallEnd
    }
  }

  /// How long a reply is held back where no time is given: longer than hosts wait.
  static let usualDelay = Duration.milliseconds(500)
  /// The pause inside a split frame where no time is given.
  static let usualPause = Duration.milliseconds(20)
  /// The speed of a chip that a killed program left fast.
  static let leftSpeed = 921_600

  private var waiting: [Entry]
  private var dice: FaultDice?
  private var commands = 0
  private var commandsByTag: [Int: Int] = [:]
  private var drawnFor: Set<Int> = []
  private var stuck: Spell?
  private var weak: (spell: Spell, position: Int)?
  private var luck = SeededGenerator(seed: 0)

  /// The faults of `entries`; of several that are due at once, all happen, in their order.
  package init(_ entries: [Entry]) { waiting = entries }

  /// Faults drawn for each tag as it comes: about every second tag meets one, and most pass.
  package init(seed: UInt64) {
    waiting = []
    dice = FaultDice(seed: seed)
    luck = SeededGenerator(seed: ~seed)
  }

  /// How many entries have not happened yet.
  package var left: Int { waiting.count }

  /// What goes wrong with the command at `point`; each command is to be asked for once, in order.
  package mutating func faults(at point: FaultPoint) -> [Fault] {
    if point.touchesTag {
      commands += 1
      if point.position > 0 { commandsByTag[point.position, default: 0] += 1 }
    }
    draw(for: point.position)
    if let spell = stuck {
      if !spell.isOver(at: point) { return [.noAck] }
      stuck = nil
    }
    var faults: [Fault] = []
    var later: [Entry] = []
    for entry in waiting {
      if isDue(entry, at: point) {
        faults += happen(entry, at: point)
      } else {
        later.append(entry)
      }
    }
    waiting = later
    if faults.isEmpty, let fault = weakness(at: point) { faults.append(fault) }
    return faults
  }

  private mutating func draw(for position: Int) {
    guard dice != nil, position > 0, drawnFor.insert(position).inserted else { return }
    if let entry = dice?.entry(for: position) { waiting.append(entry) }
  }

  private func isDue(_ entry: Entry, at point: FaultPoint) -> Bool {
    if let tag = entry.tag, tag != point.position { return false }
    // Only a tag can refuse or miss what it is told.
    if entry.action == .nak, !point.isExchange { return false }
    switch entry.moment {
    case .command(let number):
      guard point.touchesTag else { return false }
      let count = entry.tag.map { commandsByTag[$0, default: 0] } ?? commands
      return entry.action == .nak ? count >= number : count == number
    case .page(let page): return point.writtenPage == page
    case .time(let time): return point.now >= time
    }
  }

  private mutating func happen(_ entry: Entry, at point: FaultPoint) -> [Fault] {
    switch entry.action {
    case .unplug: return [.unplug(comeBack: entry.duration)]
    case .lift:
      if case .page = entry.moment { return [.tearInHalf(comeBack: entry.duration)] }
      return [.liftBefore(comeBack: entry.duration)]
    case .swap: return [.swap]
    case .second: return [.visit(entry.duration)]
    case .noAck: return [.noAck]
    case .ackOnly: return [.noReply]
    case .late: return [.delay(entry.duration ?? Self.usualDelay)]
    case .garbage: return [.garbage([0xF0, 0x0F, 0x55, 0x00, 0xFF, 0x01])]
    case .badSum: return [.badSum]
    case .badLength: return [.badLength]
    case .badEnd: return [.badEnd]
    case .short: return [.truncated(6)]
    case .split: return [.split(entry.duration ?? Self.usualPause)]
    case .joined: return [.joined]
    case .nack: return [.nack]
    case .error: return [.errorFrame]
    case .noise: return [point.isExchange ? .status(ChipStatus.refused) : .unreached]
    case .nak: return [.nak]
    case .field: return [.fieldDrop]
    case .reset: return [.reset]
    case .speed: return [.speed(Self.leftSpeed)]
    case .stuck:
      stuck = Spell(at: point, for: entry.duration)
      return [.noAck]
    case .weak:
      weak = (Spell(at: point, for: entry.duration), point.position)
      return []
    }
  }

  /// Every fourth exchange or listing fails while the tag lies badly: half of those before the tag, half after.
  private mutating func weakness(at point: FaultPoint) -> Fault? {
    guard let weak else { return nil }
    guard !weak.spell.isOver(at: point), weak.position == point.position else {
      self.weak = nil
      return nil
    }
    guard point.isExchange || point.code == 0x4A else { return nil }
    let throwing = luck.next() % 8
    return throwing == 0 ? .unreached : throwing == 1 ? .unanswered : nil
  }

  /// The script as what a reader asks, keeping its state.
  package func player() -> @Sendable (FaultPoint) -> [Fault] {
    let state = Locked(self)
    return { point in state.withLock { $0.faults(at: point) } }
  }
}
