import Readers
import Secrets
import Testing

@testable import TagFormats

/// Passwords: confirmed before they guard, taken off guard first.
@Suite struct PasswordTests {
  /// Where CFG0 lies and how many pages there are.
  ///
  /// Data sheets (NTAG213/215/216 rev. 3.2 and NTAG210/212 rev. 3.0, 8.5.7; MF0ULx1 rev. 3.3, 8.5.5).
  static let chips: [(Chip, Int, Int)] = [
    (.ntag210, 20, 0x10), (.ntag212, 41, 0x25), (.ntag213, 45, 0x29), (.ntag215, 135, 0x83),
    (.ntag216, 231, 0xE3), (.ultralightEV1Small, 20, 0x10), (.ultralightEV1Large, 41, 0x25),
  ]

  static func fresh(_ chip: Chip, _ pages: Int, _ configuration: Int) -> MemoryTag {
    let link = LockTests.formatted(chip, pages)
    link.configuration = configuration
    link.pages[configuration] = bytes("040000FF")
    link.pages[configuration + 1] = bytes("00050000")
    link.pages[configuration + 2] = bytes("FFFFFFFF")
    return link
  }

  static func protection(
    _ password: Secret, reading: Bool = true, from: Int = 0, tries: Int = 3
  ) -> Protection {
    Protection(
      password: password, acknowledge: [0xBE, 0xEF], from: from, guardsReading: reading,
      tries: tries)
  }

  static func password(_ text: String = "0A1B2C3D") throws -> Secret { try Secret(bytes(text)) }

