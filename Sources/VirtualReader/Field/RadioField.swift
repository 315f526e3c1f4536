/// The reader's field and the tags in it.
struct RadioField {
  struct Tag {
    let id: Int
    var chip: any VirtualChip
    let changed: @Sendable (ChipImage) -> Void
    let isOfDeck: Bool
  }

  /// A tag that was lifted and comes back.
  private struct Lifted {
    let tag: Tag
    let until: Duration
  }

  /// A second tag that is beside the deck's for a while.
  private struct Visitor {
    let id: Int
    /// `nil`: until the deck's tag goes.
    let until: Duration?
    /// The deck's tag that it came to.
    let position: Int
  }

  private let entries: [DeckEntry]
  private(set) var deck: DeckState
  private(set) var isOn = false
  private(set) var tags: [Tag] = []
  private var lifted: [Lifted] = []
  private var visitors: [Visitor] = []
  /// What second tags held when they left.
  private var visitorsGone: [ChipImage] = []
  private var nextID = 1
  /// Why the deck ended early.
  private(set) var failure: DeckEntry.Failure?

  init(deck entries: [DeckEntry] = [], hold: DeckHold = .done, gap: Duration = .zero) {
    self.entries = entries
    deck = DeckState(count: entries.count, hold: hold, gap: gap)
  }

  mutating func place(
    _ chip: any VirtualChip, changed: @escaping @Sendable (ChipImage) -> Void,
    isOfDeck: Bool = false
  ) -> Int {
    defer { nextID += 1 }
    tags.append(Tag(id: nextID, chip: chip, changed: changed, isOfDeck: isOfDeck))
    return nextID
  }

  /// Takes a tag away for good; a deck's next one follows by the rules.
  mutating func remove(id: Int, at now: Duration) {
    if let index = tags.firstIndex(where: { $0.id == id }) {
      if tags[index].isOfDeck { deck.taken(at: now) }
      tags.remove(at: index)
    }
    lifted.removeAll { $0.tag.id == id }
  }

  /// Lifts every tag until `until`, or for good.
  mutating func lift(at now: Duration, until: Duration?) {
    for index in tags.indices { tags[index].chip.powerOff() }
    if let until {
      lifted += tags.map { Lifted(tag: $0, until: until) }
    } else if tags.contains(where: \.isOfDeck) {
      deck.taken(at: now)
    }
    tags = []
  }

  /// Lets time do its part: brings lifted tags back, takes and places those of the deck.
  mutating func settle(at now: Duration) {
    tags += lifted.filter { $0.until <= now }.map(\.tag)
    lifted.removeAll { $0.until <= now }
    if deck.isOver(at: now), let index = tags.firstIndex(where: \.isOfDeck) {
      tags.remove(at: index)
      deck.taken(at: now)
    }
    dismissVisitors(at: now)
    guard deck.takesNext(at: now) else { return }
    do throws(DeckEntry.Failure) {
      let entry = entries[deck.last - 1]
      let image = try entry.make()
      guard let chip = VirtualChips.chip(from: image) else {
        throw DeckEntry.Failure("no virtual chip can hold this \(image.chip) image")
      }
      _ = place(chip, changed: entry.changed, isOfDeck: true)
    } catch {
      failure = error
      deck.fail()
    }
  }

  mutating func turn(on: Bool) {
    if isOn && !on { dropPower() }
    isOn = on
  }

  /// Every tag loses its power for a moment.
  mutating func dropPower() {
    for index in tags.indices { tags[index].chip.powerOff() }
  }

  /// Takes the deck's tag away, wherever it is, and puts the next one in its place at once.
  mutating func swap(at now: Duration) {
    guard deck.position > 0 else { return }
    tags.removeAll { $0.isOfDeck }
    lifted.removeAll { $0.tag.isOfDeck }
    deck.taken(at: now)
    deck.hurry(at: now)
    settle(at: now)
  }

  /// Puts a fresh tag of the same kind beside the deck's, with a UID of its own.
  mutating func visit(until: Duration?) {
    guard let image = tags.first(where: \.isOfDeck)?.chip.image,
      let stranger = VirtualChips.make(name: image.chip, uid: Self.strangeUID(image.uid)),
      let chip = VirtualChips.chip(from: stranger)
    else { return }
    let id = place(chip, changed: { _ in })
    visitors.append(Visitor(id: id, until: until, position: deck.position))
  }

  /// Another UID of seven bytes: the last three the other way round.
  private static func strangeUID(_ uid: [UInt8]) -> [UInt8] {
    var other = Array((uid + [UInt8](repeating: 0, count: 7)).prefix(7))
    other[0] = 0x04
    if other[3] == 0x88 { other[3] = 0x89 }
    for index in 4..<7 { other[index] = ~other[index] }
    return other
  }

  /// What every second tag that came holds, or held when it left.
  var strangers: [ChipImage] { visitorsGone + images(of: visitors) }

  private func images(of visitors: [Visitor]) -> [ChipImage] {
    let all = tags + lifted.map(\.tag)
    return visitors.compactMap { visitor in all.first { $0.id == visitor.id }?.chip.image }
  }

  private mutating func dismissVisitors(at now: Duration) {
    let gone = visitors.filter { visitor in
      visitor.until.map { $0 <= now } ?? (visitor.position != deck.position)
    }
    guard !gone.isEmpty else { return }
    visitorsGone += images(of: gone)
    visitors.removeAll { visitor in gone.contains { $0.id == visitor.id } }
    for visitor in gone { remove(id: visitor.id, at: now) }
  }

  /// Runs `body` with the chip `id` and tells its owner if that changed what it holds; `nil` if it is gone.
  mutating func withChip<Result>(_ id: Int, _ body: (inout any VirtualChip) -> Result) -> Result? {
    guard isOn, let index = tags.firstIndex(where: { $0.id == id }) else { return nil }
    return with(index, body)
  }

  /// Runs `body` with every chip in turn.
  mutating func forEachChip<Result>(_ body: (inout any VirtualChip) -> Result) -> [Result] {
    isOn ? tags.indices.map { with($0, body) } : []
  }

  private mutating func with<Result>(
    _ index: Int, _ body: (inout any VirtualChip) -> Result
  ) -> Result {
    let revision = tags[index].chip.revision
    let result = body(&tags[index].chip)
    if tags[index].chip.revision != revision { tags[index].changed(tags[index].chip.image) }
    return result
  }

  /// The tag that `listing` finds: of several that hear it, anticollision leaves one.
  func hearing(_ listing: Listing, except other: Int? = nil) -> Int? {
    tags.filter { $0.id != other && $0.chip.hears(listing) }
      .max { $0.chip.precedence.lexicographicallyPrecedes($1.chip.precedence) }?.id
  }

  /// Lets all but the chosen tags know that a listing went by.
  mutating func overhear(_ listing: Listing, except chosen: [Int]) {
    for index in tags.indices where !chosen.contains(tags[index].id) {
      tags[index].chip.overhear(listing)
    }
  }

  /// Counts a finished listing for the deck.
  mutating func listed(_ listing: Listing, found: [Int], at now: Duration) {
    guard listing.isOpen else { return deck.commanded() }
    let ofDeck = tags.first(where: \.isOfDeck)
    if let ofDeck, found.contains(ofDeck.id) {
      deck.found(at: now)
    } else if found.isEmpty {
      deck.missed(mayHave: ofDeck.map { $0.chip.speaks(listing) } ?? false)
    }
  }

  /// A tag command other than an open listing was sent.
  mutating func commanded() { deck.commanded() }
}
