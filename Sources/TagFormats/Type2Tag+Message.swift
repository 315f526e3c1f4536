internal import Bytes
internal import Readers

extension Type2Tag {
  package func survey() throws(TagError) -> TagSurvey {
    // One READ gives static locks, capability container and the first eight bytes of the data area.
    if pages[2] == nil || pages[3] == nil { try readGuarded(2) }
    if let page = facts?.dynamicLock?.page ?? facts?.configuration, pages[page] == nil {
      try readGuarded(page)
    }
    let container = pages[3] ?? [0, 0, 0, 0]
    let size = areaSize(container)
    if isHalfFormat(container) {
      let survey = try unformattedSurvey(container)
      if size == nil || survey.content == .blank { return survey }
    }
    guard let size else { return try unformattedSurvey(container) }
    let found = try Type2Layout.walk(size: size) { address throws(TagError) in try byte(address) }
    layout = found
    var survey = TagSurvey(
      content: .empty, capacity: found.capacity, obstacle: nil, isLocked: isLocked(container),
      isProtected: isProtected)
    survey.obstacle = obstacle(container)
    survey.isConfigurationFixed = isConfigurationFixed
    if let fault = found.fault {
      survey.content = .broken(fault)
    } else if let length = found.length, length > 0 {
      survey.content = .message(try message(found, length))
    }
    return survey
  }

  /// Reads a page that every such chip has, which only a password can hide.
  private func readGuarded(_ page: Int) throws(TagError) {
    do throws(TagError) {
      try read(page)
    } catch {
      guard error == .link(.noAnswer), facts?.configuration != nil else { throw error }
      throw .password("page \(page) cannot be read, as where a password guards the memory")
    }
  }

  /// The data area's size in bytes; `nil` without NDEF format.
  ///
  /// The capability container's third byte counts in 8 bytes; what it claims beyond the chip's own memory
  /// does not exist. F1 marks a tag whose message needs more rights than this reader has.
  private func areaSize(_ container: [UInt8]) -> Int? {
    guard container[0] == 0xE1, container[1] >> 4 == 1, container[2] > 0 else { return nil }
    let claimed = Int(container[2]) * 8
    // READ names 256 pages, four of which lie before the data.
    guard let facts else { return min(claimed, 252 * 4) }
    return min(claimed, (facts.userEnd - 4) * 4)
  }

  /// Whether the capability container may be what a torn write left of the chip's own: some of its bits.
  ///
  /// The page is one-time programmable, so that writing it again completes it.
  private func isHalfFormat(_ container: [UInt8]) -> Bool {
    guard let whole = facts?.capabilityContainer, container != whole else { return false }
    return zip(container, whole).allSatisfy { $0 | $1 == $1 }
  }

  /// A tag without NDEF format: blank where the chip is known and its memory is as the factory left it.
  private func unformattedSurvey(_ container: [UInt8]) throws(TagError) -> TagSurvey {
    var survey = TagSurvey(
      content: .unformatted("no NDEF capability container: \(container.hex)"), capacity: 0,
      obstacle: nil, isLocked: isLocked(container), isProtected: isProtected)
    guard let facts, isHalfFormat(container) else { return survey }
    if let locked = obstacle(facts.capabilityContainer) {
      survey.obstacle = locked
      return survey
    }
    // Bit 3 of the first static lock byte keeps page 3 as it is.
    if let statics = pages[2], statics[2] & 0x08 != 0 {
      survey.obstacle = .locked("static lock bytes \(Array(statics[2...3]).hex)")
      return survey
    }
    try load(4..<facts.userEnd)
    let isZero = (4..<facts.userEnd).allSatisfy { pages[$0] == [0, 0, 0, 0] }
    guard isZero else { return survey }
    isBlank = true
    survey.content = .blank
    survey.capacity = facts.capacity
    return survey
  }

  private func message(_ layout: Type2Layout, _ length: Int) throws(TagError) -> [UInt8] {
    let end = layout.start + length
    let addresses = layout.addresses[layout.start..<end]
    // The terminator too: a rewrite leaves its page out where it stands already.
    let last = layout.addresses[min(end, layout.addresses.count - 1)]
    if let first = addresses.first { try load(first / 4..<last / 4 + 1) }
    var message: [UInt8] = []
    message.reserveCapacity(length)
    for address in addresses { message.append(try byte(address)) }
    return message
  }

  package func plan(_ message: [UInt8]) throws(TagError) -> WritePlan {
    if isBlank, let facts {
      let size = Int(facts.capabilityContainer[2]) * 8
      let fresh = Type2Layout(
        addresses: Array(16..<(16 + min(size, (facts.userEnd - 4) * 4))), position: 0, length: nil,
        start: 0)
      var plan = try pruned(message, in: fresh)
      plan.body.insert(MemoryWrite(3, facts.capabilityContainer), at: 0)
      return plan
    }
    guard let layout else { throw .unsupported("the tag has no NDEF format") }
    return try pruned(message, in: layout)
  }

  /// All writes of `message` in `layout`, whatever the tag holds.
  func writes(of message: [UInt8], in layout: Type2Layout) throws(TagError) -> WritePlan {
    let frame = try Type2Frame(message, in: layout)
    var body: [MemoryWrite] = []
    var commit: MemoryWrite?
    for page in frame.pages {
      if page.keepsOldBytes, pages[page.number] == nil { try read(page.number) }
      let write = MemoryWrite(page.number, page.bytes(over: pages[page.number]))
      if page.number == frame.commitPage { commit = write } else { body.append(write) }
    }
    return WritePlan(body: body, commit: commit, liesInCommit: body.isEmpty)
  }