  @Test(arguments: chips)
  func `the password is confirmed before anything is guarded`(
    _ chip: Chip, _ pages: Int, _ place: Int
  ) throws {
    let link = Self.fresh(chip, pages, place)
    let tag = Type2Tag(link, chip: chip)
    _ = try tag.survey()
    let before = link.commands.count
    try tag.protect(Self.protection(try Self.password()))
    let page = { (offset: Int) in UInt8(place + offset) }
    let own = link.commands.dropFirst(before).drop { $0[0] == 0x30 }
    #expect(
      Array(own) == [
        [0xA2, page(2)] + bytes("0A1B2C3D"), [0xA2, page(3)] + bytes("BEEF0000"),
        bytes("1B0A1B2C3D"), [0xA2, page(1)] + bytes("83050000"),
        [0xA2, page(0)] + bytes("04000000"), bytes("1B0A1B2C3D"), [0x30, page(0)],
      ])
    // In the selection that confirmed it everything may be done.
    #expect(link.isOpen)
    tag.forget()
    let survey = try tag.survey()
    #expect(survey.isProtected == true)
  }

  @Test func `what lies behind reads as nothing without the password`() throws {
    let link = Self.fresh(.ntag213, 45, 0x29)
    try Type2Tag(link, chip: .ntag213).protect(Self.protection(try Self.password()))
    try link.dropField()
    #expect(throws: TagError.self) { try Type2Tag(link, chip: .ntag213).survey() }
    let tag = Type2Tag(link, chip: .ntag213)
    try tag.authenticate(try Self.password())
    #expect(try tag.survey().content == .empty)
    #expect(try tag.survey().obstacle == nil)
  }

  /// Whatever a torn write leaves: guarded by this password, or by none; and the next time completes it.
  @Test(arguments: [
    "00000000", "FFFFFFFF", "0A1B0000", "83000000", "04000029", "A5A5A5A5", "04000010",
  ])
  func `no tear leaves a tag guarded by another password`(_ left: String) throws {
    for write in 1...4 {
      for isReading in [true, false] {
        let link = Self.fresh(.ntag213, 45, 0x29)
        let password = try Self.password()
        var writes = 0
        link.script = { _, command in
          guard command[0] == 0xA2 else { return nil }
          writes += 1
          return writes == write ? .tear(bytes(left)) : nil
        }
        let tag = Type2Tag(link, chip: .ntag213)
        let protection = Self.protection(password, reading: isReading)
        #expect(throws: TagError.link(.tagGone)) { try tag.protect(protection) }
        let isGuarded = Int(link.pages[0x29][3]) < 45
        #expect(!isGuarded || link.pages[0x2B] == bytes("0A1B2C3D"), "write \(write)")
        #expect(!isGuarded || write == 4)
        link.script = { _, _ in nil }
        // It comes back in the same hand, or to a new run.
        try link.dropField()
        tag.forget()
        if write == 3, bytes(left)[0] & 0x40 != 0 {
          // CFGLCK by accident: never guarded, and said.
          #expect(throws: TagError.self) { try tag.protect(protection) }
          continue
        }
        try tag.protect(protection)
        #expect(link.pages[0x29] == bytes("04000000"))
        #expect(link.pages[0x2A] == bytes(isReading ? "83050000" : "03050000"))
        #expect(link.pages[0x2B] == bytes("0A1B2C3D"))
        #expect(link.pages[0x2C] == bytes("BEEF0000"))
      }
    }
  }

  @Test func `a lost answer at any command is no reason to lose the tag`() throws {
    let whole = Self.fresh(.ntag213, 45, 0x29)
    try Type2Tag(whole, chip: .ntag213).protect(Self.protection(try Self.password()))
    for command in 1...whole.commands.count {
      let link = Self.fresh(.ntag213, 45, 0x29)
      link.script = { number, _ in number == command ? .loseAnswer : nil }
      let password = try Self.password()
      #expect(throws: TagError.link(.tagGone)) {
        try Type2Tag(link, chip: .ntag213).protect(Self.protection(password))
      }
      link.script = { _, _ in nil }
      try link.dropField()
      try Type2Tag(link, chip: .ntag213).protect(Self.protection(password))
      #expect(link.pages == whole.pages)
    }
  }

  @Test func `pages that are right already are not written`() throws {
    let link = Self.fresh(.ntag213, 45, 0x29)
    let password = try Self.password()
    try Type2Tag(link, chip: .ntag213).protect(Self.protection(password))
    try link.dropField()
    let written = link.writes.count
    try Type2Tag(link, chip: .ntag213).protect(Self.protection(password))
    #expect(link.writes.count == written)
    try link.dropField()
    try Type2Tag(link, chip: .ntag213).protect(Self.protection(password, tries: 0))
    #expect(link.writes.dropFirst(written) == [bytes("A22A80050000")])
  }

  @Test func `a password that is refused is not sent again`() throws {
    let link = Self.fresh(.ntag213, 45, 0x29)
    try Type2Tag(link, chip: .ntag213).protect(Self.protection(try Self.password()))
    try link.dropField()
    let pages = link.pages
    let tag = Type2Tag(link, chip: .ntag213)
    let wrong = try Self.password("00000001")
    for _ in 0..<4 {
      let refusal = TagError.password("the tag refuses the password")
      #expect(throws: refusal) { try tag.authenticate(wrong) }
      #expect(throws: refusal) { try tag.protect(Self.protection(wrong)) }
      #expect(throws: refusal) { try tag.unprotect(wrong) }
    }
    #expect(link.commands.count { $0 == bytes("1B00000001") } == 1)
    #expect(link.wrongPasswords == 1)
    #expect(link.pages == pages)
  }

  @Test func `a tag that answers its password wrongly is not guarded`() throws {
    let link = Self.fresh(.ntag213, 45, 0x29)
    link.script = { _, command in
      if command[0] == 0x1B { link.pages[0x2C] = bytes("00000000") }
      return nil
    }
    let password = try Self.password()
    let differs = TagError.readBackDiffers(
      "the tag answers its password with other bytes than `pack`")
    #expect(throws: differs) {
      try Type2Tag(link, chip: .ntag213).protect(Self.protection(password))
    }
    #expect(link.pages[0x29] == bytes("040000FF"))
  }

  @Test func `a setting that does not hold is not confirmed`() throws {
    let password = try Self.password()
    for page in [0x29, 0x2A] {
      let link = Self.fresh(.ntag213, 45, 0x29)
      let old = link.pages[page]
      link.script = { _, command in
        if command[0] == 0x1B { link.pages[page] = old }
        return nil
      }
      do throws(TagError) {
        try Type2Tag(link, chip: .ntag213).protect(Self.protection(password))
        Issue.record("page \(page) did not hold")
      } catch {
        guard case .readBackDiffers = error else {
          Issue.record("\(error)")
          continue
        }
      }
    }
  }

  @Test func `without a password the factory's state is left as it was`() throws {
    let link = Self.fresh(.ntag213, 45, 0x29)
    let factory = link.pages
    let password = try Self.password()
    try Type2Tag(link, chip: .ntag213).unprotect(password)
    #expect(link.writes.isEmpty)
    try Type2Tag(link, chip: .ntag213).protect(Self.protection(password))
    try link.dropField()
    let written = link.writes.count
    try Type2Tag(link, chip: .ntag213).unprotect(password)
    #expect(link.pages == factory)
    #expect(link.writes.dropFirst(written).map { Int($0[1]) } == [0x29, 0x2A, 0x2B, 0x2C])
    #expect(link.commands.last == bytes("1BFFFFFFFF"))
  }

  @Test(arguments: ["00000000", "FFFFFFFF", "A5A5A5A5"])
  func `a tear while the password comes off is made good in the same hand`(
    _ left: String
  ) throws {
    for write in 1...4 {
      let link = Self.fresh(.ntag213, 45, 0x29)
      let factory = link.pages
      let password = try Self.password()
      try Type2Tag(link, chip: .ntag213).protect(Self.protection(password))
      try link.dropField()
      var writes = 0
      link.script = { _, command in
        guard command[0] == 0xA2 else { return nil }
        writes += 1
        return writes == write ? .tear(bytes(left)) : nil
      }
      let tag = Type2Tag(link, chip: .ntag213)
      #expect(throws: TagError.link(.tagGone)) { try tag.unprotect(password) }
      link.script = { _, _ in nil }
      try link.dropField()
      tag.forget()
      if write == 2, bytes(left)[0] & 0x40 != 0 {
        #expect(throws: TagError.self) { try tag.unprotect(password) }
        continue
      }
      try tag.unprotect(password)
      #expect(link.pages == factory, "write \(write)")
    }
  }

  @Test func `settings that are locked for ever are left alone`() throws {
    let link = Self.fresh(.ntag213, 45, 0x29)
    link.pages[0x2A] = bytes("40050000")
    let tag = Type2Tag(link, chip: .ntag213)
    #expect(try tag.survey().isConfigurationFixed)
    let password = try Self.password()
    #expect(throws: TagError.locked("the chip's settings are locked for ever (CFGLCK)")) {
      try tag.protect(Self.protection(password))
    }
    #expect(link.pages[0x29] == bytes("040000FF"))
  }

  @Test func `other chips and later pages are refused before anything is sent`() throws {
    let password = try Self.password()
    let plain = LockTests.formatted(.ultralight, 16)
    #expect(throws: TagError.unsupported("Ultralight has no password")) {
      try Type2Tag(plain, chip: .ultralight).protect(Self.protection(password))
    }
    let link = Self.fresh(.ntag213, 45, 0x29)
    #expect(throws: TagError.self) {
      try Type2Tag(link, chip: .ntag213).protect(Self.protection(password, from: 0x2A))
    }
    #expect(plain.commands.isEmpty && link.commands.isEmpty)
    #expect(Chip.ntag213.lastGuardedPage == 0x29)
    #expect(Chip.ultralightC.lastGuardedPage == nil)
  }
}
