import Readers
import Testing

@testable import TagFormats

/// Locking: capability container, dynamic, static, in this order, and read back.
@Suite struct LockTests {
  /// Dynamic lock pages with all lock and block-locking bits.
  ///
  /// Data sheets (NTAG21x rev. 3.2, 8.5.3; MF0ULx1 rev. 3.3, 8.5.3).
  @Test(arguments: [
    (Chip.ntag213, 45, 0x28, "FF0F00"), (.ntag215, 135, 0x82, "FF0000"),
    (.ntag216, 231, 0xE2, "FF3F00"), (.ultralightEV1Large, 41, 0x24, "FF0300"),
  ])
  func `locks every page and freezes the locks, in order`(
    _ chip: Chip, _ pages: Int, _ page: Int, _ bits: String
  ) throws {
    let link = Self.formatted(chip, pages)
    let tag = Type2Tag(link, chip: chip)
    #expect(try tag.survey().isLocked == false)
    try tag.lock()
    #expect(link.writes.map { Int($0[1]) } == [3, page, 2])
    #expect(Array(link.pages[page][0..<3]) == bytes(bits))
    #expect(Array(link.pages[2][2...]) == bytes("FFFF"))
    #expect(link.pages[3][3] == 0x0F)
    tag.forget()
    #expect(try tag.survey().isLocked)
    // The reads that confirm come last.
    #expect(link.commands.lastIndex { $0[0] == 0xA2 } ?? 0 < link.commands.count - 2)
  }

  @Test func `an Ultralight has static locks only`() throws {
    let link = Self.formatted(.ultralight, 16)
    let tag = Type2Tag(link, chip: .ultralight)
    try tag.lock()
    #expect(link.writes.map { Int($0[1]) } == [3, 2])
    #expect(try tag.survey().isLocked)
  }

  @Test func `a half locked tag is finished, and what is set is not written again`() throws {
    let whole = Self.formatted(.ntag213, 45)
    try Type2Tag(whole, chip: .ntag213).lock()
    for done in 0...3 {
      let link = Self.formatted(.ntag213, 45)
      for write in whole.writes.prefix(done) { link.pages[Int(write[1])] = Array(write[2...]) }
      let tag = Type2Tag(link, chip: .ntag213)
      #expect(try tag.survey().isLocked == (done == 3))
      try tag.lock()
      #expect(link.pages == whole.pages)
      #expect(link.writes == Array(whole.writes.dropFirst(done)))
    }
  }

  @Test func `a lock that does not read back is not confirmed`() throws {
    for page in [3, 0x28, 2] {
      let link = Self.formatted(.ntag213, 45)
      let old = link.pages[page]
      link.script = { _, command in
        if command[0] == 0x30 { link.pages[page] = old }
        return nil
      }
      do throws(TagError) {
        try Type2Tag(link, chip: .ntag213).lock()
        Issue.record("page \(page) did not hold")
      } catch {
        guard case .lockUnconfirmed = error else {
          Issue.record("\(error)")
          continue
        }
      }
    }
  }

  @Test func `a lock refused in between leaves the rest for later`() throws {
    let link = Self.formatted(.ntag213, 45)
    link.script = { _, command in
      command[0] == 0xA2 && command[1] == 0x28 ? .refuse(.noAnswer) : nil
    }
    let tag = Type2Tag(link, chip: .ntag213)
    #expect(throws: TagError.link(.noAnswer)) { try tag.lock() }
    #expect(Array(link.pages[2][2...]) == [0, 0])
    link.script = { _, _ in nil }
    try tag.lock()
    tag.forget()
    #expect(try tag.survey().isLocked)
  }

  @Test(arguments: [
    ("E110120F", "0000", "000000BD"), ("E1101200", "1000", "000000BD"),
    ("E1101200", "0080", "000000BD"), ("E1101200", "0000", "000800BD"),
  ])
  func `any lock stands in the way of writing`(
    _ container: String, _ statics: String, _ dynamic: String
  ) throws {
    let link = Self.formatted(.ntag213, 45)
    link.pages[3] = bytes(container)
    link.pages[2].replaceSubrange(2..., with: bytes(statics))
    link.pages[0x28] = bytes(dynamic)
    let survey = try Type2Tag(link, chip: .ntag213).survey()
    guard case .locked = survey.obstacle else {
      Issue.record("\(String(describing: survey.obstacle))")
      return
    }
    #expect(!survey.isLocked)
  }

  static func formatted(_ chip: Chip, _ pages: Int) -> MemoryTag {
    let facts = Type2Chip.facts(chip)
    let link = MemoryTag(
      pages, container: facts?.capabilityContainer ?? [], data: bytes("0300FE"),
      hasFastRead: chip != .ultralight)
    if let lock = facts?.dynamicLock {
      link.oneWayPages.insert(lock.page)
      link.pages[lock.page] = bytes("000000BD")
    }
    if let configuration = facts?.configuration { link.pages[configuration] = bytes("000000FF") }
    return link
  }
}