  /// The plan without the pages that hold their bytes, and with an empty message written first where what
  /// the tag holds would be read half, or what is written would be read before its length is there.
  private func pruned(
    _ message: [UInt8], in layout: Type2Layout
  ) throws(TagError) -> WritePlan {
    let frame = try Type2Frame(message, in: layout)
    if pages[frame.commitPage] == nil { try read(frame.commitPage) }
    // Over a message, what lies there may be the new one's already; over none, writing is quicker.
    if let length = layout.length, length > 0 || message.isEmpty, let first = frame.pages.first,
      let last = frame.pages.last
    {
      try load(first.number..<last.number + 1)
    }
    var plan = try writes(of: message, in: layout)
    let held = Set(frame.pages.filter { $0.isHeld(by: pages[$0.number]) }.map(\.number))
    plan.body.removeAll { held.contains($0.address) }
    if plan.body.isEmpty {
      if held.contains(frame.commitPage) { plan.commit = nil }
    } else {
      let first = try emptying(layout)
      plan.body.removeAll { first.contains($0) }
      plan.body.insert(contentsOf: first, at: 0)
    }
    return plan
  }

  /// The writes that make the tag read as empty at `layout`'s place; none where it does already.
  private func emptying(_ layout: Type2Layout) throws(TagError) -> [MemoryWrite] {
    let type = layout.addresses[layout.position]
    let length = layout.addresses[layout.position + 1]
    for page in [type / 4, length / 4] where pages[page] == nil { try read(page) }
    guard let typePage = pages[type / 4], var lengthPage = pages[length / 4] else { return [] }
    let isOnePage = type / 4 == length / 4
    let isMessage = typePage[type % 4] == 0x03
    if isMessage, lengthPage[length % 4] == 0 { return [] }
    // Nothing behind a terminator is read, and the committing write puts the message in its place.
    if isOnePage, typePage[type % 4] == 0xFE { return [] }
    lengthPage[length % 4] = 0
    if isOnePage { lengthPage[type % 4] = 0x03 }
    // A terminator behind it, where there is room: without a type in front the bytes there would be read.
    if !isMessage, length % 4 < 3, layout.addresses.contains(length + 1) {
      lengthPage[length % 4 + 1] = 0xFE
    }
    var writes = [MemoryWrite(length / 4, lengthPage)]
    if !isOnePage, !isMessage {
      var page = typePage
      page[type % 4] = 0x03
      writes.append(MemoryWrite(type / 4, page))
    }
    return writes
  }

  /// Where a message may lie that was written before.
  private var places: [Type2Layout] {
    var places: [Type2Layout] = []
    if let layout, layout.fault == nil { places.append(layout) }
    // A torn committing write may have spoilt what leads to the message: try the factory's place too.
    if let facts, let size = areaSize(pages[3] ?? [0, 0, 0, 0]) {
      places.append(
        Type2Layout(
          addresses: Array(16..<(16 + size)), position: facts.leadingTLV.count, length: nil,
          start: 0))
    }
    return places
  }

  /// The pages of `message` at `place` without that of the committing write, read.
  private func body(
    of message: [UInt8], at place: Type2Layout
  ) throws(TagError) -> [Type2Frame.Page] {
    let frame = try Type2Frame(message, in: place)
    let body = frame.pages.filter { $0.number != frame.commitPage }
    if let first = body.first?.number, let last = body.last?.number {
      try load(first..<last + 1)
    }
    return body
  }

  package func holdsPart(of message: [UInt8]) throws(TagError) -> Bool {
    for place in places where message.count <= place.capacity {
      let body = try body(of: message, at: place)
      if body.contains(where: { page in
        page.isHeld(by: pages[page.number]) && page.content.contains { $0 ?? 0 != 0 }
      }) {
        return true
      }
    }
    return false
  }

  package func remainder(of message: [UInt8]) throws(TagError) -> WritePlan? {
    for candidate in places where message.count <= candidate.capacity {
      let body = try body(of: message, at: candidate)
      if body.allSatisfy({ $0.isHeld(by: pages[$0.number]) }) {
        var plan = try writes(of: message, in: candidate)
        plan.commit = plan.commit.map { repaired($0, candidate) }
        return WritePlan(body: [], commit: plan.commit, liesInCommit: plan.liesInCommit)
      }
    }
    return nil
  }

  /// The committing write with the last byte of the factory's TLV, which shares its page and may be torn.
  private func repaired(_ commit: MemoryWrite, _ layout: Type2Layout) -> MemoryWrite {
    guard let leading = facts?.leadingTLV, leading.count == 5, layout.position == 5,
      commit.address == 5, pages[4] == Array(leading.prefix(4))
    else { return commit }
    return MemoryWrite(5, leading.suffix(1) + commit.bytes.dropFirst())
  }

  package func writeZeroLength() throws(TagError) {
    guard let layout, layout.position + 1 < layout.addresses.count else {
      throw .unsupported("the tag has no NDEF format")
    }
    let places = [layout.addresses[layout.position], layout.addresses[layout.position + 1]]
    for page in Set(places.map { $0 / 4 }) { pages[page] = nil }
    try perform(try emptying(layout))
    forget()
    guard try survey().content == .empty else {
      throw .readBackDiffers("page \(places[1] / 4) does not read back as an empty message")
    }
  }
}
